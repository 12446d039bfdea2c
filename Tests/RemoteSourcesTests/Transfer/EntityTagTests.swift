internal import MediaModel
internal import Testing

@testable internal import RemoteSources

@Suite("Entity tags") struct EntityTagTests {
  @Test(
    "strong and weak tags of a header are read, also empty ones",
    arguments: [("\"abc\"", false), ("W/\"abc\"", true), ("\"\"", false), ("W/\"\"", true), ("\"é!#~\"", false)])
  func header(text: String, isWeak: Bool) throws {
    let tag = try #require(EntityTag(text))
    #expect(tag.isWeak == isWeak)
    #expect(tag.text == text)
    #expect(EntityTag(requested: text) == tag)
  }

  @Test(
    "other texts are no tags", arguments: ["", "\"", "abc", "w/\"a\"", "W/abc", "\"a\"b\"", "\"a b\"", "\"a\r\nb\""])
  func invalid(text: String) { #expect(EntityTag(text) == nil) }

  @Test("a request may leave the quotes out, but not everything")
  func requested() {
    #expect(EntityTag(requested: "abc-3")?.text == "\"abc-3\"")
    for text in ["", "a b", "a\"b", "a\r\nX: y", "W/\"a"] { #expect(EntityTag(requested: text) == nil, "\(text)") }
  }

  @Test("only a strong tag is a condition of a request (RFC 9110, section 13.1.1)") func condition() {
    #expect(EntityTag("\"a\"").condition.map(\.value) == ["\"a\""])
    #expect(EntityTag("W/\"a\"").condition.isEmpty)
    let unknown: EntityTag? = nil
    #expect(unknown.condition.isEmpty)
  }

  @Test(
    "a response is compared by the opaque part, and needs a tag only where nothing else shows the version",
    arguments: [
      (nil, nil, nil), (nil, "\"a\"", nil), ("\"a\"", "\"a\"", nil), ("\"a\"", "W/\"a\"", nil),
      ("W/\"a\"", "\"a\"", nil), ("\"a\"", nil, nil), ("\"a\"", "\"b\"", "changed"), ("W/\"a\"", "W/\"b\"", "changed"),
      ("\"\"", "\"a\"", "changed"), ("W/\"a\"", nil, "badResponse"),
    ] as [(String?, String?, String?)])
  func comparison(known: String?, other: String?, code: String?) {
    var found: String?
    do throws(MediaFailure) {
      try known.flatMap { EntityTag($0) }.check(other.flatMap { EntityTag($0) })
    } catch {
      found = error.code.rawValue
    }
    #expect(found == code)
  }
}
