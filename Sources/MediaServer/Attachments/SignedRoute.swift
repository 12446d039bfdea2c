/// A route that accepts signed URLs: its path below that of an attachment. The routes are added from this list, and the audit log reads it.
enum SignedRoute: String, CaseIterable {
  case original
  case rendition = "renditions/:name"
  case poster
  case storyboard = "storyboard.vtt"
  case storyboardImage = "storyboard.webp"
  case part = "parts/:number"
  case waveform

  /// The path from the first slash on, with the names of its parameters.
  var path: String { "/v1/attachments/:id/\(rawValue)" }

  private static let resources = Set(allCases.compactMap { $0.rawValue.split(separator: "/").first })

  /// Whether a route accepts signed URLs, whatever the notation of its parameters.
  static func isSigned(_ route: String?) -> Bool {
    let parts = (route ?? "").split(separator: "/")
    return parts.count > 3 && parts[1] == "attachments" && resources.contains(parts[3])
  }
}
