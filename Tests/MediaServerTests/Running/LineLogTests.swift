internal import Logging
internal import Synchronization
internal import Testing

@testable internal import MediaServer

@Suite struct LineLogTests {
  @Test func `A value of several lines, or with control characters, stays in its line and in its field`() {
    #expect(
      Self.line(["detail": "\nforged\r\u{1B}[31m\u{85}"]).contains(#" detail="\u{a}forged\u{d}\u{1b}[31m\u{85}" "#))
    #expect(Self.line(["detail": "\u{2028}\u{202E}x"]).contains(#" detail="\u{2028}\u{202e}x" "#))
  }

  @Test func `A value with a space or a quotation mark passes for no other field`() {
    #expect(Self.line(["owner": "bob status=200"]).contains(#" owner="bob status=200" "#))
    #expect(Self.line(["owner": "bob\" key=\"a\\"]).contains(#" owner="bob\" key=\"a\\" "#))
    #expect(Self.line(["owner": "\"\u{308} key=a"]).contains("owner=\"\\\"\u{308} key=a\" "))
    #expect(Self.line(["owner": ""]).contains(#" owner="" "#))
  }

  @Test func `Other values are written as they are`() {
    #expect(
      Self.line(["route": "/v1/attachments/{id}", "status": "200"]).contains(
        ": route=/v1/attachments/{id} status=200 ["))
    #expect(Self.line(["owner": "søren"]).contains(" owner=søren "))
  }

  @Test func `A message of several lines is one line`() {
    #expect(Self.line([:], "one\ntwo").hasSuffix("] one\\u{a}two\n"))
  }

  @Test func `The metadata of a logger, its provider and a message are in the line`() {
    let lines = Lines()
    var logger = Logger(label: "test") { _ in
      var handler = LineLogHandler(StreamLogHandler(label: "test", stream: lines, metadataProvider: nil), level: .info)
      handler.metadataProvider = Logger.MetadataProvider { ["trace": "a b"] }
      return handler
    }
    logger[metadataKey: "request"] = "c d"
    logger.info("read", metadata: ["id": "e f"])
    #expect(lines.text.contains(#" id="e f" request="c d" trace="a b" "#))
    logger.debug("not written")
    #expect(!lines.text.contains("not written"))
  }

  /// What is written for a message.
  private static func line(_ metadata: Logger.Metadata, _ message: Logger.Message = "refused") -> String {
    let lines = Lines()
    let logger = Logger(label: "test") { _ in
      LineLogHandler(StreamLogHandler(label: "test", stream: lines, metadataProvider: nil), level: .info)
    }
    logger.info(message, metadata: metadata)
    return lines.text
  }

  /// Keeps what is written.
  private final class Lines: TextOutputStream, Sendable {
    private let kept = Mutex("")

    var text: String { kept.withLock { $0 } }

    func write(_ string: String) { kept.withLock { $0 += string } }
  }
}
