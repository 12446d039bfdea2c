extension MediaIcon {
  /// Chooses the icon for a file: by its type where that is more specific than its kind.
  ///
  /// To give a type another icon, add a line.
  public init(info: MediaInfo) {
    self =
      switch info.type.registered.rawValue {
      case "text/calendar": .calendar
      case "text/csv", "application/vnd.ms-excel", "application/vnd.ms-excel.sheet.macroenabled.12",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "application/vnd.oasis.opendocument.spreadsheet",
        "application/vnd.oasis.opendocument.spreadsheet-template":
        .spreadsheet
      case "application/vnd.ms-powerpoint", "application/vnd.ms-powerpoint.presentation.macroenabled.12",
        "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        "application/vnd.oasis.opendocument.presentation",
        "application/vnd.oasis.opendocument.presentation-template":
        .presentation
      default: MediaIcon(kind: info.kind)
      }
  }

  private init(kind: MediaKind) {
    self =
      switch kind {
      case .image: .image
      case .video: .video
      case .audio: .audio
      case .document: .document
      case .contact: .contact
      case .text: .text
      case .archive: .archive
      case .other: .file
      }
  }
}
