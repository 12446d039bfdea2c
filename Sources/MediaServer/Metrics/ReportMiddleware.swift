internal import HTTPTypes
internal import Hummingbird
internal import MediaService
internal import NIOCore

/// Counts and times requests.
struct ReportMiddleware<Context: MediaRequestContext>: RouterMiddleware {
  let report: ServerReport

  func handle(
    _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
  ) async throws -> Response {
    let start = NIODeadline.now()
    report.begin()
    do {
      let response = try await next(request, context)
      end(request, context, response.status.code, start)
      return response
    } catch {
      end(request, context, ProblemMiddleware<Context>.status(of: error), start)
      throw error
    }
  }

  private func end(_ request: Request, _ context: Context, _ status: Int, _ start: NIODeadline) {
    let route = context.endpointPath.flatMap { $0 == "NotFound" ? nil : $0 }
    report.end(
      route: route, method: request.method, status: status, nanoseconds: (NIODeadline.now() - start).nanoseconds)
  }
}

extension ProblemMiddleware {
  /// The status with which an error is answered.
  static func status(of error: any Error) -> Int {
    switch error {
    case let problem as Problem: problem.status.code
    case let error as HTTPError: error.status.code
    default: Problem.status(of: ServiceError(mapping: error).code).code
    }
  }
}
