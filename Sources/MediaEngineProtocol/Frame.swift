/// The head of one message between an engine and a worker: 32 bytes, little-endian, then JSON, then bytes. (In the place of the JSON of a
/// result that is facts alone stand these as bytes: `FactsCode`.)
///
/// | at | bytes | |
/// |---|---|---|
/// | 0 | 4 | `mtw` and a NUL |
/// | 4 | 2 | version of the protocol |
/// | 6 | 2 | kind |
/// | 8 | 8 | number of the job; 0 for a greeting |
/// | 16 | 8 | length of the JSON |
/// | 24 | 8 | length of the bytes |
package struct FrameHeader: Hashable, Sendable {
  /// What a message is.
  package enum Kind: UInt16, Sendable, CaseIterable {
    /// Worker to engine, once: it is ready. ``WorkerGreeting``
    case greeting = 1
    /// Engine to worker, with the file's descriptor. ``MediaJob``
    case job = 2
    /// Worker to engine: a part of the job begins.
    case stage = 3
    /// Worker to engine: the job is done.
    case result = 4
    /// Worker to engine: how far the writing of a file anew has come. `TranscodeProgress`
    case progress = 5

    /// The longest JSON: what the largest honest message needs, several times over (4,096 peaks and 1,000 tiles are 200 KB).
    package var longestText: Int {
      switch self {
      case .greeting: 65_536
      case .job, .stage: 4_194_304
      case .progress: 4_096
      case .result: 8_388_608
      }
    }

    /// The most bytes behind it: of a result, half of what a worker may have in memory.
    package var maxBytes: Int { self == .result ? 268_435_456 : 0 }
  }

  /// Bytes of a head.
  package static let length = 32
  /// The version that this code speaks, and the only one that it understands: both sides come from one build.
  package static let version: UInt16 = 3
  private static let magic: [UInt8] = [0x6D, 0x74, 0x77, 0x00]

  /// What follows.
  package let kind: Kind
  /// The job that it is about; 0 for a greeting.
  package let job: UInt64
  /// Bytes of JSON that follow.
  package let textLength: Int
  /// Bytes that follow the JSON.
  package let byteCount: Int

  /// A head whose lengths are within what its kind allows; nil for any other.
  package init?(kind: Kind, job: UInt64, textLength: Int, byteCount: Int) {
    guard (0...kind.longestText).contains(textLength), (0...kind.maxBytes).contains(byteCount) else { return nil }
    guard (kind == .greeting) == (job == 0) else { return nil }
    self.kind = kind
    self.job = job
    self.textLength = textLength
    self.byteCount = byteCount
  }

  /// Reads a head; nil for anything that is not exactly one.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count == Self.length, Array(bytes[0..<4]) == Self.magic else { return nil }
    func number(_ start: Int, _ count: Int) -> UInt64 {
      (0..<count).reversed().reduce(0) { $0 << 8 | UInt64(bytes[start + $1]) }
    }
    guard number(4, 2) == UInt64(Self.version), let kind = Kind(rawValue: UInt16(truncatingIfNeeded: number(6, 2))),
      let text = Int(exactly: number(16, 8)), let count = Int(exactly: number(24, 8))
    else { return nil }
    self.init(kind: kind, job: number(8, 8), textLength: text, byteCount: count)
  }

  /// The head as it is sent.
  package var bytes: [UInt8] {
    func number(_ value: UInt64, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
    }
    return Self.magic + number(UInt64(Self.version), 2) + number(UInt64(kind.rawValue), 2) + number(job, 8)
      + number(UInt64(textLength), 8) + number(UInt64(byteCount), 8)
  }

  /// Bytes of JSON and bytes together.
  package var bodyLength: Int { textLength + byteCount }
}

/// One message, whole.
package struct Frame: Hashable, Sendable {
  /// Its head.
  package let header: FrameHeader
  /// Its JSON.
  package let text: [UInt8]
  /// Its bytes.
  package let bytes: [UInt8]

  /// A message of its parts; nil where one of them is longer than its kind allows.
  package init?(kind: FrameHeader.Kind, job: UInt64, text: [UInt8], bytes: [UInt8] = []) {
    guard let header = FrameHeader(kind: kind, job: job, textLength: text.count, byteCount: bytes.count) else {
      return nil
    }
    self.header = header
    self.text = text
    self.bytes = bytes
  }

  /// A message out of its head and all that followed; nil where that is not as long as the head says.
  package init?(header: FrameHeader, body: some Collection<UInt8>) {
    guard body.count == header.bodyLength else { return nil }
    self.header = header
    text = Array(body.prefix(header.textLength))
    bytes = Array(body.dropFirst(header.textLength))
  }

  /// The message as it is sent.
  package var wire: [UInt8] { header.bytes + text + bytes }
}
