import MediaModel
import MetadataStripping
import TestSupport
import Testing

/// The examples of the page of MetadataStripping.
@Suite struct MetadataStrippingExamples {
  @Test(arguments: [(MediaType("video/mp4"), true), (.jpeg, false)])
  func strippingAFile(type: MediaType, isStripped: Bool) throws {
    let file = try Fixture.bytes("camera-roll/VID_0008.mp4")

    let stripped: [UInt8]?
    switch type.kind {
    case .image: stripped = ImageMetadataStripper.strip(file, type: type)
    case .video, .audio: stripped = VideoMetadataStripper.strip(file)
    default: stripped = nil
    }
    if let stripped {
      print(stripped == file ? "nothing to remove" : "removed metadata, \(stripped.count) bytes")
    } else {
      print("\(type) has to be encoded again")
    }

    #expect((stripped != nil) == isStripped)
    #expect(stripped != file)
  }
}
