internal import MediaModel
internal import MetadataStripping

private let types = [
  "image/jpeg", "image/png", "image/gif", "audio/wav", "audio/mpeg", "audio/aac", "audio/amr", "audio/flac",
  "audio/ogg",
  "audio/midi", "application/pdf", "text/vcard", "text/calendar",
].map(MediaType.init(_:))

/// Any bytes as a file of each type that can be stripped, except videos: a stripped file has nothing left to strip.
@_cdecl("mediatool_fuzz_strip")
public func fuzzStrip(_ bytes: UnsafePointer<UInt8>?, _ count: Int) {
  let file = [UInt8](UnsafeBufferPointer(start: bytes, count: count))
  for type in types {
    guard let stripped = MetadataStripper.strip(file, type: type) else { continue }
    guard MetadataStripper.strip(stripped, type: type) == stripped else {
      fatalError("\(type) is not stripped once and for all")
    }
  }
}
