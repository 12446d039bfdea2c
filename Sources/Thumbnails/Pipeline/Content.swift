internal import MediaModel

/// Who makes the pictures of a file. Pure.
enum Content: Equatable {
  /// A picture that is decoded.
  case picture
  /// A video: a frame of it.
  case video
  /// A sound: its cover, else its waveform.
  case sound
  /// A PDF document: its first page.
  case page
  /// A vCard: the photo in it.
  case contact
  /// No picture; an icon stands for it.
  case nothing

  init(_ info: MediaInfo) {
    self =
      switch info.kind {
      case .image where Loader(type: info.type) != nil: .picture
      case .video: .video
      case .audio where info.type.rawValue != "audio/midi": .sound
      case .document where info.type.rawValue == "application/pdf": .page
      case .contact: .contact
      default: .nothing
      }
  }
}
