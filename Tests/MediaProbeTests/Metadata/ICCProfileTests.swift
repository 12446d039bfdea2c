internal import MediaModel
internal import Testing

@testable internal import MediaProbe

@Suite struct ICCProfileTests {
  /// A profile with the given tags behind its header of 128 bytes.
  static func profile(_ tags: [(name: String, data: [UInt8])], count: Int? = nil) -> [UInt8] {
    var head = [UInt8](repeating: 0, count: 128)
    head.replaceSubrange(36..<40, with: ascii("acsp"))
    var table = be32(count ?? tags.count)
    var data: [UInt8] = []
    for tag in tags {
      table += joined(ascii(tag.name), be32(132 + 12 * tags.count + data.count), be32(tag.data.count))
      data += tag.data
    }
    return head + table + data
  }

  static func description2(_ text: String) -> [UInt8] {
    joined(ascii("desc"), be32(0), be32(text.utf8.count + 1), ascii(text), [0])
  }

  static func description4(_ texts: [(language: String, text: String)]) -> [UInt8] {
    var records: [UInt8] = []
    var data: [UInt8] = []
    for (language, text) in texts {
      let units = text.utf16.flatMap { be16(Int($0)) }
      records += joined(ascii(language), ascii("XX"), be32(units.count), be32(16 + 12 * texts.count + data.count))
      data += units
    }
    return joined(ascii("mluc"), be32(0), be32(texts.count), be32(12), records, data)
  }

  @Test func `Both forms of description are read`() {
    #expect(
      ICCProfile(ByteReader(Self.profile([("desc", Self.description2("sRGB IEC61966-2.1"))])))?.description
        == "sRGB IEC61966-2.1")
    let texts = [("de", "Anzeige P3"), ("en", "Display P3")]
    #expect(ICCProfile(ByteReader(Self.profile([("desc", Self.description4(texts))])))?.description == "Display P3")
    #expect(
      ICCProfile(ByteReader(Self.profile([("desc", Self.description4([("fr", "Écran")]))])))?.description == "Écran")
  }

  @Test func `The HDR transfer function is read`() {
    for (code, wanted) in [(16, MediaInfo.HDR.pq), (18, .hlg), (13, nil)] as [(UInt8, MediaInfo.HDR?)] {
      let tag = joined(ascii("cicp"), be32(0), [9, code, 0, 1])
      #expect(ICCProfile(ByteReader(Self.profile([("cicp", tag)])))?.hdr == wanted)
    }
    for (code, wanted) in [(1, .bt709), (9, .bt2020), (12, .p3), (5, nil)] as [(UInt8, MediaInfo.ColorPrimaries?)] {
      let tag = joined(ascii("cicp"), be32(0), [code, 16, 0, 1])
      #expect(ICCProfile(ByteReader(Self.profile([("cicp", tag)])))?.primaries == wanted)
    }
  }

  @Test func `Inconsistent profiles have no description`() {
    #expect(ICCProfile(ByteReader([])) == nil)
    #expect(ICCProfile(ByteReader(Array(repeating: 0, count: 200))) == nil)
    #expect(ICCProfile(ByteReader(Self.profile([], count: 0x7FFF_FFFF)))?.description == nil)
    let outside = joined(
      ascii("mluc"), be32(0), be32(0xFFFF_FFFF), be32(0xFFFF_FFFF), ascii("enUS"), be32(-1), be32(-1))
    #expect(ICCProfile(ByteReader(Self.profile([("desc", outside)])))?.description == nil)
  }
}
