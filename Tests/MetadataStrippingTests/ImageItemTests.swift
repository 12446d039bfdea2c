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
}
