/// The family a file belongs to: what a message shows for it and which limits apply.
public enum MediaKind: String, Codable, Sendable, CaseIterable {
  /// A still or animated image, camera raws and vector drawings included.
  case image
  /// Moving images, with or without audio.
  case video
  /// Audio alone; a cover image does not make it a video.
  case audio
  /// Pages: PDF, office files, e-books.
  case document
  /// A vCard.
  case contact
  /// Anything a person reads as plain characters: text, HTML, CSV, calendars, source code.
  case text
  /// A container of other files.
  case archive
  /// Recognised as none of the above, or not recognised at all.
  case other
}
