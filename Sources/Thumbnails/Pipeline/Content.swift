internal import MediaModel

/// Who makes the images of a file. Pure.
enum Content: Equatable {
  /// An image that is decoded.
  case image
  /// A video: a frame of it.
  case video
  /// An audio file: its cover, else its waveform.
  case audio
  /// A PDF document: its first page.
  case page
  /// A vCard: the photo in it.
  case contact
  /// No image; an icon stands for it.
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
