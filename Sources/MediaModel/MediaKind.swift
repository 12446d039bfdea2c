/// The kind of media. It decides what a message shows for a file and which limits apply.
public enum MediaKind: String, Codable, Sendable, CaseIterable {
  /// A still or animated image, including camera raw files and vector graphics.
  case image
  /// A video, with or without audio.
  case video
  /// Audio only. A cover image does not make it a video.
  case audio
  /// A paged document: PDF, office file or e-book.
  case document
  /// A vCard.
  case contact
  /// Text that a person can read: plain text, HTML, CSV, calendars, source code.
  case text
  /// An archive: a container of other files.
  case archive
  /// Any other file, including unrecognised ones.
  case other
}
