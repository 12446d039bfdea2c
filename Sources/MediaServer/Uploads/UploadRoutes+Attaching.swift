internal import HTTPTypes
internal import Hummingbird
internal import MediaService
internal import NIOCore

/// `POST /v1/attachments`: a file in one request, as its body or as a part of a form.
extension UploadRoutes {
  func attach(_ request: Request, _ context: Context, _ caller: Caller) async throws -> Response {
    let isForm = request.headers.mediaType == MultipartForm.mediaType
    // Before an idempotency key is looked up, and before a byte is asked for.
    let bytes = try statedBytes(request)
    let name = Self.description(ofFileIn: request, bodyIsFile: !isForm)
    return try await Idempotency.respond(to: request, caller, service, name: name) {
      let attachment: IngestedAttachment
      if isForm {
        attachment = try await attachForm(request, bytes: bytes, caller)
      } else {
        // Without a content coding, which is refused, the body is the file.
        let claims = try Upload.Claims(request.headers, bodyIsFile: true)
        guard request.headers[.contentEncoding].map({ $0.lowercased() == "identity" }) ?? true else {
          throw ServiceError(.unsupportedType, "The body must be the file itself, without Content-Encoding.")
        }
        attachment = try await service.attach(
          request.body.map(\.readableBytesView), length: bytes, claims: claims, for: caller)
      }
      return try await created(attachment)
    }
  }

  /// The length of the body, as the request states it; nil if it states none.
  /// - Throws: 400 if `Content-Length` and `Upload-Length` differ: the client means another file than the one that it sends.
  private func statedBytes(_ request: Request) throws -> Int? {
    let (body, upload) = (try bodyBytes(request), try request.headers.bytes(.uploadLength))
    guard let body, let upload, body != upload else { return body ?? upload }
    throw ServiceError(.lengthMismatch, "Upload-Length is \(upload), but the body has \(body) bytes.")
  }

  /// What the header of a request states of its file, to compare requests with the same idempotency key.
  /// - Parameter bodyIsFile: Whether the body is the whole file: then `Content-Digest` is the digest of the file.
  static func description(ofFileIn request: Request, bodyIsFile: Bool) -> String? {
    let name = request.headers[.contentDisposition]
    // Only if it is given, so that a key stored by an earlier version is still that of a request without one.
    guard bodyIsFile, let digest = request.headers[.contentDigest] else { return name }
    return "\(name ?? "")\n\(digest)"
  }

  /// 201 with the attachment.
  func created(_ attachment: IngestedAttachment) async throws -> Response {
    try JSONAnswer.response(
      AttachmentAnswer(attachment, urls: try await urls(of: attachment)), status: .created,
      headers: [.location: Self.address(of: attachment)])
  }

  private func attachForm(_ request: Request, bytes: Int?, _ caller: Caller) async throws -> IngestedAttachment {
    let form = try MultipartForm(request.body, contentType: request.headers[.contentType] ?? "", length: bytes)
    do {
      let claims = try await form.readToFile()
      return try await service.attach(form, length: nil, form: bytes, claims: claims, for: caller)
    } catch {
      // What is wrong with the form is why its file ended early.
      throw form.failure ?? error
    }
  }
}
