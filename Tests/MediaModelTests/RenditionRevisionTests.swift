internal import Testing

@testable internal import MediaModel

@Suite struct RenditionRevisionTests {
  @Test("A version of an engine without a revision is the first revision")
  func aVersionWithoutARevisionIsTheFirst() {
    #expect(RenditionRevision.of(engine: "libvips 8.14.1, libmagic 5.44") == 1)
    #expect(RenditionRevision.of(engine: "renditions 7, libvips 8.14.1, libmagic 5.44") == 7)
    #expect(RenditionRevision.isOutdated(engine: "libvips 8.14.1, libmagic 5.44"))
    #expect(!RenditionRevision.isOutdated(engine: "renditions \(RenditionRevision.current), libvips 8.14.1"))
  }

  @Test("Renditions of other programs are never outdated")
  func renditionsOfOtherProgramsAreNeverOutdated() {
    for version in ["", "sharp 0.33", "my renditions 1", "renditions one"] {
      #expect(RenditionRevision.of(engine: version) == nil)
      #expect(!RenditionRevision.isOutdated(engine: version))
    }
  }
}
