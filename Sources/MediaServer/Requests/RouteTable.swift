internal import HTTPTypes
internal import Hummingbird
internal import MediaEngine

/// Which methods a path has. Filled when all routes are known, after the middleware that asks.
final class RouteTable: Sendable {
  private let entries = Locked<[Entry]>([])

  private struct Entry: Sendable {
    var path: RouterPath
    var method: String
  }

  /// Takes the routes of a router.
  func fill(from router: Router<some RequestContext>) {
    let routes = router.routes.map { Entry(path: $0.path, method: $0.method.rawValue) }
    entries.withLock { $0 = routes }
  }

  /// The methods of the routes that match a path; empty if none does. `HEAD` is wherever `GET` is.
  func methods(for path: String) -> Set<String> {
    let components = path.split(separator: "/")
    let methods = entries.withLock { entries in
      entries.filter { Self.matches($0.path, components) }.map(\.method)
    }
    return Set(methods.contains("GET") ? methods + ["HEAD"] : methods)
  }

  private static func matches(_ path: RouterPath, _ components: [Substring]) -> Bool {
    // The elements that a router compares; a leading slash is not an element.
    let elements = path.components
    if elements.last == .recursiveWildcard {
      return components.count >= elements.count - 1 && zip(elements.dropLast(), components).allSatisfy { $0 ~= $1 }
    }
    return elements.count == components.count && zip(elements, components).allSatisfy { $0 ~= $1 }
  }
}
