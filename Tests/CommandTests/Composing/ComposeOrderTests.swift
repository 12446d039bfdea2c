internal import Testing

@testable internal import MediatoolCommand

@Suite("The order of texts and files") struct ComposeOrderTests {
  private func order(_ arguments: String..., texts: [String], files: [String]) -> [ComposeOrder.Item] {
    ComposeOrder(arguments, texts: texts, files: files.map { RawPath($0) }).items
  }

  @Test func itIsThatOfTheCommandLine() {
    #expect(
      order(
        "compose", "a.jpg", "--text", "one", "b.jpg", "--text=two", texts: ["one", "two"], files: ["a.jpg", "b.jpg"])
        == [.file(0), .text("one"), .file(1), .text("two")])
  }

  @Test func aValueThatIsCalledLikeAFileIsNone() {
    #expect(
      order(
        "compose", "-o", "a.jpg", "--subject", "a.jpg", "--text", "a.jpg", "a.jpg", texts: ["a.jpg"], files: ["a.jpg"])
        == [.text("a.jpg"), .file(0)])
  }

  @Test func behindTwoDashesEverythingIsAFile() {
    #expect(
      order("compose", "--text", "x", "--", "--text", "b", texts: ["x"], files: ["--text", "b"])
        == [.text("x"), .file(0), .file(1)])
  }

  @Test func nothingIsLostHoweverItWasGiven() {
    #expect(order(texts: ["x", "y"], files: ["a"]) == [.text("x"), .text("y"), .file(0)])
    #expect(order("compose", "a", "a", texts: [], files: ["a", "a"]) == [.file(0), .file(1)])
  }
}
