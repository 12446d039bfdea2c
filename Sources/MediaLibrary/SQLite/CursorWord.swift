internal import FileSupport
internal import MediaModel

/// The content of a cursor: the order to which it belongs, some numbers, and a name.
struct CursorWord {
  let numbers: [Int64]
  let name: [UInt8]
  private let order: String

  init(_ order: String, _ numbers: [Int64], name: [UInt8] = []) {
    (self.order, self.numbers, self.name) = (order, numbers, name)
  }

  init(_ cursor: CatalogueFile.Cursor, _ order: String, numbers count: Int) throws(LibraryError) {
    let parts = cursor.rawValue.split(separator: ".", omittingEmptySubsequences: false)
    let numbers = parts.dropFirst().dropLast().compactMap { Int64($0) }
    guard parts.first.map(String.init) == order, parts.count == count + 2, numbers.count == count,
      let last = parts.last,
      let name = Hexadecimal.decode(last)
    else {
      throw LibraryError(
        .invalidRequest, "The cursor is from a listing with other parameters; start again without a cursor.",
        detail: cursor.rawValue)
    }
    (self.order, self.numbers, self.name) = (order, numbers, name)
  }

  var cursor: CatalogueFile.Cursor {
    let name = Hexadecimal.encode(name)
    return CatalogueFile.Cursor(rawValue: ([order] + numbers.map { "\($0)" } + [name]).joined(separator: "."))
  }
}
