/// The image that an app draws of its own for a file without one: a small, fixed set of names.
public enum MediaIcon: String, Codable, Sendable, CaseIterable {
  /// An image that cannot be shown.
  case image
  /// A video without a poster.
  case video
  /// An audio file.
  case audio
  /// A person.
  case contact
  /// A date: iCalendar.
  case calendar
  /// Pages to read: PDF, word processors, e-books.
  case document
  /// Rows and columns.
  case spreadsheet
  /// Slides.
  case presentation
  /// Plain characters.
  case text
  /// A container of other files.
  case archive
  /// Anything else.
  case file
}
