internal import MediaModel

/// Audio files and videos that a page can play because it contains them.
enum PlayableMedia {
  /// Maximum size: 1 MiB, the limit of most carriers, so that media from messages play.
  static let maxBytes = 1_048_576

  /// Whether a page can play it: small enough, and of a type that all browsers support.
  static func isPlayed(_ info: MediaInfo) -> Bool {
    info.bytes <= maxBytes && info.error == nil && types.contains(info.type.rawValue)
      && info.videoCodec.map(codecs.contains) != false
  }

  /// The file as a `data:` URL; nil if it is empty.
  static func address(of bytes: some Collection<UInt8>, info: MediaInfo) -> String? {
    bytes.isEmpty ? nil : DataAddress.of(bytes, type: info.type)
  }

  private static let types: Set<String> = [
    "video/mp4", "video/webm", "audio/mpeg", "audio/mp4", "audio/aac", "audio/ogg", "audio/wav", "audio/flac",
    "audio/webm",
  ]
  private static let codecs: Set<String> = ["h264", "vp8", "vp9", "av1"]
}
