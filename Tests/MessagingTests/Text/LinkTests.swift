internal import Messaging
internal import TestSupport
internal import Testing

/// Phone numbers, e-mail and web addresses in texts.
@Suite struct LinkTests {
  private func described(_ text: String) -> [String] {
    LinkDetector().links(in: text).map { "\($0.kind.rawValue) \($0.text)" }
  }

  @Test(
    "R-MMS-24: web addresses",
    arguments: [
      ("http://www.mozilla.org/", "http://www.mozilla.org/"),
      ("mzl.la", "mzl.la"), ("(mzl.la)", "mzl.la"), ("mzl.la.", "mzl.la"), ("mzl.la.:527", "mzl.la"),
      ("mzl.la/ac", "mzl.la/ac"), ("https://mozilla.org./blah", "https://mozilla.org./blah"),
      ("http://www.mozilla.org:8080/", "http://www.mozilla.org:8080/"), ("http://8.0.8.8/", "http://8.0.8.8/"),
      ("8.8.8.8", "8.8.8.8"), ("<br>mozilla.org", "mozilla.org"), ("OMG mozilla.org? it is cool!", "mozilla.org"),
      ("OMG mzl.la/huh; it is cool!", "mzl.la/huh"), ("(Check out mzl.la/ac)", "mzl.la/ac"),
      ("Check out mzl.la/ac, or not", "mzl.la/ac"), ("http://x.com", "http://x.com"),
      ("http://en.wikipedia.org/wiki/Arete_(disambiguation)", "http://en.wikipedia.org/wiki/Arete_(disambiguation)"),
      (
        "http://sani.tiz.ed.com/wap/3GPP%20MPEG4%20-%20176×144_7fps.3gp",
        "http://sani.tiz.ed.com/wap/3GPP%20MPEG4%20-%20176×144_7fps.3gp"
      ),
      ("http://somesite.com/q,12288296666/", "http://somesite.com/q,12288296666/"),
      ("RTSP://media.example/live", "RTSP://media.example/live"),
      ("http://whatever.photography", "http://whatever.photography"),
      ("xn--e1afmkfd.xn--p1ai", "xn--e1afmkfd.xn--p1ai"), ("请看mozilla.org谢谢", "mozilla.org"),
      ("<http://a.de/x>", "http://a.de/x"), ("\"http://a.de/x\"", "http://a.de/x"), ("Example.COM", "Example.COM"),
      ("http://a.de/x\u{3000}y", "http://a.de/x"), ("lake.film", "lake.film"), ("lake.pictures", "lake.pictures"),
    ])
  func webAddress(text: String, link: String) { #expect(described(text) == ["url \(link)"]) }

  @Test(
    "R-MMS-24: texts that are not web addresses",
    arguments: [
      "htt://www.mozilla.org", "http://www.a/b/d.com", "http://www.mozilla.o", "aaa...ccc", "http://user@mozilla.org",
      "http://[::1]/", "2.74", "21.72", "foo.zz", "foo.foo", "foo.quux", "999.1.1.1", ".example.com",
      "a\\b.com", "http://",
    ])
  func noWebAddress(text: String) { #expect(LinkDetector(kinds: [.url]).links(in: text).isEmpty) }

  @Test("R-MMS-24: a path has at most 2048 characters, a host at most 256")
  func lengths() {
    let path = "http://a.de/" + String(repeating: "é", count: 2048)
    #expect(described(path + "x") == ["url \(path)"])
    let host = String(repeating: "a", count: 253) + ".de"
    #expect(described(host) == ["url \(host)"])
    #expect(described("a" + host).isEmpty)
  }

  @Test(
    "No part of a name with non-ASCII letters is a link, because it would be another's address",
    arguments: [
      "bücher.de", "http://bücher.de/x", "http://www.straße.de/", "Grüße.de", "müller@web.de", "anna@weßel.de",
      "http://пример.com", "παράδειγμα.com", "café.com", "http://a.deé", "anna@web.deé", "http://tiếng.vn/",
    ])
  func otherLetters(text: String) { #expect(described(text).isEmpty) }

  @Test(
    "Non-ASCII signs, and letters of scripts without spaces, may precede or follow a link",
    arguments: ["«a.de»", "×a.de", "…a.de", "谢a.de谢", "です。a.deです", "🏖a.de🏖", "\u{A0}a.de\u{A0}", "한a.de", "“a.de”"])
  func otherSigns(text: String) { #expect(described(text) == ["url a.de"]) }

  @Test(
    "Names that are also file extensions need a scheme or a path",
    arguments: ["archive.zip", "README.md", "setup.py", "run.sh", "main.rs", "IMG_0001.MOV"])
  func fileNames(name: String) {
    #expect(described(name).isEmpty)
    #expect(described(name + "/x") == ["url \(name)/x"])
    #expect(described("http://" + name) == ["url http://\(name)"])
  }

  @Test(
    "Current top-level domains are recognised",
    arguments: ["web.app", "go.dev", "crates.io", "x.ai", "a.berlin", "b.uk"])
  func topLevelDomains(host: String) { #expect(described("see \(host)") == ["url \(host)"]) }

  @Test("R-MMS-24: a target has a scheme in lower case")
  func targets() {
    let links = LinkDetector().links(in: "Http://A.de/B b.de +49 (0) 30-123 456 j%x@b.de *")
    #expect(links.map(\.target) == ["http://A.de/B", "http://b.de", "+49030123456", "j%x@b.de"])
    #expect(links.map(\.uri) == ["http://A.de/B", "http://b.de", "tel:+49030123456", "mailto:j%25x@b.de"])
  }

  @Test(
    "R-MMS-23: e-mail addresses",
    arguments: [
      ("user@hostname.tld", "user@hostname.tld"), ("user+alias@hostname.tld", "user+alias@hostname.tld"),
      ("(e-mail user@cs.sub.tld)", "user@cs.sub.tld"), ("a_b%c@x.photography.", "a_b%c@x.photography"),
      ("joe.me@example.com", "joe.me@example.com"), ("x@y.de-z", "x@y.de"), ("mail:x@y.co.uk!", "x@y.co.uk"),
      ("x@y.com.2020", "x@y.com"), ("x@y.xn--p1ai", "x@y.xn--p1ai"),
    ])
  func email(text: String, link: String) { #expect(described(text) == ["email \(link)"]) }

  @Test(
    "R-MMS-23: texts that are not e-mail addresses",
    arguments: ["user@", "@hostname.tld", "a@b", "a@b.c", "a@b.com2", "a@.com"])
  func noEmail(text: String) { #expect(LinkDetector(kinds: [.email]).links(in: text).isEmpty) }

  @Test("R-MMS-23: an address to which no message can be sent is not a link")
  func longAddress() {
    let address = String(repeating: "a", count: 307) + "@b.de"
    #expect(described(address) == ["email \(address)"])
    #expect(described("a" + address).isEmpty)
  }

  @Test(
    "R-MMS-22: phone numbers",
    arguments: [
      ("0612345678", "0612345678"), ("+33612345678", "+33612345678"), ("+5511 98907-6047", "+5511 98907-6047"),
      ("Test1 600123123", "600123123"), ("600123123 1Test", "600123123"), ("24242", "24242"), ("+1234", "+1234"),
      ("(555) 123-4567", "(555) 123-4567"), ("call +1 (555) 123-4567.", "+1 (555) 123-4567"),
      ("打12345678吧", "12345678"), ("192.168.10.10", "192.168.10.10"),
    ])
  func phone(text: String, link: String) { #expect(described(text) == ["phone \(link)"]) }

  @Test(
    "R-MMS-22: texts that are not phone numbers",
    arguments: [
      "0.34", "1200", "5000", "0.122", "0921", "1-10-13", "12-3-13", "1-800-A", "1(234)5", "1234..5", "1 2 3 45",
      "1\t23\t45", "12+34", "x5551234567", "5551234x",
    ])
  func noPhone(text: String) { #expect(LinkDetector(kinds: [.phone]).links(in: text).isEmpty) }

  @Test("R-MMS-25: two numbers separated by a space are two links")
  func twoNumbers() {
    #expect(described("123456789 987654321") == ["phone 123456789", "phone 987654321"])
    #expect(described("222333\n333222") == ["phone 222333", "phone 333222"])
  }

  @Test("R-MMS-25: many links of all kinds in one text, each with its range in three units")
  func offsets() {
    let text = "😀é http://a.de/é, +18155551212 (j@b.tld)"
    let links = LinkDetector().links(in: text)
    #expect(links.map(\.kind) == [.url, .phone, .email])
    #expect(links.map(\.scalars) == [3..<16, 18..<30, 32..<39])
    #expect(links.map(\.utf16) == [4..<17, 19..<31, 33..<40])
    #expect(links.map(\.utf8) == [7..<21, 23..<35, 37..<44])
  }

  @Test(
    "R-MMS-25: in random texts, links are ordered, disjoint, and at their stated ranges",
    arguments: [1, 2, 3] as [UInt64])
  func randomTexts(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let pieces = [
      "http://", "a.de", "b@c.com", "+1 ", "555", "12345678", " ", "(", ")", ".", ",", "/", "é", "😀", "@", "-", "x.zip",
    ]
    for _ in 0..<2_000 {
      let text = (0..<random.below(20)).map { _ in pieces[random.below(pieces.count)] }.joined()
      var end = 0
      for link in LinkDetector().links(in: text) {
        #expect(link.scalars.lowerBound >= end, "seed \(seed): \(text)")
        end = link.scalars.upperBound
        let scalars = String(String.UnicodeScalarView(Array(text.unicodeScalars)[link.scalars]))
        #expect(scalars == link.text, "seed \(seed): \(text)")
        #expect(String(decoding: Array(text.utf16)[link.utf16], as: UTF16.self) == link.text, "seed \(seed): \(text)")
        #expect(String(decoding: Array(text.utf8)[link.utf8], as: UTF8.self) == link.text, "seed \(seed): \(text)")
        #expect(!link.target.isEmpty)
      }
    }
  }
}
