internal import MediaService

/// The paths of requests, in the one form that guards and router read alike.
enum RequestPath {
  /// Whether it is a path of the interface, which needs a caller.
  static func isOfInterface(_ path: String) -> Bool { path.hasPrefix("/v1/") || path == "/v1" }

  /// Refuses a request target with a fragment, which no request has (RFC 9112, section 3.2).
  ///
  /// Hummingbird drops it together with its `#`: any number of targets would be one signed URL, and each an entry of its own in a cache.
  /// - Throws: 400.
  static func requireNoFragment(in target: String) throws(Problem) {
    guard target.utf8.contains(UInt8(ascii: "#")) else { return }
    throw Problem(
      ServiceError(.invalidRequest, "The request target has a fragment (`#`); clients must not send fragments."))
  }

  /// Whether a path is in normal form: no empty, `.` or `..` component, no `%`, `;` or `\`, no control character, and nothing beyond ASCII.
  ///
  /// Hummingbird joins repeated slashes. A guard that compares the beginning of a path, and a proxy in front, do not (CVE-2026-39407 in Hono). No
  /// path of the interface needs an escape, so a path that has one is answered as unknown.
  static func isNormal(_ path: String) -> Bool {
    guard path.utf8.first == UInt8(ascii: "/") else { return false }
    if path.utf8.count == 1 { return true }
    for byte in path.utf8 {
      switch byte {
      case UInt8(ascii: "%"), UInt8(ascii: ";"), UInt8(ascii: "\\"), 0...0x20, 0x7F...: return false
      default: break
      }
    }
    return path.dropFirst().split(separator: "/", omittingEmptySubsequences: false).allSatisfy {
      !$0.isEmpty && $0 != "." && $0 != ".."
    }
  }
}
