internal import MediaModel
@_spi(Fuzzing) internal import MetadataStripping

private let types = [
  "image/jpeg", "image/png", "image/gif", "audio/wav", "audio/mpeg", "audio/aac", "audio/amr", "audio/flac",
  "audio/ogg",
  "audio/midi", "application/pdf", "text/vcard", "text/calendar",
].map(MediaType.init(_:))

/// Types whose images keep their appearance only if they are stripped by the second function.
private let images = [
  "image/jpeg", "image/png", "image/webp", "image/tiff", "image/heic", "image/avif", "image/jxl",
].map(MediaType.init(_:))

/// Any bytes as a file of each type that can be stripped, except videos: a stripped file has nothing left to strip. Images also as the service delivers them.
@_cdecl("mediatool_fuzz_strip")
public func fuzzStrip(_ bytes: UnsafePointer<UInt8>?, _ count: Int) {
  let file = [UInt8](UnsafeBufferPointer(start: bytes, count: count))
  for type in types {
    guard let stripped = MetadataStripper.strip(file, type: type) else { continue }
    guard MetadataStripper.strip(stripped, type: type) == stripped else {
      fatalError("\(type) is not stripped once and for all")
    }
  }
  for type in images {
    for orientation in [nil, MediaInfo.Orientation.right] {
      guard let stripped = StrippingFuzzing.strip(file, type: type, orientation: orientation) else { continue }
      guard StrippingFuzzing.strip(stripped, type: type, orientation: orientation) == stripped else {
        fatalError("\(type) is not stripped once and for all")
      }
    }
  }
}
