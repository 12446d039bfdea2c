internal import FileSupport
internal import Foundation
internal import Testing

@testable internal import MediatoolCommand

@Suite("The order of texts and files") struct ComposeOrderTests {
  private func order(_ arguments: String..., texts: [String], files: [String]) -> [ComposeOrder.Item] {
    ComposeOrder(arguments, texts: texts, files: files.map { PathBytes($0) }).items
  }

  @Test func `The order of texts and files is that of the command line`() {
    #expect(
      order(
        "compose", "a.jpg", "--text", "one", "b.jpg", "--text=two", texts: ["one", "two"], files: ["a.jpg", "b.jpg"])
        == [.argument(0), .text("one"), .argument(1), .text("two")])
  }

  @Test func `A value that is named like a file is no file`() {
    #expect(
      order(
        "compose", "-o", "a.jpg", "--subject", "a.jpg", "--text", "a.jpg", "a.jpg", texts: ["a.jpg"], files: ["a.jpg"])
        == [.text("a.jpg"), .argument(0)])
  }

  /// An option that has a value and is not known for it would make a file of the value where one is called so.
  @Test func `Every option with a value is known`() throws {
    let golden = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Golden/help-compose.txt")
    let help = try String(contentsOf: golden, encoding: .utf8)
    let options = help.matches(of: #/^  (?:(-\w), )?(--[a-z-]+) </#.anchorsMatchLineEndings()).flatMap { match in
      [match.1, match.2].compactMap { $0.map(String.init) }
    }
    #expect(options.count > 6)
    #expect(Set(options).subtracting(["--text"]) == ComposeOrder.withValue)
  }

  @Test func `After two dashes every argument is a file`() {
    #expect(
      order("compose", "--text", "x", "--", "--text", "b", texts: ["x"], files: ["--text", "b"])
        == [.text("x"), .argument(0), .argument(1)])
  }

  @Test func `No argument is lost, whatever its form`() {
    #expect(order(texts: ["x", "y"], files: ["a"]) == [.text("x"), .text("y"), .argument(0)])
    #expect(order("compose", "a", "a", texts: [], files: ["a", "a"]) == [.argument(0), .argument(1)])
  }
}
