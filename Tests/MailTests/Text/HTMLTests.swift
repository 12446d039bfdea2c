internal import Mail
internal import Testing

@Suite struct HTMLTests {
  @Test(
    "HTML becomes its text",
    arguments: [
      ("<p>Hello  <b>you</b>\n there</p><p>Bye</p>", "Hello you there\n\nBye"), ("a<br>b<br><br>c", "a\nb\n\nc"),
      ("<div>a</div><div>b</div>", "a\nb"),
      ("<ul><li>a<li>b</ul>", "• a\n• b"), ("<script>alert('<p>x')</script>a", "a"),
      ("<style>p{}</style>a<!-- b --><!doctype html>c", "ac"),
      ("<title>t</title><body>a", "a"),
      ("a &lt;b&gt; &amp;amp; &eacute;&#8364;&#x20AC;&#128;&nbsp;&unknown; &", "a <b> &amp; é€€€\u{A0}&unknown; &"),
      ("<img alt=\"Logo &amp; more\" src=x> a", "Logo & more a"), ("1 < 2 <3", "1 < 2 <3"),
      ("<pre>a\n  b</pre>c", "a\n  b\n\nc"),
      ("<table><tr><td>a</td><td>b</td></tr><tr><td>c</table>", "a b\nc"), ("<script>never ends", ""),
      ("a<!-- never ends", "a"),
      ("<p title=\"a > b\">c", "c"), ("a&#0;b&#27;c", "a\u{FFFD}b c"),
    ])
  func htmlBecomesItsText(html: String, text: String) {
    #expect(MailText(html: html).text == text)
  }

  @Test("Links are ranges of the text") func linksAreRangesOfTheText() {
    let text = MailText(
      html:
        "é <a href='https://a.example/?x&amp;y'>one <b>two</b></a> <a href=mailto:b@c>b</a><a href=\"https://d.example\"></a>"
    )
    #expect(text.text == "é one two b")
    #expect(text.links.map(\.range) == [3..<10, 11..<12])
    #expect(text.links.map(\.target) == ["https://a.example/?x&y", "mailto:b@c"])
  }

  @Test(
    "Only addresses of known schemes are links",
    arguments: [
      "javascript:alert(1)", "java\nscript:x", "data:text/html,x", "file:///etc/passwd", "/relative", "",
      "&#106;avascript:x", "cid:x",
    ])
  func onlyAddressesOfKnownSchemesAreLinks(target: String) {
    let text = MailText(html: "<a href=\"\(target)\">x</a>")
    #expect(text.text == "x")
    #expect(text.links.isEmpty)
  }

  @Test func `The output has a limit`() {
    let text = MailText(html: String(repeating: "<a href=http://a>é</a> ", count: 1_000), maxOctets: 100)
    #expect(text.isTruncated)
    #expect(text.text.utf8.count <= 100)
    #expect(text.links.allSatisfy { $0.range.upperBound <= text.text.utf8.count })
  }
}
