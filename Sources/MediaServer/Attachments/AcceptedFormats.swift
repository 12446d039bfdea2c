internal import HTTPTypes
internal import MediaService

/// The formats that an `Accept` field names, reduced to one of three classes before it decides anything: clients send thousands of different
/// fields, and each would be an entry of its own in a cache.
enum AcceptedFormats {
  /// The classes, the preferred format first. WebP and AVIF only if they are named: `*/*` is what clients send that show neither.
  static func of(_ fields: HTTPFields) -> [MediaService.RenditionName.Format] {
    let accepted = named(in: fields[.accept] ?? "")
    if accepted.contains("image/avif") { return [.avif, .webp, .jpeg] }
    return accepted.contains("image/webp") ? [.webp, .jpeg] : [.jpeg]
  }

  /// The members of an `Accept` or `Accept-Encoding` field that are not refused with `q=0`, in lower case.
  static func named(in field: String) -> Set<String> {
    // Longer fields are not those of browsers.
    guard field.utf8.count <= 1_024 else { return [] }
    var types: Set<String> = []
    for member in field.lowercased().split(separator: ",") {
      let parts = member.split(separator: ";").map { String($0).trimmingOptionalSpace }
      let isRefused = parts.dropFirst().contains { part in
        part.hasPrefix("q=") && part.dropFirst(2).allSatisfy { $0 == "0" || $0 == "." }
      }
      if let type = parts.first, !isRefused { types.insert(type) }
    }
    return types
  }
}
