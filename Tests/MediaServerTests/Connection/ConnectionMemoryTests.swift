internal import MediaEngine
internal import NIOCore
internal import NIOEmbedded
internal import Testing

@testable internal import MediaServer

/// What connections have in memory, and what happens to it when they have gone.
@Suite struct ConnectionMemoryTests {
  @Test(arguments: [(0, 65_536), (1, 65_536), (128, 65_536), (256, 32_768), (1_000, 8_192), (10_000, 4_096)])
  func `The more connections are open, the smaller are the buffers into which they are read`(
    connections: Int, bytes: Int
  ) {
    #expect(ReceiveBuffers.limit(connections: connections) == bytes)
  }

  @Test func `The buffer of a connection grows with what arrives, up to the limit of all`() throws {
    let registry = ConnectionRegistry(limit: 1_000)
    let channels = (0..<256).map { _ in EmbeddedChannel() }
    for channel in channels { #expect(registry.admit(channel)) }
    var buffers = ReceiveBuffers(registry)
    var sizes: [Int] = []
    for _ in 0..<6 {
      let size = try #require(buffers.nextBufferSize())
      #expect(buffers.buffer(allocator: ByteBufferAllocator()).capacity == size)
      sizes.append(size)
      _ = buffers.record(actualReadBytes: size)
    }
    #expect(sizes == [2_048, 4_096, 8_192, 16_384, 32_768, 32_768])
    for channel in channels { _ = try channel.finish() }
    #expect(registry.count == 0)
  }

  @Test func `That half of many connections have gone is reported; that few have is not`() throws {
    let halved = Counted()
    let registry = ConnectionRegistry(limit: 1_000) { halved.add(1) }
    func open(_ count: Int) -> [EmbeddedChannel] {
      let channels = (0..<count).map { _ in EmbeddedChannel() }
      for channel in channels { #expect(registry.admit(channel)) }
      return channels
    }
    for channel in open(63) { _ = try channel.finish() }
    #expect(halved.sum == 0)
    let many = open(200)
    for channel in many[..<99] { _ = try channel.finish() }
    #expect(halved.sum == 0)
    _ = try many[99].finish()
    #expect(halved.sum == 1)
    for channel in many[100..<150] { _ = try channel.finish() }
    #expect(halved.sum == 2)
    for channel in many[150...] { _ = try channel.finish() }
    #expect(halved.sum == 2)
  }

  @Test func `Memory is given back after each delay`() async {
    let (calls, call) = AsyncStream<Void>.makeStream()
    let given = Counted()
    let memory = MemoryTrimmer(delays: [.zero, .zero]) {
      given.add(1)
      call.yield()
    }
    memory.giveBackSoon()
    var iterator = calls.makeAsyncIterator()
    _ = await iterator.next()
    _ = await iterator.next()
    #expect(given.sum == 2)
    // A later request is one of its own.
    memory.giveBackSoon()
    _ = await iterator.next()
    #expect(given.sum >= 3)
  }
}
