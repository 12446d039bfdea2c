extension MessageModule {
  /// The context menu of an attachment before it is sent (R-MMS-32, A10).
  public struct Menu: Hashable, Codable, Sendable {
    /// A menu item.
    public enum Option: String, Codable, Sendable, CaseIterable {
      /// Open the attachment.
      case view
      /// Take the attachment out of the message.
      case remove
      /// Choose another file for the position of this one.
      case replace
    }

    /// The file name with its extension (R-MMS-33).
    public var header: String
    /// The menu items in order.
    public var options: [Option]
    /// The titles of the items in English, such as `Remove video`.
    public var titles: [String]
  }
}

extension MessageModule {
  /// The menu of an attachment; nil for a text, and while images are being resized.
  public func menu(isResizing: Bool = false) -> Menu? {
    guard kind != .text, !isResizing, let filename else { return nil }
    let noun =
      switch kind {
      case .image: "image"
      case .video: "video"
      case .audio: "audio"
      case .text, .contact, .calendar, .other: "attachment"
      }
    let options = Menu.Option.allCases
    return Menu(
      header: filename, options: options,
      titles: options.map { $0.rawValue.prefix(1).uppercased() + $0.rawValue.dropFirst() + " " + noun })
  }
}
