/// What can be done with an attachment before it is sent: the menu behind a long press (R-MMS-32, A10).
public struct ModuleMenu: Hashable, Codable, Sendable {
  /// An entry of the menu.
  public enum Option: String, Codable, Sendable, CaseIterable {
    /// Shows it.
    case view
    /// Takes it out.
    case remove
    /// Puts another in its place.
    case replace
  }

  /// The file's name with its extension (R-MMS-33).
  public var header: String
  /// The entries, in their order.
  public var options: [Option]
  /// Their texts in English, in the same order: by kind, as `Remove video`.
  public var titles: [String]
}

extension MessageModule {
  /// The menu of an attachment; nil for a text, and while images are being made smaller.
  public func menu(isResizing: Bool = false) -> ModuleMenu? {
    guard kind != .text, !isResizing, let filename else { return nil }
    let noun =
      switch kind {
      case .image: "image"
      case .video: "video"
      case .audio: "audio"
      case .text, .contact, .calendar, .other: "attachment"
      }
    let options = ModuleMenu.Option.allCases
    return ModuleMenu(
      header: filename, options: options,
      titles: options.map { $0.rawValue.prefix(1).uppercased() + $0.rawValue.dropFirst() + " " + noun })
  }
}
