public import FileSupport

/// A catalogue as it was backed up, in the copy: one of several generations.
struct Snapshot {
  let path: PathBytes
  /// Later ones have greater numbers; 0 for the one that had no number.
  let sequence: Int

  /// How many generations are kept, whatever is in them.
  static let kept = 3
  /// What the name of a snapshot begins with while it is written.
  static let besidePrefix = Array(".catalogue-".utf8)

  /// The path of a generation.
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

  /// Which generations may go: not the latest ones, nor one that knows more in any respect than every later one that stays, nor one that cannot be
  /// read: nobody can say what is in it.
  /// - Parameter contents: What is in each, the latest first; nil for what cannot be read.
  static func superfluous(_ contents: [CatalogueContents?]) -> [Int] {
    var most = CatalogueContents()
    var found: [Int] = []
    for (index, one) in contents.enumerated() {
      guard let one else { continue }
      if index >= kept, !one.exceeds(most) { found.append(index) }
      most = most.union(one)
    }
    return found
  }
}

/// What a backup of the catalogue has written.
public struct SnapshotReport: Sendable {
  /// The new snapshot.
  public var path: PathBytes
  /// What is in it.
  public var contents: CatalogueContents
  /// An earlier snapshot that knows more, and is kept beside it; nil when there is none.
  public var fuller: (path: PathBytes, contents: CatalogueContents)?
}
