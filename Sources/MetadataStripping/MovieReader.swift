internal import ISOBaseMedia

/// A file of which pieces are read when they are needed. Keeps the pieces that were read last: tables are read in parallel, samples in order.
final class MovieReader: Box.Source {
  /// Bytes of a piece.
  private static let size = 16_384
  /// Pieces that are kept.
  private static let slots = 16

  let count: Int
  private let read: (_ offset: Int, _ count: Int) throws -> [UInt8]
  private var pieces: [(number: Int, bytes: [UInt8])]
  /// Why a piece could not be read. Its bytes are zeros, so nobody may use the result.
  private(set) var failure: (any Error)?

  /// - Parameter read: Reads up to so many bytes at an offset; fewer only at the end of the file.
  init(count: Int, read: @escaping (_ offset: Int, _ count: Int) throws -> [UInt8]) {
    (self.count, self.read) = (count, read)
    pieces = Array(repeating: (number: -1, bytes: []), count: MovieReader.slots)
  }

  /// A byte inside the file.
  func byte(at offset: Int) -> UInt8 {
    let (number, index) = offset.quotientAndRemainder(dividingBy: Self.size)
    let slot = number % Self.slots
    if pieces[slot].number != number { pieces[slot] = (number, load(number)) }
    let bytes = pieces[slot].bytes
    guard index < bytes.count else {
      if failure == nil { failure = MovieFile.Malformed() }
      return 0
    }
    return bytes[index]
  }

  func number(at offset: Int, bytes count: Int) -> UInt64? {
    guard offset >= 0, (0...8).contains(count), offset <= self.count - count else { return nil }
    var value: UInt64 = 0
    for index in offset..<(offset + count) { value = value << 8 | UInt64(byte(at: index)) }
    return value
  }

  private func load(_ number: Int) -> [UInt8] {
    let start = number * Self.size
    do { return try read(start, min(Self.size, count - start)) } catch {
      if failure == nil { failure = error }
      return []
    }
  }
}
