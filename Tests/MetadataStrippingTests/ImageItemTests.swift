internal import MediaModel
internal import MetadataStripping
internal import Testing

@Suite("Items and groups of HEIC and AVIF") struct ImageItemTests {
  private func strip(_ file: [UInt8]) -> [UInt8]? {
    MetadataStripper.stripKeepingAppearance(file, type: .heic, orientation: nil)
  }

  @Test("65,536 extents are the maximum of all items together") func extents() {
    var image = SyntheticImage(items: [(1, "hvc1"), (2, "mime"), (3, "mime")])
    image.extents = 32_767
    #expect(strip(image.bytes) != nil)
    image.extents = 32_768
    #expect(strip(image.bytes) == nil)
  }

  @Test("groups stay if they are ids and nothing else, and are of a known type") func groups() {
    func group(_ type: String, _ rest: [UInt8]) -> [UInt8] {
      SyntheticImage.box(type, version: 0, [0, 0, 0, 9, 0, 0, 0, 1, 0, 0, 0, 1] + rest)
    }
    func image(_ groups: [UInt8]) -> [UInt8] { SyntheticImage(items: [(1, "hvc1")], groups: groups).bytes }
    let secret = Array("secretly".utf8)
    let known = image(group("altr", []) + group("ster", []))
    #expect(strip(known) == known)
    for hidden in [group("altr", secret), group("albc", []), group("albc", secret)] {
      let padding = SyntheticImage.box("free", [UInt8](repeating: 0, count: hidden.count - 8))
      #expect(strip(image(hidden)) == image(padding))
    }
  }
}
