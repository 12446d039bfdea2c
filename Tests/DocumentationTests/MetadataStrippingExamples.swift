import MediaModel
import MetadataStripping
import TestSupport
import Testing

/// The examples of the page of MetadataStripping.
@Suite struct MetadataStrippingExamples {
  @Test(arguments: [(MediaType("video/mp4"), true), (.jpeg, false)])
  func `A file is stripped`(type: MediaType, isStripped: Bool) throws {
    let file = try Fixture.bytes("camera-roll/VID_0008.mp4")

    let stripped = MetadataStripper.strip(file, type: type)
    if let stripped {
      print(stripped == file ? "nothing to remove" : "removed metadata, \(stripped.count) bytes")
    } else {
      print("\(type) has to be re-encoded, or is not sent")
    }

    #expect((stripped != nil) == isStripped)
    #expect(stripped != file)
  }
}
