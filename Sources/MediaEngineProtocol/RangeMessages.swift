/// The messages by which a worker reads a file that it has no descriptor of: it asks for a range, and the engine answers before it may ask for the next
/// one. Numbers are little-endian.
package enum RangeMessages {
  /// Maximum number of bytes in one answer.
  package static let maxCount = 1_048_576
  /// Length of the size in a job.
  static let sizeLength = 8
  /// Length of an offset and a count.
  static let askLength = 16

  /// The bytes of a job's message that state the size of its file.
  package static func size(_ size: Int) -> [UInt8] { number(UInt64(max(0, size))) }

  /// The size of a job's file; nil if the message states none.
  package static func size(of frame: Frame) -> Int? {
    frame.header.kind == .job && frame.bytes.count == sizeLength ? Int(exactly: number(frame.bytes[...])) : nil
  }

  /// The request for a range.
  package static func ask(_ offset: Int, _ count: Int, job: UInt64) -> Frame? {
    Frame(kind: .ask, job: job, text: number(UInt64(max(0, offset))) + number(UInt64(max(0, count))))
  }

  /// The range of a request, checked against the size of the file.
  package static func range(of frame: Frame, size: Int) throws(ProtocolViolation) -> Range<Int> {
    guard frame.text.count == askLength, let offset = Int(exactly: number(frame.text[..<8])),
      let count = Int(exactly: number(frame.text[8...]))
    else { throw ProtocolViolation("invalid request for a range") }
    guard (1...maxCount).contains(count), offset <= size, count <= size - offset else {
      throw ProtocolViolation("request for a range outside the file")
    }
    return offset..<offset + count
  }

  /// The answer to a request; nil for the bytes if they cannot be had.
  package static func piece(_ bytes: [UInt8]?, job: UInt64) -> Frame? {
    Frame(kind: .piece, job: job, text: [], bytes: bytes ?? [])
  }

  private static func number(_ value: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
