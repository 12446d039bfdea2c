internal import MediaModel

/// Icons of 24 × 24 in the color of the text, as SVG: a self-contained page has no icon font.
enum ModuleIcons {
  /// The icon for a file without an image.
  static func drawing(_ icon: MediaIcon) -> String {
    switch icon {
    case .image: line("M4 5h16v14H4zM4 16l4.5-4.5 4 4 3-3L20 16M15.5 9.5h.01")
    case .video: line("M3 6h12v12H3zM15 10.5l6-3.5v10l-6-3.5")
    case .audio:
      line("M9 18V6l11-2v12M9 18a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0zM20 16a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0z")
    case .contact: line("M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20c1-4 4-5.5 7.5-5.5s6.5 1.5 7.5 5.5")
    case .calendar: line("M4 6h16v14H4zM4 10.5h16M8.5 3.5v4M15.5 3.5v4")
    case .document: line("M6 3h8l4.5 4.5V21H6zM14 3v5h4.5M9 12.5h6M9 16.5h6")
    case .spreadsheet: line("M4 4.5h16v15H4zM4 9.5h16M4 14.5h16M10 4.5v15")
    case .presentation:
      line("M3.5 4.5h17v11h-17zM12 15.5v3M8.5 20.5l3.5-2 3.5 2M8 12.5V10M12 12.5V7.5M16 12.5V9")
    case .text: line("M5 6h14M5 10h14M5 14h14M5 18h8")
    case .archive: line("M4 8.5h16V20H4zM3.5 4h17v4.5h-17zM10 12.5h4")
    case .file: line("M6 3h8l4.5 4.5V21H6zM14 3v5h4.5")
    }
  }

  /// The content must still be downloaded.
  static let download = line("M12 4v11M7.5 11l4.5 4.5L16.5 11M5 20h14")
  /// Something has failed.
  static let warning = line("M12 4L2.5 20h19zM12 10v5M12 17.5h.01")
  /// Playable content.
  static let play =
    "<svg viewBox=\"0 0 24 24\" aria-hidden=\"true\" focusable=\"false\"><path class=\"solid\" d=\"M8 5l11 7-11 7z\"/></svg>"

  private static func line(_ path: String) -> String {
    "<svg viewBox=\"0 0 24 24\" aria-hidden=\"true\" focusable=\"false\"><path d=\"\(path)\"/></svg>"
  }
}
