import ISOBaseMedia
import TestSupport
import Testing

/// The examples of the page of ISOBaseMedia.
@Suite struct ISOBaseMediaExamples {
  @Test func `A duration is found`() throws {
    let file = try Fixture.bytes("camera-roll/VID_0008.mp4")

    let source = Box.MemorySource(file)
    if let movie = BoxReader(source, 0..<source.count).first(["moov", "mvhd"]) {
      var fields = Box.Cursor(source, movie.body)
      let version = fields.fullBox()?.version ?? 0
      fields.skip(version == 1 ? 16 : 8)
      if let scale = fields.unsigned(4), scale > 0, let ticks = fields.unsigned(version == 1 ? 8 : 4) {
        print("\(Double(ticks) / Double(scale)) s")
      }
    }

    #expect(BoxReader(source, 0..<source.count).first(["moov", "mvhd"]) != nil)
  }
}
