internal import HTTPTypes
internal import Hummingbird
internal import MediaService
internal import NIOCore

/// Resumable uploads for HTTP (draft-ietf-httpbis-resumable-upload), in the versions that phones speak.
extension UploadRoutes {
  func createIETF(
    _ request: Request, _ context: Context, _ caller: Caller, _ interop: UploadProtocol.Interop
  ) async throws -> Response {
    guard let isLast = interop.isLast else {
      throw ServiceError(.invalidRequest, "The header field Upload-Complete is missing.")
    }
    let sendsInterim = interop.allowsInterim && context.sendsInterimResponses
    let isForm = request.headers.mediaType == MultipartForm.mediaType
    let bytes = try bodyBytes(request)
    var length = try request.headers.bytes(.uploadLength)
    if isLast, !isForm, let bytes {
      guard length ?? bytes == bytes else {
        let error = ServiceError(
          .lengthMismatch, "Upload-Length is \(length ?? bytes), but the body has \(bytes) bytes.")
        var problem = UploadProblem.problem(error, .ietf(interop))
        // No upload was created, and none has ended.
        let field = interop.completeness(false)
        problem.headers[field.name] = field.value
        throw problem
      }
      length = bytes
    }
    if isLast, isForm || !sendsInterim {
      // The client cannot know an address for the rest: nothing to resume.
      var response = try await attach(request, context, caller)
      response.headers = response.headers.merging(Self.base(.ietf(interop)))
      let field = interop.completeness(true)
      response.headers[field.name] = field.value
      return response
    }
    guard !isForm else {
      throw ServiceError(.unsupportedType, "A multipart form cannot be uploaded in several requests.")
    }
    // The digest of a body that is the whole file is one of the claims.
    let checksum = try isLast ? nil : Upload.Checksum(contentDigest: request.headers)
    let new = MediaService.NewUpload(
      form: .ietf, length: length, claims: try Upload.Claims(request.headers, bodyIsFile: isLast))
    let creation = try await Idempotency.createUpload(
      new, by: request, caller, service, name: Self.description(ofFileIn: request, bodyIsFile: isLast))
    var upload = creation.upload
    // A repetition gets the present offset, and its body is not read.
    if creation.isNew {
      if sendsInterim {
        try await InterimResponse.send(
          Self.interop(interop).merging([.location: Self.address(of: upload), .uploadLimit: limits(upload)]),
          on: context.channel)
      }
      let append = Upload.Append(
        form: .ietf, offset: 0, bytes: bytes, isLast: isLast, length: length, checksum: checksum)
      upload = try await receiveFirst(append, request, upload, .ietf(interop), context, caller)
    }
    if let response = try await finalAnswer(upload, interop) { return response }
    var fields = ietfState(upload, interop)
    fields[.location] = Self.address(of: upload)
    return try await state(of: upload, status: .created, fields)
  }

  func appendIETF(
    _ request: Request, _ context: Context, _ id: Upload.ID, _ caller: Caller, _ interop: UploadProtocol.Interop
  ) async throws -> Response {
    guard let isLast = interop.isLast else {
      throw ServiceError(.invalidRequest, "The header field Upload-Complete is missing.")
    }
    if let type = interop.appendType, request.headers.mediaType != type {
      throw ServiceError(.unsupportedType, "The body must be \(type).")
    }
    guard let offset = try request.headers.bytes(.uploadOffset) else {
      throw ServiceError(.invalidRequest, "The header field Upload-Offset is missing.")
    }
    let append = Upload.Append(
      form: .ietf, offset: offset, bytes: try bodyBytes(request), isLast: isLast,
      length: try request.headers.bytes(.uploadLength),
      checksum: try Upload.Checksum(contentDigest: request.headers))
    let received = try await receive(append, request, id, context, caller)
    if let response = try await finalAnswer(received, interop) { return response }
    let fields = ietfState(received, interop)
    return interop.partialStatus == .created
      ? try await state(of: received, status: .created, fields) : Response(status: .noContent, headers: fields)
  }

  /// What the address of the creation would have answered: the attachment.
  private func finalAnswer(_ upload: Upload, _ interop: UploadProtocol.Interop) async throws -> Response? {
    guard let attachment = upload.attachment else { return nil }
    var response = try await created(attachment)
    let field = interop.completeness(true)
    response.headers = response.headers.merging(Self.interop(interop))
    response.headers[field.name] = field.value
    response.headers[.uploadOffset] = "\(upload.offset)"
    return response
  }

  /// Fields that say how far an upload is.
  func ietfState(_ upload: Upload, _ interop: UploadProtocol.Interop) -> HTTPFields {
    var fields = Self.base(.ietf(interop))
    fields[.uploadOffset] = "\(upload.offset)"
    let field = interop.completeness(upload.state == .finished)
    fields[field.name] = field.value
    if let length = upload.length { fields[.uploadLength] = "\(length)" }
    fields[.uploadLimit] = limits(upload)
    return fields
  }

  /// The version that the client stated.
  private static func interop(_ interop: UploadProtocol.Interop) -> HTTPFields {
    interop.version.map { [.uploadInteropVersion: "\($0)"] } ?? [:]
  }
}
