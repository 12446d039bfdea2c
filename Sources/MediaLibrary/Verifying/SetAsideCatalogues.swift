internal import FileSupport

/// Catalogues that a rebuild has replaced: `catalogue.sqlite.damaged-1` and following numbers, with their logs. Only a person removes them.
struct SetAsideCatalogues {
  private let location: LibraryLocation
  private static let infix = ".damaged-"

  init(_ location: LibraryLocation) { self.location = location }

  /// The existing ones, the oldest first.
  func paths() throws(LibraryError) -> [PathBytes] {
    try numbers().map { location.catalogue.suffixed("\(Self.infix)\($0)") }
  }

  private func numbers() throws(LibraryError) -> [Int] {
    let start = Array((String(decoding: location.catalogue.name, as: UTF8.self) + Self.infix).utf8)
    return try StoreFiles.names(in: location.data).compactMap { name in
      name.starts(with: start) ? Int(String(decoding: name.dropFirst(start.count), as: UTF8.self)) : nil
    }.sorted()
  }

  /// Gives the files of the catalogue a second name. They keep the first until they are removed.
  func keepCurrent() throws(LibraryError) {
    let suffixes = ["", "-wal", "-shm"].filter { StoreFiles.size(location.catalogue.suffixed($0)) ?? 0 > 0 }
    guard suffixes.contains(where: { $0 != "-shm" }) else { return }
    var number = (try numbers().last ?? 0) + 1
    // A log without a database has the number too.
    while suffixes.contains(where: { StoreFiles.size(aside(number, $0)) != nil }) { number += 1 }
    // The database last: with it, the set is complete.
    for suffix in suffixes.reversed() {
      try StoreFiles.keep(location.catalogue.suffixed(suffix), as: aside(number, suffix))
    }
    try StoreFiles.sync(location.data)
  }

  private func aside(_ number: Int, _ suffix: String) -> PathBytes {
    location.catalogue.suffixed("\(Self.infix)\(number)\(suffix)")
  }
}
