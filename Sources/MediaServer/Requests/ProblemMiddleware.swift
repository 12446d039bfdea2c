internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import MediaService
internal import NIOHTTP1

/// The outermost middleware: whatever goes wrong is answered with a problem document, and every answer has the fields that protect browsers.
///
/// It also checks the request target.
struct ProblemMiddleware<Context: MediaRequestContext>: RouterMiddleware {
  func handle(
    _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
  ) async throws -> Response {
    var response: Response
    do {
      try RequestPath.requireNoFragment(in: request.uri.string)
      guard RequestPath.isNormal(request.uri.path), request.uri.string.first == "/" else { throw Problem(.notFound) }
      response = try await next(request, context)
    } catch let error as HTTPParserError {
      // Hummingbird answers 400 and closes the connection.
      throw error
    } catch {
      response = try Self.problem(for: error, logger: context.logger)
        .response(from: request, context: context)
      // Its connection ends in any case (AdmissionMiddleware).
      if AdmissionMiddleware<Context>.kind(of: request) == .work {
        response.headers[.connection] = "close"
      }
    }
    protect(&response)
    return request.method == .head ? response.createHeadResponse() : response
  }

  /// The fields of every answer. Routes with stricter ones have set their own.
  private func protect(_ response: inout Response) {
    response.headers[.xContentTypeOptions] = "nosniff"
    for (name, value) in SecurityFields.all where response.headers[name] == nil { response.headers[name] = value }
    switch response.status.code {
    // These have no body, and no length of one (RFC 9110, sections 8.6 and 15.4.5).
    case 204: response.headers[.contentLength] = nil
    case 304 where response.headers[.contentLength] == "0": response.headers[.contentLength] = nil
    default: break
    }
  }
}

extension ProblemMiddleware {
  /// The problem of any error. What is not meant for callers goes to the log.
  static func problem(for error: any Error, logger: Logger) -> Problem {
    if let problem = error as? Problem {
      note(problem.error, logger)
      return problem
    }
    if let error = error as? HTTPError {
      // Of Hummingbird: its router, its decoders and its limits.
      let isOurFault = error.status.code >= 500
      switch error.status {
      case .notFound: return Problem(.notFound)
      case .contentTooLarge: return Problem(ServiceError(.tooLarge, "The body of this request is too large."))
      default:
        if isOurFault { logger.error("request failed", metadata: ["error": "\(error)"]) }
        return Problem(
          error.status,
          isOurFault ? .failed(detail: nil) : ServiceError(.invalidRequest, "The request is malformed."))
      }
    }
    if error is DecodingError {
      return Problem(ServiceError(.invalidRequest, "The JSON body does not match the schema in /openapi.json."))
    }
    let mapped = ServiceError(mapping: error)
    note(mapped, logger)
    return Problem(mapped)
  }

  private static func note(_ error: ServiceError, _ logger: Logger) {
    if error.code == .internalError {
      logger.error("request failed", metadata: ["error": .string(error.detail ?? error.message)])
    } else if let detail = error.detail {
      logger.info("request refused", metadata: ["code": .string(error.code.rawValue), "detail": .string(detail)])
    }
  }
}

/// Fields that protect browsers from untrusted files; a route that sends such a file sets stricter ones.
enum SecurityFields {
  /// `Content-Security-Policy`
  static let policy = HTTPField.Name("Content-Security-Policy")
  /// `Referrer-Policy`
  static let referrer = HTTPField.Name("Referrer-Policy")
  /// `Cross-Origin-Resource-Policy`
  static let resource = HTTPField.Name("Cross-Origin-Resource-Policy")

  static let all: [(HTTPField.Name, String)] = [
    (policy, "default-src 'none'; frame-ancestors 'none'; sandbox"), (referrer, "no-referrer"),
    (resource, "same-origin"),
  ].compactMap { name, value in name.map { ($0, value) } }
}
