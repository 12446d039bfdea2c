internal import HummingbirdCore
internal import HummingbirdHTTP2
internal import Logging
internal import NIOCore
internal import NIOEmbedded
internal import RawHTTP
internal import TestSupport
internal import Testing

@testable internal import MediaServer

/// Connections with TLS whose client does not complete the handshake.
@Suite struct HandshakeTests {
  private let folder: TemporaryFolder
  private let certificate: Certificate
  private let registry = PrometheusRegistry()

  init() throws {
    folder = try TemporaryFolder()
    certificate = try Certificate(in: folder, name: "tls")
  }

  private var files: MediaServer.TLSFiles { .init(certificate: certificate.file, key: certificate.key) }

  /// The first bytes of a record of 512 bytes with a ClientHello (RFC 8446, sections 4.1.2 and 5.1).
  private static let halfHello: [UInt8] =
    [0x16, 3, 1, 2, 0] + [1, 0, 1, 0xFC, 3, 3] + [UInt8](repeating: 7, count: 100)

  @Test(arguments: [[], halfHello, Array("GET / HTTP/1.1\r\n\r\n".utf8)])
  func `A connection without a complete ClientHello ends at the deadline of a head, and not before`(
    sent: [UInt8]
  ) throws {
    var limits = MediaServer.ConnectionLimits()
    limits.headSeconds = 10
    let channel = EmbeddedChannel()
    let tls = TLSUpgradeChannel(
      certificate: try CertificateStore(files), http1: HTTP1Channel(responder: { _, _, _ in }),
      http2: HTTP2Channel(responder: { _, _, _ in }), limits: limits, report: ServerReport(registry))
    _ = try tls.setup(channel: channel, logger: Logger(label: "tests") { _ in SwiftLogNoOpLogHandler() }).wait()
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    channel.embeddedEventLoop.advanceTime(by: .milliseconds(9_000))
    #expect(channel.isActive)
    // Bytes give it no more time. What is no TLS at all may end it at once.
    if !sent.isEmpty { _ = try? channel.writeInbound(ByteBuffer(bytes: sent)) }
    channel.embeddedEventLoop.advanceTime(by: .milliseconds(999))
    if sent.isEmpty || sent == Self.halfHello { #expect(channel.isActive) }
    channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))
    #expect(!channel.isActive)
    _ = try? channel.finish(acceptAlreadyClosed: true)
  }

  @Test func `Silent connections and dripped handshakes end, and are counted as cut`() async throws {
    try await TestServer.start(configure: {
      ($0.tls, $0.metrics, $0.connections.headSeconds) = (files, registry, 0.3)
    }) { server in
      let silent = try await server.connect()
      #expect(try await silent.waitForEnd() == .closed)
      // More than a deadline for each of its bytes would let through.
      let dripped: [UInt8] = [0x16, 3, 1, 0x40, 0, 1, 0, 0x3F, 0xFC, 3, 3] + [UInt8](repeating: 7, count: 10_000)
      let dripping = try await server.connect()
      async let count = dripping.drip(dripped, pause: .milliseconds(10))
      _ = try await dripping.waitForEnd()
      #expect(try await count < dripped.count)
      #expect(registry.text().contains("mediatool_connections_cut_total{reason=\"handshake\"} 2\n"))
    }
  }

  @Test func `A connection before its handshake counts for the limit, and frees its place when it ends`() async throws {
    try await TestServer.start(configure: {
      ($0.tls, $0.metrics, $0.connections.count) = (files, registry, 2)
    }) { server in
      var connections: [RawConnection] = []
      for _ in 0..<3 { connections.append(try await server.connect()) }
      // Loops of their own admit them, so any of the three may be the one beyond the limit.
      try await withThrowingTaskGroup(of: Void.self) { group in
        for connection in connections { group.addTask { _ = try await connection.waitForEnd() } }
        _ = try await group.next()
        #expect(registry.text().contains("mediatool_connections_cut_total{reason=\"connection\"} 1\n"))
        for connection in connections { connection.close() }
        try await group.waitForAll()
      }
      // Their places are free as soon as the server has seen their ends.
      var serial = ""
      while serial.isEmpty { serial = (try? await Certificate.serial(port: server.port)) ?? "" }
      #expect(serial == certificate.serial)
    }
  }
}
