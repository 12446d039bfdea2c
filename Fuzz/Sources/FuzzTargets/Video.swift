internal import Messaging

/// Any bytes as a video: without metadata it is as long as before, and has none to lose.
@_cdecl("mediatool_fuzz_film")
public func fuzzVideo(_ bytes: UnsafePointer<UInt8>?, _ count: Int) {
  let file = [UInt8](UnsafeBufferPointer(start: bytes, count: count))
  guard let bare = VideoMetadataStripper.bytes(of: file) else { return }
  guard bare.count == file.count, VideoMetadataStripper.bytes(of: bare) == bare else {
    fatalError("not blanked once and for all")
  }
}
