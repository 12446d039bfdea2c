internal import FileSupport
internal import MediaLibrary
internal import TestSupport
internal import Testing

@testable internal import MediaService

@Suite("Memory for bytes of uploads that are not written yet") struct UploadBufferTests {
  @Test("A few uploads have the largest buffers, thousands have the smallest, and together they stay in their bounds")
  func sizes() {
    let buffers = UploadBuffers(total: 8 << 20)
    var shares = (0..<1_000).map { _ in buffers.share() }
    #expect(shares[0].bytes == 262_144)
    #expect(shares[999].bytes == 16_384)
    #expect(zip(shares, shares.dropFirst()).allSatisfy { $0.bytes >= $1.bytes })
    #expect(buffers.takenBytes == shares.reduce(0) { $0 + $1.bytes })
    #expect(buffers.takenBytes <= 8 << 20 + 1_000 * 16_384)
    shares = []
    #expect(buffers.takenBytes == 0)
    #expect(buffers.share().bytes == 262_144)
  }

  @Test("An upload collects as many pieces as its buffer has room for, and gives the memory back with each write")
  func writes() async throws {
    let folder = try TemporaryFolder()
    let buffers = UploadBuffers(total: 16 * 32_768)
    var writer = PartWriter(
      try PartFile(at: PathBytes(folder.path("part"))), at: 0, digest: RunningDigest(), checksum: nil,
      syncing: PartWriter.Syncing(), threads: BlockingThreads(limit: 1), buffers: buffers)
    for isFull in [false, false, true] {
      writer.take([UInt8](repeating: 7, count: 10_000))
      #expect(writer.isFull == isFull)
      #expect(buffers.takenBytes == 32_768)
    }
    try await writer.write()
    #expect(!writer.isFull)
    #expect(buffers.takenBytes == 0)
    #expect(writer.written == 30_000)
    #expect(try writer.part.size() == 30_000)
    writer.take([1])
    #expect(buffers.takenBytes > 0)
    try await writer.discard(to: 0)
    #expect(buffers.takenBytes == 0)
    // A piece that is larger than any buffer counts as what it takes.
    writer.take([UInt8](repeating: 7, count: 1 << 20))
    #expect(buffers.takenBytes == 1 << 20)
    #expect(writer.isFull)
    try await writer.discard(to: 0)
    #expect(buffers.takenBytes == 0)
  }
}
