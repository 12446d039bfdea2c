internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import NIOHTTPTypes

/// Answers `Expect: 100-continue` when a route begins to read the body, so a request that is refused before is never sent whole (RFC 9110, section
/// 10.1.1). Hummingbird never answers it, and curl waits a second.
struct ContinueMiddleware<Context: MediaRequestContext>: RouterMiddleware {
  func handle(
    _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
  ) async throws -> Response {
    guard let expectation = request.headers[.expect] else { return try await next(request, context) }
    guard expectation.lowercased() == "100-continue" else {
      throw HTTPError(.expectationFailed)
    }
    var request = request
    request.body = RequestBody(asyncSequence: ContinuedBody(body: request.body, channel: context.channel))
    return try await next(request, context)
  }
}

/// A body that is asked for with 100 when it is first read.
private struct ContinuedBody: AsyncSequence, Sendable {
  typealias Element = ByteBuffer

  let body: RequestBody
  let channel: any Channel

  func makeAsyncIterator() -> Iterator { Iterator(base: body.makeAsyncIterator(), channel: channel) }

  struct Iterator: AsyncIteratorProtocol {
    var base: RequestBody.AsyncIterator
    let channel: any Channel
    var isAsked = false

    @concurrent mutating func next() async throws -> ByteBuffer? {
      if !isAsked {
        isAsked = true
        try await channel.writeAndFlush(HTTPResponsePart.head(HTTPResponse(status: .continue)))
      }
      return try await base.next()
    }
  }
}
