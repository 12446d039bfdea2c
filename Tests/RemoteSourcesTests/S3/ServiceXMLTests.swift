internal import Testing

@testable internal import RemoteSources

@Suite("Responses of S3 in XML") struct ServiceXMLTests {
  private func xml(_ text: String) -> ServiceXML { ServiceXML(Array(text.utf8)) }

  @Test("an element with elements gives their texts, and entities are resolved once") func parts() {
    let page = xml(
      "<A><Key>0</Key></A><Contents><Key>a&amp;lt;b</Key><ETag>&quot;1&quot;</ETag></Contents><Contents><Key>é</Key></Contents>"
    )
    let parts = page.parts("Contents")
    #expect(parts.map { $0.first("Key") } == ["a&lt;b", "é"])
    #expect(parts.map { $0.first("ETag") } == ["\"1\"", nil])
    #expect(page.all("Key") == ["0", "a&lt;b", "é"])
    #expect(page.first("Key") == "0")
  }

  @Test("names are compared whole, and an element without an end has no text") func names() {
    let page = xml("<Keys>1</Keys><Key a=\"1\">2</Key><Key>3</Ke")
    #expect(page.first("Key") == nil)
    #expect(page.all("Keys") == ["1"])
    #expect(page.has("Key"))
    #expect(!page.has("Ke"))
    #expect(xml("<Key ").has("Key"))
    #expect(xml("").parts("Key").isEmpty)
    #expect(xml("<").first("Key") == nil)
  }

  @Test("references to characters are resolved, and others stay") func references() {
    #expect(xml("<K>&#65;&#x42;&lt;&gt;&apos;&quot;&amp;</K>").first("K") == "AB<>'\"&")
    #expect(xml("<K>&#xD800;&other;& &#;</K>").first("K") == "&#xD800;&other;& &#;")
  }
}
