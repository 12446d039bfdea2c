internal import MediaModel

/// What the outer structure of a container states without a demuxer: truncation, and the duration of a fragmented
/// movie.
///
/// libav reads whatever is there without an error. The sizes of boxes and chunks show whether data is missing.
struct ContainerStructure {
  var failure: MediaFailure?
  /// Duration in seconds, where the demuxer would only guess.
  var duration: Double?
  /// False if the damage is one that a demuxer does not survive.
  var isReadable = true

  init(of type: MediaType, _ input: borrowing MediaInput, _ reader: ByteReader) {
    switch Demuxers.name(for: type, reader) {
    case "mov":
      let boxes = BoxStructure(input)
      failure = boxes.failure
      // Truncated between the movie box and the media data.
      if !boxes.hasSamples, !FragmentedMovie.isAnnounced(boxes, reader) { failure = .endsEarly }
      duration = FragmentedMovie.duration(boxes, reader)
      if !FragmentedMovie.isReadable(boxes, reader) {
        isReadable = false
        failure = MediaFailure(.corrupt, "The container is damaged: its structure is inconsistent.")
      }
    case "matroska":
      let segment = MatroskaStructure(reader)
      failure = segment.isCut ? .endsEarly : nil
      duration = segment.duration
    case "wav", "avi": failure = Self.isRIFFCut(reader) ? .endsEarly : nil
    case "aiff": failure = Self.isIFFCut(reader) ? .endsEarly : nil
    case "asf": failure = Self.isASFCut(reader) ? .endsEarly : nil
    case "mp3": failure = (ID3Tag.end(reader, at: 0) ?? 0) > reader.count ? .endsEarly : nil
    default: break
    }
  }

  /// Checks the chunks of RIFF.
  ///
  /// A size of 0 or all ones occurs in unfinished or streamed recordings and is no damage. RF64 writes all ones and
  /// stores the size elsewhere.
  private static func isRIFFCut(_ reader: ByteReader) -> Bool {
    var offset = 12
    for _ in 0..<1_024 where offset + 8 <= reader.count {
      guard let size = reader.u32le(offset + 4), size != .max else { return false }
      // Other chunks may be followed by junk that is no chunk; these two hold the content.
      let isContent =
        reader.has("data", at: offset) || (reader.has("LIST", at: offset) && reader.has("movi", at: offset + 8))
      if isContent {
        return size != 0 && Int(size) > reader.count - offset - 8
      }
      offset += 8 + Int(size) + Int(size & 1)
    }
    // The file ends within the header. It is truncated if the header announces more.
    guard let size = reader.u32le(4) else { return true }
    return size != 0 && size != .max && Int(size) > reader.count
  }

  /// Checks the SSND chunk of AIFF.
  private static func isIFFCut(_ reader: ByteReader) -> Bool {
    var offset = 12
    for _ in 0..<1_024 where offset + 8 <= reader.count {
      guard let size = reader.u32be(offset + 4) else { return false }
      if reader.has("SSND", at: offset) { return size != .max && Int(size) > reader.count - offset - 8 }
      offset += 8 + Int(size) + Int(size & 1)
    }
    return reader.u32be(4).map { Int($0) > reader.count } ?? true
  }

  /// Checks the Data Object that follows the Header Object (ASF Specification, 5.1). A size of 0 is a broadcast.
  private static func isASFCut(_ reader: ByteReader) -> Bool {
    guard let header = reader.u64le(16), header < UInt64(reader.count) else { return true }
    let data = Int(header)
    guard reader.u64be(data) == 0x3626_B275_8E66_CF11, let size = reader.u64le(data + 16) else {
      return data + 24 > reader.count
    }
    return size > UInt64(reader.count - data)
  }
}
