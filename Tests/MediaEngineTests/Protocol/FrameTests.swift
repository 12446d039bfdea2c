internal import MediaEngineProtocol
internal import TestSupport
internal import Testing

@Suite("Frames") struct FrameTests {
  private func head(_ change: (inout [UInt8]) -> Void) throws -> FrameHeader? {
    var bytes = try #require(FrameHeader(kind: .result, job: 7, textLength: 12, byteCount: 34)).bytes
    change(&bytes)
    return FrameHeader(bytes)
  }

  @Test func `A header is decoded as it was encoded`() throws {
    for kind in FrameHeader.Kind.allCases {
      let head = try #require(
        FrameHeader(
          kind: kind, job: kind == .greeting ? 0 : .max, textLength: kind.longestText, byteCount: kind.maxBytes))
      #expect(head.bytes.count == FrameHeader.length)
      #expect(FrameHeader(head.bytes) == head)
    }
  }

  @Test func `A header with another magic number, version or kind is invalid`() throws {
    #expect(try head { _ in } != nil)
    for index in 0..<6 { #expect(try head { $0[index] ^= 1 } == nil, "byte \(index)") }
    #expect(try head { $0[6] = 0 } == nil)
    #expect(try head { $0[6] = 5 } == nil)
    #expect(try head { $0[7] = 1 } == nil)
    #expect(try head { $0.removeLast() } == nil)
    #expect(try head { $0.append(0) } == nil)
  }

  @Test func `A header with a length beyond the limit of its kind is invalid`() throws {
    for kind in FrameHeader.Kind.allCases {
      let job: UInt64 = kind == .greeting ? 0 : 1
      #expect(FrameHeader(kind: kind, job: job, textLength: kind.longestText + 1, byteCount: 0) == nil)
      #expect(FrameHeader(kind: kind, job: job, textLength: 0, byteCount: kind.maxBytes + 1) == nil)
      #expect(FrameHeader(kind: kind, job: job, textLength: -1, byteCount: 0) == nil)
    }
    // Lengths that are negative as Int, or wrap round when they are added.
    #expect(try head { $0.replaceSubrange(16..<24, with: repeatElement(0xFF, count: 8)) } == nil)
    #expect(try head { $0.replaceSubrange(24..<32, with: repeatElement(0x7F, count: 8)) } == nil)
  }

  @Test func `Only a greeting has no job number`() {
    #expect(FrameHeader(kind: .greeting, job: 1, textLength: 0, byteCount: 0) == nil)
    #expect(FrameHeader(kind: .result, job: 0, textLength: 0, byteCount: 0) == nil)
  }

  @Test func `A body has the length that its header states`() throws {
    let frame = try #require(Frame(kind: .result, job: 7, text: [1, 2], bytes: [3]))
    #expect(frame.wire.count == FrameHeader.length + 3)
    #expect(Frame(header: frame.header, body: [1, 2, 3]) == frame)
    #expect(Frame(header: frame.header, body: [1, 2]) == nil)
    #expect(Frame(header: frame.header, body: [1, 2, 3, 4]) == nil)
  }

  @Test func `Any bytes are a header within its limits or invalid`() throws {
    var random = SeededGenerator(seed: 4)
    let good = try #require(FrameHeader(kind: .result, job: 7, textLength: 12, byteCount: 34)).bytes
    for round in 0..<20_000 {
      var bytes = good
      for _ in 0...random.below(4) { bytes[random.below(bytes.count)] = UInt8(random.below(256)) }
      guard let head = FrameHeader(bytes) else { continue }
      #expect(head.textLength <= head.kind.longestText, "seed 4, round \(round)")
      #expect(head.byteCount <= head.kind.maxBytes, "seed 4, round \(round)")
      #expect(head.bytes == bytes, "seed 4, round \(round)")
    }
  }
}
