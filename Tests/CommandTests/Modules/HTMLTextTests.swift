internal import Testing

@testable internal import MediatoolCommand

/// Untrusted texts in a page.
@Suite struct HTMLTextTests {
  @Test(
    "Only addresses that open a page, dial, write or show a location are links",
    arguments: [
      "javascript:alert(1)", "JAVASCRIPT:alert(1)", " javascript:alert(1)", "java\tscript:alert(1)", "data:text/html,x",
      "vbscript:x", "file:///etc/passwd", "rtsp://a.de/x", "//a.de", "a.de", "", ":", "http", "http://a.de/\u{202E}",
      "http://a.de/ x", "ht\ntp://a.de", "blob:x",
    ])
  func otherAddresses(address: String) { #expect(HTMLText.address(address) == nil) }

  @Test("Safe addresses stay links, and cannot leave their attribute") func addresses() {
    for address in ["http://a.de", "HTTPS://a.de/?b", "mailto:a@b.de", "tel:+1555", "geo:1,2"] {
      #expect(HTMLText.address(address) == address)
    }
    #expect(HTMLText.address("http://a.de/'\"><script>&") == "http://a.de/&#39;&quot;&gt;&lt;script&gt;&amp;")
  }

  @Test("A message's text keeps its lines, emoji and directions, and nothing that is markup or reverses letters")
  func prose() {
    #expect(HTMLText.prose("a\r\nb\tc\n<b>&\"'") == "a\nb\tc\n&lt;b&gt;&amp;&quot;&#39;")
    #expect(HTMLText.prose("👨‍👩‍👧 🏴󠁧󠁢󠁥󠁮󠁧󠁿 \u{200F}שלום\u{2067}x\u{2069}") == "👨‍👩‍👧 🏴󠁧󠁢󠁥󠁮󠁧󠁿 \u{200F}שלום\u{2067}x\u{2069}")
    #expect(HTMLText.prose("a\u{202E}b\u{0}\u{1B}[31m\u{9B}") == "a\u{FFFD}b\u{FFFD}\u{FFFD}[31m\u{FFFD}")
  }
}
