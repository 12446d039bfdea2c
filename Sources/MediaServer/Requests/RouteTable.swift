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

  /// The methods of the routes for a path; empty if there is none. `HEAD` is wherever `GET` is.
  ///
  /// Only those of the most specific route count, as for the router: `/v1/messages/sms` has no methods of `/v1/messages/{message}`.
  func methods(for path: String) -> Set<String> {
    let components = path.split(separator: "/")
    let found = entries.withLock { $0.filter { Self.matches($0.path, components) } }
    guard let best = found.map({ Self.rank($0.path) }).max(by: { $0.lexicographicallyPrecedes($1) }) else { return [] }
    let methods = Set(found.filter { Self.rank($0.path) == best }.map(\.method))
    return methods.contains("GET") ? methods.union(["HEAD"]) : methods
  }

  /// How specific the elements of a route are, by the order in which the router tries them.
  private static func rank(_ path: RouterPath) -> [Int] {
    path.components.map { element in
      // By their notation, since the cases are not public.
      switch element.description {
      case "**": 0
      case "*": 1
      case let text where text.hasPrefix("{") && text.hasSuffix("}"): 2
      case let text where text.contains("*"): 3
      case let text where text.contains("{"): 4
      default: 5
      }
    }
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
