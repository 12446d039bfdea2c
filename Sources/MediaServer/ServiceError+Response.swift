public import HTTPTypes
public import Hummingbird
public import MediaService

/// So that routes answer with problem documents in any application, whatever its middleware.
extension ServiceError: HTTPResponseError {
  /// The status of the problem.
  public var status: HTTPResponse.Status { Problem(self).status }

  /// The problem.
  public func response(from request: Request, context: some RequestContext) throws -> Response {
    try Problem(self).response(from: request, context: context)
  }
}
