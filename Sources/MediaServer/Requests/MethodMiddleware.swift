internal import HTTPTypes
internal import Hummingbird

/// The innermost middleware: answers 405 where a path has a route, but not for the method. Hummingbird's router answers 404 for both.
///
/// Within the others, so that metrics and audit log have the status that the client gets.
struct MethodMiddleware<Context: MediaRequestContext>: RouterMiddleware {
  let routes: RouteTable

  func handle(
    _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
  ) async throws -> Response {
    do { return try await next(request, context) } catch let error as HTTPError where error.status == .notFound {
      let methods = routes.methods(for: request.uri.path)
      guard !methods.isEmpty, !methods.contains(request.method.rawValue) else { throw error }
      throw Problem.methodNotAllowed(methods)
    }
  }
}
