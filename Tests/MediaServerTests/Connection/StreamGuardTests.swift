internal import HTTPTypes
internal import HummingbirdCore
internal import Metrics
internal import NIOCore
internal import NIOEmbedded
internal import NIOHPACK
internal import NIOHTTP2
internal import NIOHTTPTypes
internal import NIOHTTPTypesHTTP2
internal import Testing

@testable internal import MediaServer

/// The guards of streams of HTTP/2, between two embedded channels, in virtual time.
@Suite struct StreamGuardTests {
  /// A server whose streams have our guards and a handler, and a client that sends and reads frames one by one, so that no window opens by itself.
  private final class Connection {
    let server = EmbeddedChannel()
    let client = EmbeddedChannel()
    private var frames: [HTTP2Frame] = []

    init(_ limits: MediaServer.ConnectionLimits, answer: @escaping @Sendable (HTTPRequest) -> HTTPResponse, body: Int)
      throws
    {
      _ = try server.configureHTTP2Pipeline(
        mode: .server, connectionConfiguration: .init(), streamConfiguration: .init()
      ) { stream in
        stream.eventLoop.makeCompletedFuture {
          try stream.pipeline.syncOperations.addHandler(HTTP2FramePayloadToHTTPServerCodec())
          try stream.pipeline.syncOperations.addHandlers(
            HTTP1Channel.Configuration.guards(
              limits, isStream: true, report: ServerReport(NOOPMetricsHandler.instance)))
          try stream.pipeline.syncOperations.addHandler(Answering(answer: answer, body: body))
        }
      }.wait()
      try client.pipeline.syncOperations.addHandler(NIOHTTP2Handler(mode: .client))
      try server.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
      try client.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 2)).wait()
      try exchange()
    }

    /// Passes bytes on until neither side has more.
    func exchange() throws {
      while true {
        client.embeddedEventLoop.run()
        server.embeddedEventLoop.run()
        var isQuiet = true
        while let bytes = try client.readOutbound(as: ByteBuffer.self) {
          isQuiet = false
          try server.writeInbound(bytes)
        }
        while let bytes = try server.readOutbound(as: ByteBuffer.self) {
          isQuiet = false
          try client.writeInbound(bytes)
        }
        if isQuiet { break }
      }
      while let frame = try client.readInbound(as: HTTP2Frame.self) { frames.append(frame) }
    }

    func send(_ payload: HTTP2Frame.FramePayload, on stream: HTTP2StreamID) throws {
      try client.writeOutbound(HTTP2Frame(streamID: stream, payload: payload))
      try exchange()
    }

    func request(_ method: String, on stream: HTTP2StreamID, ends: Bool) throws {
      let head: HPACKHeaders = [":method": method, ":path": "/", ":scheme": "https", ":authority": "localhost"]
      try send(.headers(.init(headers: head, endStream: ends)), on: stream)
    }

    /// Opens the windows of a stream and of the connection.
    func open(_ bytes: Int, on stream: HTTP2StreamID) throws {
      try send(.windowUpdate(windowSizeIncrement: bytes), on: .rootStream)
      try send(.windowUpdate(windowSizeIncrement: bytes), on: stream)
    }

    func advance(_ seconds: Int64) throws {
      server.embeddedEventLoop.advanceTime(by: .seconds(seconds))
      try exchange()
    }

    /// What has arrived on a stream, in words.
    func arrived(on stream: HTTP2StreamID) -> [String] {
      frames.filter { $0.streamID == stream }.compactMap { frame in
        switch frame.payload {
        case .headers(let headers): "status \(headers.headers.first(name: ":status") ?? "-")"
        case .data(let data): data.endStream ? "end" : nil
        case .rstStream(let code): code == .noError ? "reset without error" : code == .cancel ? "cancelled" : "\(code)"
        default: nil
        }
      }
    }

    /// Bytes of bodies that have arrived on a stream.
    func bytes(on stream: HTTP2StreamID) -> Int {
      frames.filter { $0.streamID == stream }.reduce(0) { sum, frame in
        if case .data(let data) = frame.payload { sum + data.data.readableBytes } else { sum }
      }
    }
  }

  /// Answers a head at once, with a body of so many bytes.
  private final class Answering: ChannelInboundHandler {
    typealias InboundIn = HTTPRequestPart
    typealias OutboundOut = HTTPResponsePart

    private let answer: @Sendable (HTTPRequest) -> HTTPResponse
    private let body: Int

    init(answer: @escaping @Sendable (HTTPRequest) -> HTTPResponse, body: Int) {
      (self.answer, self.body) = (answer, body)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      guard case .head(let head) = unwrapInboundIn(data) else { return }
      context.write(wrapOutboundOut(.head(answer(head))), promise: nil)
      if body > 0 { context.write(wrapOutboundOut(.body(ByteBuffer(repeating: 7, count: body))), promise: nil) }
      context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {}
  }

  private var limits: MediaServer.ConnectionLimits {
    var limits = MediaServer.ConnectionLimits()
    (limits.writeRate, limits.writeWindowSeconds) = (1_000, 10)
    return limits
  }

  @Test func `A stream whose window stays closed ends at the write deadline, and the connection goes on`() throws {
    let connection = try Connection(limits, answer: { _ in HTTPResponse(status: .ok) }, body: 1_000_000)
    try connection.request("GET", on: 1, ends: true)
    #expect(connection.bytes(on: 1) == 65_535)
    // In the first window the answer has begun.
    try connection.advance(10)
    #expect(connection.arrived(on: 1) == ["status 200"])
    try connection.advance(10)
    #expect(connection.arrived(on: 1) == ["status 200", "cancelled"])
    #expect(connection.server.isActive)
    try connection.request("HEAD", on: 3, ends: true)
    #expect(connection.arrived(on: 3).first == "status 200")
  }

  @Test func `A stream whose window opens at the rate is sent whole, however long it takes`() throws {
    let connection = try Connection(limits, answer: { _ in HTTPResponse(status: .ok) }, body: 1_000_000)
    try connection.request("GET", on: 1, ends: true)
    for _ in 0..<94 {
      try connection.advance(10)
      try connection.open(10_000, on: 1)
    }
    #expect(connection.bytes(on: 1) == 1_000_000)
    #expect(connection.arrived(on: 1) == ["status 200", "end"])
  }

  @Test func `An answer that is complete before the body of its request ends the stream without an error`() throws {
    let connection = try Connection(limits, answer: { _ in HTTPResponse(status: .contentTooLarge) }, body: 100)
    try connection.request("POST", on: 1, ends: false)
    #expect(connection.arrived(on: 1) == ["status 413", "end", "reset without error"])
    // What was on its way is dropped.
    #expect(connection.server.isActive)
    try connection.request("POST", on: 3, ends: true)
    #expect(connection.arrived(on: 3) == ["status 413", "end"])
  }
}
