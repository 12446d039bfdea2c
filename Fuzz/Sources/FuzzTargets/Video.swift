internal import MetadataStripping

/// Any bytes as a video: without metadata it is as long as before, and has none to lose.
@_cdecl("mediatool_fuzz_video")
public func fuzzVideo(_ bytes: UnsafePointer<UInt8>?, _ count: Int) {
  let file = [UInt8](UnsafeBufferPointer(start: bytes, count: count))
  guard let plain = VideoMetadataStripper.strip(file) else { return }
  guard plain.count == file.count, VideoMetadataStripper.strip(plain) == plain else {
    fatalError("not blanked once and for all")
  }
}
