internal import Testing

@testable internal import Messaging

/// The search for links is linear in any text: twice the text is twice the work, and no byte is looked at a hundred times.
@Suite struct LinkWorkTests {
  @Test(
    "Hostile texts take linear time",
    arguments: [
      "((((", "1.1.1.1.", "(1", " 1111111111111111111111111111a", " +1---2---a", "a@b@", "a.xn--", "http://", "a.b-",
      "+1(",
      "1 1 1-1x", "http://a.de/((((", "www.a.de,", "a.zz/b,", "@a.b", "a@a.a1.", "%%%%", "é", ",,,,", "http://a.de/?!",
    ])
  func linear(piece: String) {
    func work(_ times: Int) -> Int {
      var work = 0
      _ = LinkDetector().links(in: String(repeating: piece, count: times), work: &work)
      return work
    }
    let small = 65_536 / piece.utf8.count
    let once = work(small)
    #expect(once <= 40 * small * piece.utf8.count)
    #expect(work(2 * small) <= 2 * once + 4_096)
  }
}
