/// A piece of a source in memory. It moves to the octets that are asked for.
final class OctetWindow {
  static let size = 256 << 10

  private let source: MailStructure.Source
  private let buffer: UnsafeMutableBufferPointer<UInt8>
  private var start = 0
  private var end = 0

  init(_ source: MailStructure.Source) {
    self.source = source
    // An mbox may have a million small mails, each with a window of its own.
    buffer = .allocate(capacity: min(Self.size, source.count))
    buffer.initialize(repeating: 0)
  }

  deinit { buffer.deallocate() }

  var count: Int { source.count }

  /// The octet at an offset of the source, which must be within it.
  subscript(_ offset: Int) -> UInt8 {
    if offset < start || offset >= end { move(to: offset) }
    return buffer[offset - start]
  }

  /// The octets from an offset on that are in memory: at least one, if the offset is within the source.
  ///
  /// They are valid until the next call, so the caller must not read others meanwhile.
  func piece(from offset: Int) -> UnsafeBufferPointer<UInt8> {
    if offset < start || offset >= end { move(to: offset) }
    return UnsafeBufferPointer(rebasing: buffer[offset - start..<end - start])
  }

  private func move(to offset: Int) {
    // Readers go forward, and look back by a line at most times.
    start = max(0, offset - Self.size / 4)
    end = min(start + Self.size, source.count)
    source.fill(
      UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[..<(end - start)]), from: start)
  }
}
