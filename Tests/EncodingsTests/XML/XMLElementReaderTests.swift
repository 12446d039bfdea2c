internal import Encodings
internal import Testing

@Suite("Elements of a well-formed XML document") struct XMLElementReaderTests {
  /// Starts as `<name a=value>`, ends as `</>`; nil if the document is not well-formed.
  private func events(_ text: String) -> [String]? {
    var reader = XMLElementReader(Array(text.utf8))
    var events: [String] = []
    while let event = reader.next() {
      switch event {
      case .start(let name, let attributes):
        events.append("<" + ([name] + attributes.map { "\($0.name)=\($0.value)" }).joined(separator: " ") + ">")
      case .end: events.append("</>")
      }
    }
    return reader.isComplete ? events : nil
  }

  @Test("elements have their attributes in order, with references replaced and line ends as spaces") func elements() {
    #expect(
      events("<a b='1' c = \"2\"><d/>text &amp; &#65;<![CDATA[<&]]></a >")
        == ["<a b=1 c=2>", "<d>", "</>", "</>"])
    #expect(events("<a b='&lt;&gt;&amp;&quot;&apos;&#x41;&#9;'/>") == ["<a b=<>&\"'A\t>", "</>"])
    #expect(events("<a b='1\r\n2\n3\t4\r5'/>") == ["<a b=1 2 3 4 5>", "</>"])
    #expect(events("<!-- c --><!DOCTYPE a SYSTEM 'x'>\n<a/>\n<!-- c -->") == ["<a>", "</>"])
  }

  @Test("prefixes are declared, and declarations are not attributes") func namespaces() {
    #expect(events("<p:a xmlns:p='u' xmlns='v' p:b='1' xml:c='2'/>") == ["<p:a p:b=1 xml:c=2>", "</>"])
    #expect(events("<a><p:b xmlns:p='u'/><p:c/></a>") == nil)
    #expect(events("<p:a/>") == nil)
    #expect(events("<a p:b='1'/>") == nil)
    let many = (0...XMLElementReader.namespaceLimit).map { " xmlns:p\($0)='u'" }.joined()
    #expect(events("<a\(many)/>") == nil)
  }

  @Test(
    "a document that is not well-formed is refused",
    arguments: [
      "", " ", "text", "<a>", "<a></b>", "<a><b></a></b>", "</a>", "<a/><b/>", "<a/>text", "text<a/>", "<a/>&amp;",
      "<![CDATA[ ]]><a/>", "<a", "<a b>", "<a b=1/>", "<a b='1/>", "<a b='<'/>", "<a b='1'c='2'/>", "<a b='1' b='1'/>",
      "<a></a b='1'>", "<a>]]></a>", "<a><!-- b -- c --></a>", "<a><!-- b ---></a>", "<1a/>", "<-a/>", "<a:b:c/>",
      "<:a/>", "<a:/>", "<a$/>", "<a>\u{1}</a>", "<a>\0</a>", "<a/>\0",
    ])
  func malformed(text: String) {
    #expect(events(text) == nil)
  }

  @Test(
    "entities, declarations and processing instructions are refused",
    arguments: [
      "<a>&b;</a>", "<a>&</a>", "<a>&amp</a>", "<a b='&b;'/>", "<a>&#0;</a>", "<a>&#1;</a>", "<a>&#xD800;</a>",
      "<a>&#x110000;</a>", "<a>&#+65;</a>", "<a>&#;</a>", "<a>&#x;</a>", "<a>&#X41;</a>", "<a>&#x000000000000041;</a>",
      "<?b?><a/>", "<a><?b c?></a>", "<a/><?b?>", "<!DOCTYPE a []><a/>", "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>",
      "<!DOCTYPE a><!DOCTYPE a><a/>", "<a><!DOCTYPE a></a>", "<a/><!DOCTYPE a>", "<!DOCTYPEa><a/>",
      "<!ENTITY b 'c'><a/>", "<a><!ELEMENT b EMPTY></a>",
    ])
  func notInterpreted(text: String) {
    #expect(events(text) == nil)
  }

  @Test("a tag with more attributes than are read is refused") func attributeLimit() {
    let attributes = (0..<XMLScanner.attributeLimit).map { " a\($0)=''" }
    #expect(events("<a\(attributes.dropLast().joined())/>") != nil)
    #expect(events("<a\(attributes.joined())/>") == nil)
  }
}
