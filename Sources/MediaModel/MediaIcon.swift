/// The icon that an app draws for a file without an image. The set of names is small and closed.
public enum MediaIcon: String, Codable, Sendable, CaseIterable {
  /// An image that cannot be displayed.
  case image
  /// A video without a poster frame.
  case video
  /// An audio file.
  case audio
  /// A contact card: vCard.
  case contact
  /// A calendar entry: iCalendar.
  case calendar
  /// A paged document: PDF, word processor file or e-book.
  case document
  /// A table: a workbook of an office program.
  case spreadsheet
  /// Slides of an office program.
  case presentation
  /// A plain text file.
  case text
  /// Several files in one, or compressed data, such as ZIP.
  case archive
  /// Any other file.
  case file
}
