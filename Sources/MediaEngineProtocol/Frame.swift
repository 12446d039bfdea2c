/// The header of a message between an engine and a worker: 32 bytes, little-endian, followed by JSON and binary data. A result with facts alone has
/// these in binary form (`FactsCode`) instead of the JSON.
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
  /// The kinds of messages.
  package enum Kind: UInt16, Sendable, CaseIterable {
    /// From the worker, once: it is ready. ``WorkerGreeting``
    case greeting = 1
    /// From the engine, with the descriptor of the file, or with its size where the worker asks for its bytes. ``MediaJob``
    case job = 2
    /// From the worker: a stage of the job begins.
    case stage = 3
    /// From the worker: the job is done.
    case result = 4
    /// From the worker: progress of a transcoding. `TranscodeProgress`
    case progress = 5
    /// From the worker: it needs a range of the job's file. ``RangeMessages``
    case ask = 6
    /// From the engine: the bytes of that range, or none if they cannot be had.
    case piece = 7

    /// Maximum length of the JSON: several times the largest valid message (4,096 peaks and 1,000 tiles are 200 KB). An engine accepts no
    /// longer result than its job can have (``ResultBounds``).
    package var longestText: Int {
      switch self {
      case .greeting: 65_536
      case .job: 4_194_304
      case .stage: 1_048_576
      case .progress: 4_096
      case .result: 8_388_608
      case .ask: RangeMessages.askLength
      case .piece: 0
      }
    }

    /// Maximum number of binary bytes: for a result, half of a worker's memory limit.
    package var maxBytes: Int {
      switch self {
      case .result: 268_435_456
      case .piece: RangeMessages.maxCount
      case .job: RangeMessages.sizeLength
      default: 0
      }
    }
  }

  /// Length of a header in bytes.
  package static let length = 32
  /// The only version of the protocol that this code reads and writes: both sides come from one build.
  package static let version: UInt16 = 5
  private static let magic: [UInt8] = [0x6D, 0x74, 0x77, 0x00]

  /// The kind of the message.
  package let kind: Kind
  /// The number of its job; 0 for a greeting.
  package let job: UInt64
  /// Length of the JSON in bytes.
  package let textLength: Int
  /// Length of the binary data in bytes.
  package let byteCount: Int

  /// A header with lengths within the limits of its kind; nil otherwise.
  package init?(kind: Kind, job: UInt64, textLength: Int, byteCount: Int) {
    guard (0...kind.longestText).contains(textLength), (0...kind.maxBytes).contains(byteCount) else { return nil }
    guard (kind == .greeting) == (job == 0) else { return nil }
    self.kind = kind
    self.job = job
    self.textLength = textLength
    self.byteCount = byteCount
  }

  /// Parses a header; nil if it is invalid.
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

  /// The encoded header.
  package var bytes: [UInt8] {
    func number(_ value: UInt64, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
    }
    return Self.magic + number(UInt64(Self.version), 2) + number(UInt64(kind.rawValue), 2) + number(job, 8)
      + number(UInt64(textLength), 8) + number(UInt64(byteCount), 8)
  }

  /// Length of JSON and binary data together.
  package var bodyLength: Int { textLength + byteCount }
}

/// One complete message.
package struct Frame: Hashable, Sendable {
  /// The kind, the job and the lengths of both bodies.
  package let header: FrameHeader
  /// The JSON of the message.
  package let text: [UInt8]
  /// Bytes of images or of a file, to which the JSON refers; empty for most kinds.
  package let bytes: [UInt8]

  /// A message with these parts; nil if one is longer than its kind allows.
  package init?(kind: FrameHeader.Kind, job: UInt64, text: [UInt8], bytes: [UInt8] = []) {
    guard let header = FrameHeader(kind: kind, job: job, textLength: text.count, byteCount: bytes.count) else {
      return nil
    }
    self.header = header
    self.text = text
    self.bytes = bytes
  }

  /// A message with a header and the bytes after it; nil if their number does not match the header.
  package init?(header: FrameHeader, body: some Collection<UInt8>) {
    guard body.count == header.bodyLength else { return nil }
    self.header = header
    text = Array(body.prefix(header.textLength))
    bytes = Array(body.dropFirst(header.textLength))
  }

  /// The encoded message.
  package var wire: [UInt8] { header.bytes + text + bytes }
}
