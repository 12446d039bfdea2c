public import FileSupport

/// A backup of a catalogue in the copy, one of several generations.
struct Snapshot {
  let path: PathBytes
  /// Number of the generation, ascending; 0 for the one without a number.
  let sequence: Int

  /// Number of generations that are always kept.
  static let kept = 3
  /// Prefix of the name of a snapshot while it is written.
  static let besidePrefix = Array(".catalogue-".utf8)

  /// The generation with this number.
  init(sequence: Int, in folder: PathBytes) {
    self.sequence = sequence
    let digits = String(sequence)
    let number = String(repeating: "0", count: max(0, 6 - digits.count)) + digits
    path = folder.appending((sequence == 0 ? "catalogue.sqlite" : "catalogue-\(number).sqlite").utf8)
  }

  /// All generations in a folder, the latest first.
  static func all(in folder: PathBytes) throws(LibraryError) -> [Snapshot] {
    try StoreFiles.names(in: folder).compactMap { sequence(of: $0) }.sorted(by: >)
      .map { Snapshot(sequence: $0, in: folder) }
  }

  /// The number in the name of a snapshot; nil for any other name.
  static func sequence(of name: [UInt8]) -> Int? {
    let text = String(decoding: name, as: UTF8.self)
    if text == "catalogue.sqlite" { return 0 }
    guard text.hasPrefix("catalogue-"), text.hasSuffix(".sqlite") else { return nil }
    let digits = text.dropFirst("catalogue-".count).dropLast(".sqlite".count)
    guard digits.count >= 6, digits.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int(digits), number > 0,
      digits.count == 6 || digits.first != "0"
    else { return nil }
    return number
  }

  /// The generations that may be removed. Kept are the latest ones, those that hold more of anything than every later one that is kept, and
  /// unreadable ones, because their contents are unknown.
  /// - Parameter contents: The contents of each generation, the latest first; nil if it cannot be read.
  static func superfluous(_ contents: [Library.CatalogueContents?]) -> [Int] {
    var most = Library.CatalogueContents()
    var found: [Int] = []
    for (index, one) in contents.enumerated() {
      guard let one else { continue }
      if index >= kept, !one.exceeds(most) { found.append(index) }
      most = most.union(one)
    }
    return found
  }
}

extension Library {
  /// The result of a backup of the catalogue.
  public struct SnapshotReport: Sendable {
    /// The new snapshot.
    public var path: PathBytes
    /// The contents of the new snapshot.
    public var contents: CatalogueContents
    /// An earlier snapshot that holds more of anything, and is kept too; nil if there is none. Of several the one that a rebuild would take.
    public var fuller: (path: PathBytes, contents: CatalogueContents)?
  }
}
