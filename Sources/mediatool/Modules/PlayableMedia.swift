internal import MediaModel

/// Audio files and videos that a page plays by itself, because they are in it.
enum PlayableMedia {
  /// The largest that is put into a page: 1 MiB, the limit of most operators, so that what travels in messages plays.
  static let maxBytes = 1_048_576

  /// Whether a page is to hold it: no larger, and of a type that browsers have in common.
  static func isPlayed(_ info: MediaInfo) -> Bool {
    info.bytes <= maxBytes && info.error == nil && types.contains(info.type.rawValue)
      && info.videoCodec.map(codecs.contains) != false
  }

  /// The file itself as an address; nil for one that is empty.
  static func address(of bytes: some Collection<UInt8>, info: MediaInfo) -> String? {
    bytes.isEmpty ? nil : DataAddress.of(bytes, type: info.type)
  }

  private static let types: Set<String> = [
    "video/mp4", "video/webm", "audio/mpeg", "audio/mp4", "audio/aac", "audio/ogg", "audio/wav", "audio/flac",
    "audio/webm",
  ]
  private static let codecs: Set<String> = ["h264", "vp8", "vp9", "av1"]
}
