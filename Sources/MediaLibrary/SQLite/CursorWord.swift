internal import MediaModel

/// What a cursor says: which order it belongs to, some numbers, and a name.
struct CursorWord {
  let numbers: [Int64]
  let name: [UInt8]
  private let order: String

  init(_ order: String, _ numbers: [Int64], name: [UInt8] = []) {
    (self.order, self.numbers, self.name) = (order, numbers, name)
  }

  init(_ cursor: CatalogueCursor, _ order: String, numbers count: Int) throws(LibraryError) {
    let parts = cursor.rawValue.split(separator: ".", omittingEmptySubsequences: false)
    let numbers = parts.dropFirst().dropLast().compactMap { Int64($0) }
    guard parts.first.map(String.init) == order, parts.count == count + 2, numbers.count == count,
      let last = parts.last,
      let name = Self.bytes(last)
    else { throw LibraryError(.invalidRequest, "The cursor is none of this listing.") }
    (self.order, self.numbers, self.name) = (order, numbers, name)
  }

  var cursor: CatalogueCursor {
    let digits = Array("0123456789abcdef".utf8)
    let name = String(decoding: name.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    return CatalogueCursor(rawValue: ([order] + numbers.map { "\($0)" } + [name]).joined(separator: "."))
  }

  private static func bytes(_ text: Substring) -> [UInt8]? {
    let digits = Array(text.utf8)
    guard digits.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let byte = UInt8(String(decoding: digits[index...index + 1], as: UTF8.self), radix: 16) else { return nil }
      bytes.append(byte)
    }
    return bytes
  }
}
