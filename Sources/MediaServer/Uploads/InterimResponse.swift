internal import HTTPTypes
internal import NIOCore
internal import NIOHTTPTypes

/// An interim answer (104): the address of a resumable upload before its bytes arrive.
///
/// Sent only where ``MediaRequestContext/sendsInterimResponses`` allows it: nginx takes an answer with the status 104 for the final one, which breaks
/// the upload. An upload without it works, and begins again after a lost connection; tus resumes everywhere.
enum InterimResponse {
  static func send(_ fields: HTTPFields, on channel: any Channel) async throws {
    let status = HTTPResponse.Status(code: 104, reasonPhrase: "Upload Resumption Supported")
    try await channel.writeAndFlush(HTTPResponsePart.head(HTTPResponse(status: status, headerFields: fields)))
  }
}
