internal import HTTPTypes
internal import Hummingbird
internal import MediaService
internal import NIOCore

/// tus 1.0 (https://tus.io/protocols/resumable-upload).
extension UploadRoutes {
  private static var bodyType: String { "application/offset+octet-stream" }

  func createTus(_ request: Request, _ context: Context, _ caller: Caller) async throws -> Response {
    let length = try request.headers.bytes(.uploadLength)
    switch (length, request.headers[.uploadDeferLength]) {
    case (.some, nil), (nil, "1"): break
    default:
      throw ServiceError(.invalidRequest, "Send either Upload-Length or Upload-Defer-Length: 1.")
    }
    let hasBody = request.headers.mediaType == Self.bodyType && request.hasBody
    let statedBytes = try request.headers.bytes(.contentLength) ?? (request.headers[.transferEncoding] == nil ? 0 : 1)
    guard hasBody || statedBytes == 0 else {
      throw ServiceError(.unsupportedType, "The body of a creation must be \(Self.bodyType).")
    }
    let metadata = request.headers[.uploadMetadata]
    let checksum = try request.headers[.uploadChecksum].map(Upload.Checksum.init(field:))
    let new = MediaService.NewUpload(
      form: .tus, length: length,
      claims: try Upload.Claims(tusMetadata: metadata, draft: request.headers[.uploadDraft]),
      metadata: metadata)
    let creation = try await Idempotency.createUpload(new, by: request, caller, service, name: metadata)
    var upload = creation.upload
    let address = Self.address(of: upload)
    // A repetition gets the present offset, and its body is not read.
    if creation.isNew, hasBody || length == 0 {
      let append = Upload.Append(
        form: .tus, offset: 0, bytes: try hasBody ? bodyBytes(request) : 0, checksum: hasBody ? checksum : nil)
      upload = try await receiveFirst(append, hasBody ? request : nil, upload, .tus, context, caller)
    }
    return try await state(
      of: upload, status: .created,
      Self.base(.tus).merging([.location: address]).merging(tusState(upload)).merging(finished(upload)))
  }

  func appendTus(_ request: Request, _ context: Context, _ id: Upload.ID, _ caller: Caller) async throws -> Response {
    guard request.headers.mediaType == Self.bodyType else {
      throw ServiceError(.unsupportedType, "The body must be \(Self.bodyType).")
    }
    guard let offset = try request.headers.bytes(.uploadOffset) else {
      throw ServiceError(.invalidRequest, "The header field Upload-Offset is missing.")
    }
    let append = Upload.Append(
      form: .tus, offset: offset, bytes: try bodyBytes(request), length: try request.headers.bytes(.uploadLength),
      checksum: try request.headers[.uploadChecksum].map(Upload.Checksum.init(field:)))
    let upload = try await receive(append, request, id, context, caller)
    return Response(
      status: .noContent, headers: Self.base(.tus).merging(tusState(upload)).merging(finished(upload)))
  }

  /// Fields that say how far an upload is.
  func tusState(_ upload: Upload) -> HTTPFields {
    var fields: HTTPFields = [.uploadOffset: "\(upload.offset)", .uploadExpires: HTTPDate.field(upload.expires)]
    if let length = upload.length { fields[.uploadLength] = "\(length)" } else { fields[.uploadDeferLength] = "1" }
    if let metadata = upload.metadata { fields[.uploadMetadata] = metadata }
    return fields
  }

  /// Where the attachment is. The verdict is at the upload's own address, since the answer to a PATCH has no body.
  private func finished(_ upload: Upload) -> HTTPFields {
    upload.attachment.map { [.contentLocation: Self.address(of: $0)] } ?? [:]
  }

  /// The length of a body; nil if it is not stated.
  func bodyBytes(_ request: Request) throws -> Int? {
    if let length = try request.headers.bytes(.contentLength) { return length }
    return request.headers[.transferEncoding] == nil && request.headers[.contentType] == nil ? 0 : nil
  }

  /// Takes the body of a request that created an upload. The problem has the address of an upload that can be continued: the client has no other
  /// way to learn it.
  func receiveFirst(
    _ append: Upload.Append, _ request: Request?, _ upload: Upload, _ form: UploadProtocol, _ context: Context,
    _ caller: Caller
  ) async throws -> Upload {
    do { return try await receive(append, request, upload.id, context, caller) } catch {
      let failure = ServiceError(mapping: error)
      guard failure.code != .takenOver, !UploadProblem.hasEnded(failure) else { throw failure }
      var problem = UploadProblem.problem(failure, form)
      problem.headers[.location] = Self.address(of: upload)
      throw problem
    }
  }

  /// Takes the body of a request; nil for an empty one.
  func receive(
    _ append: Upload.Append, _ request: Request?, _ id: Upload.ID, _ context: Context, _ caller: Caller
  ) async throws -> Upload {
    let body = request?.body ?? RequestBody(buffer: ByteBuffer())
    let channel = context.channel
    return try await service.append(
      append, to: id, body: body.map(\.readableBytesView), interrupt: { channel.close(promise: nil) }, for: caller)
  }
}
