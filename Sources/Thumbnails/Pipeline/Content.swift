internal import MediaModel

/// Which renderer makes the images of a file. Pure.
enum Content: Equatable {
  /// An image to decode.
  case image
  /// A video: one of its frames.
  case video
  /// An audio file: its cover or else its waveform.
  case audio
  /// A PDF document: its first page.
  case page
  /// A vCard: its embedded photo.
  case contact
  /// No image; the result has an icon.
  case nothing

  init(_ info: MediaInfo) {
    self =
      switch info.kind {
      case .image where Loader(type: info.type) != nil: .image
      case .video: .video
      case .audio where info.type.rawValue != "audio/midi": .audio
      case .document where info.type.rawValue == "application/pdf": .page
      case .contact: .contact
      default: .nothing
      }
  }
}
