extension MailStructure {
  /// The octets of a mail that are read when they are needed, such as those of a file.
  ///
  /// Of a large mail only a window of 256 KiB is in memory. A source that becomes shorter or changes while it is read is no danger: every octet is
  /// copied before it is looked at, and what cannot be read is zeros.
  public struct Source {
    /// The number of octets.
    public let count: Int
    private let start: Int
    private let read: (_ offset: Int, _ buffer: UnsafeMutableRawBufferPointer) -> Int

    /// A source of which a closure reads pieces.
    ///
    /// - Parameters:
    ///   - count: The number of octets.
    ///   - read: Fills the beginning of a buffer with the octets from an offset on, and returns how many it filled; 0 if there are no more.
    public init(count: Int, read: @escaping (_ offset: Int, _ buffer: UnsafeMutableRawBufferPointer) -> Int) {
      self.init(count: max(0, count), start: 0, read: read)
    }

    /// Octets in memory.
    public init(_ octets: [UInt8]) {
      self.init(count: octets.count) { offset, buffer in
        octets.withUnsafeBytes { octets in
          let piece = octets[min(max(0, offset), octets.count)...].prefix(buffer.count)
          buffer.copyBytes(from: piece)
          return piece.count
        }
      }
    }

    private init(count: Int, start: Int, read: @escaping (Int, UnsafeMutableRawBufferPointer) -> Int) {
      (self.count, self.start, self.read) = (count, start, read)
    }

    /// The octets of a range, clamped.
    public subscript(range: Range<Int>) -> Source {
      let range = range.clamped(to: 0..<count)
      return Source(count: range.count, start: start + range.lowerBound, read: read)
    }

    /// Fills a buffer from an offset on; what cannot be read is zeros.
    func fill(_ buffer: UnsafeMutableRawBufferPointer, from offset: Int) {
      var filled = 0
      while filled < buffer.count {
        let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
        let count = min(max(0, read(start + offset + filled, rest)), rest.count)
        guard count > 0 else {
          for index in rest.indices { rest[index] = 0 }
          return
        }
        filled += count
      }
    }

    /// The mails of an mbox; otherwise the whole source.
    ///
    /// A line `From ` after an empty line begins a mail (RFC 4155), if it has a date like the first line of the file. The line that
    /// `git format-patch` writes does only in a file that begins with one: elsewhere it is the beginning of an attached patch. Lines `>From ` are not
    /// changed, because writers disagree on what was quoted.
    public func mails() -> [Source] {
      let octets = Octets(self)
      guard octets.hasPrefix("From ", at: 0) else { return [self] }
      func separator(_ offset: Int, _ next: Int) -> MboxSeparator {
        MboxSeparator(octets[offset..<min(next, offset + MboxSeparator.maxLine)])
      }
      let first = separator(0, octets.lineEnd(from: 0))
      var result: [Source] = []
      var (start, offset) = (0, 0)
      var isAfterEmptyLine = true
      while offset < count {
        let next = octets.lineEnd(from: offset)
        if isAfterEmptyLine, offset > start, octets.hasPrefix("From ", at: offset),
          separator(offset, next).separates(after: first)
        {
          result.append(self[start..<offset])
          start = offset
        }
        isAfterEmptyLine = next - offset == 1 || next - offset == 2 && octets[offset] == ASCII.carriageReturn
        offset = next
      }
      return result + [self[start..<count]]
    }
  }

  /// Reads a mail piece by piece, so that its attachments need no memory. The result is that of ``init(message:limits:)``.
  public init(source: Source, limits: Limits = Limits()) { self.init(Octets(source), limits) }
}
