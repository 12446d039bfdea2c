internal import MetadataStripping

/// Any bytes as a video: without metadata it is as long as before, and has none to lose.
@_cdecl("mediatool_fuzz_video")
public func fuzzVideo(_ bytes: UnsafePointer<UInt8>?, _ count: Int) {
  let file = [UInt8](UnsafeBufferPointer(start: bytes, count: count))
  guard let bare = VideoMetadataStripper.strip(file) else { return }
  guard bare.count == file.count, VideoMetadataStripper.strip(bare) == bare else {
    fatalError("not blanked once and for all")
  }
}
