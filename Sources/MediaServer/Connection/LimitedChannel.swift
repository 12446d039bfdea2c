internal import HummingbirdCore
internal import Logging
internal import NIOCore

/// Connections with our guards below those of Hummingbird.
struct LimitedChannel<Base: ServerChildChannel>: ServerChildChannel {
  typealias Value = Base.Value

  let base: Base
  let limits: MediaServer.ConnectionLimits
  let registry: ConnectionRegistry
  let report: ServerReport
  let isEncrypted: Bool

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
    channel.eventLoop.makeCompletedFuture {
      // With one read at a time NIO keeps one buffer instead of four. A connection that has more to read is read again in its turn.
      try channel.syncOptions?.setOption(.maxMessagesPerRead, value: 1)
      try channel.syncOptions?.setOption(.recvAllocator, value: ReceiveBuffers(registry))
      if registry.admit(channel) {
        try channel.pipeline.syncOperations.addHandler(AnswerGuard(limits: limits, report: report))
      } else {
        report.cut(.connection)
        try channel.pipeline.syncOperations.addHandler(RefusedConnection(isReadable: !isEncrypted))
      }
    }.flatMap { base.setup(channel: channel, logger: logger) }
  }

  func handle(value: Value, logger: Logger) async { await base.handle(value: value, logger: logger) }
}

extension HTTP1Channel.Configuration {
  /// Hummingbird's settings of HTTP/1.1 connections and of HTTP/2 streams.
  init(
    _ limits: MediaServer.ConnectionLimits, isStream: Bool, report: ServerReport,
    hot: @escaping @Sendable () -> HotAnswerHandler
  ) {
    var decoder = DecoderConfiguration()
    decoder.maxHeaderListSize = limits.headBytes
    decoder.maxHeaderFieldSize = limits.headBytes
    decoder.maxHeaderFieldCount = limits.headFields
    self.init(httpDecoderConfiguration: decoder)
    additionalChannelHandlers = { Self.guards(limits, isStream: isStream, report: report) + [hot()] }
  }
  /// What guards the requests of a connection of HTTP/1.1, or a stream of HTTP/2.
  static func guards(
    _ limits: MediaServer.ConnectionLimits, isStream: Bool, report: ServerReport
  ) -> [any RemovableChannelHandler] {
    let requests = RequestGuard(limits: limits, isStream: isStream, report: report)
    return isStream
      ? [StreamAnswerGuard(limits: limits, report: report), requests] : [InterimAnswerGuard.Installer(), requests]
  }
}
