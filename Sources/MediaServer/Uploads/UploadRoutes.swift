internal import HTTPTypes
internal import Hummingbird
internal import MediaLibrary
internal import MediaService
internal import NIOCore

/// `/v1/uploads`, and the creation of attachments: one request, tus 1.0, or the IETF form (docs/uploads.md).
struct UploadRoutes<Context: MediaRequestContext>: Sendable {
  let service: MediaService

  func add(to router: some RouterMethods<Context>) {
    router.on("/v1/attachments", method: .post, use: create)
    router.on("/v1/attachments", method: .options) { _, _ in options }
    router.on("/v1/uploads", method: .post, use: create)
    router.on("/v1/uploads", method: .options) { _, _ in options }
    for method in [HTTPRequest.Method.head, .patch, .delete, .get, .post] {
      router.on("/v1/uploads/:upload", method: method, use: change)
    }
    router.on("/v1/uploads/:upload", method: .options) { _, _ in options }
  }

  // MARK: Creating

  @Sendable func create(_ request: Request, _ context: Context) async throws -> Response {
    try await answering(request, context) { form in
      let caller = try context.requireCaller()
      return switch form {
      case .tus: try await createTus(request, context, caller)
      case .ietf(let interop): try await createIETF(request, context, caller, interop)
      case .plain where request.uri.path == "/v1/uploads": throw Problem.tusVersion
      case .plain: try await attach(request, context, caller)
      }
    }
  }

  // MARK: Changing

  @Sendable func change(_ request: Request, _ context: Context) async throws -> Response {
    // For clients that can send nothing but POST; no other method becomes one that changes something.
    let override = request.method == .post ? request.headers[.methodOverride] : nil
    let method = override.flatMap { HTTPRequest.Method($0.uppercased()) } ?? request.method
    return try await answering(request, context) { form in
      let caller = try context.requireCaller()
      guard let id = context.parameters.get("upload").flatMap(Upload.ID.init(rawValue:)) else {
        throw ServiceError.notFound
      }
      switch (method, form) {
      case (.get, _): return try await state(of: id, caller)
      case (.head, _): return try await head(id, caller, form)
      case (.delete, _): return try await delete(id, caller, form)
      case (.patch, .tus): return try await appendTus(request, context, id, caller)
      case (.patch, .ietf(let interop)): return try await appendIETF(request, context, id, caller, interop)
      case (.patch, .plain):
        try await requireProtocol(of: id, caller, form)
        throw ServiceError(.invalidRequest, "A PATCH of this upload needs Upload-Complete.")
      // POST is allowed only to override it.
      default: throw Problem.methodNotAllowed(["DELETE", "GET", "HEAD", "OPTIONS", "PATCH"])
      }
    }
  }

  private func state(of id: Upload.ID, _ caller: Caller) async throws -> Response {
    try await state(of: try await service.upload(id, for: caller), status: .ok, [:])
  }

  /// What is known of an upload, as JSON.
  func state(of upload: Upload, status: HTTPResponse.Status, _ fields: HTTPFields) async throws -> Response {
    try JSONAnswer.response(
      UploadAnswer(upload, urls: try await urls(of: upload.attachment)), status: status, headers: fields)
  }

  private func head(_ id: Upload.ID, _ caller: Caller, _ form: UploadProtocol) async throws -> Response {
    try await requireProtocol(of: id, caller, form)
    let upload = try await service.resumeUpload(id, for: caller)
    guard case .ietf = upload.form else {
      return Response(status: .ok, headers: Self.base(.tus).merging(tusState(upload)))
    }
    var interop = UploadProtocol.Interop()
    if case .ietf(let stated) = form { interop = stated }
    return Response(status: .noContent, headers: ietfState(upload, interop))
  }

  private func delete(_ id: Upload.ID, _ caller: Caller, _ form: UploadProtocol) async throws -> Response {
    try await requireProtocol(of: id, caller, form)
    try await service.deleteUpload(id, for: caller)
    return Response(status: .noContent, headers: Self.base(form))
  }

  /// Refuses a request of another protocol than that of the upload, before anything is done: tus demands its version there, and the IETF form
  /// states none.
  private func requireProtocol(of id: Upload.ID, _ caller: Caller, _ form: UploadProtocol) async throws {
    let own = try await service.form(of: id, for: caller)
    switch (form, own) {
    case (.tus, .ietf):
      throw ServiceError(
        .conflict, "The upload was created with another protocol (tus or IETF); continue it with that protocol.")
    case (.plain, .tus), (.ietf, .tus): throw Problem.tusVersion
    case (.tus, .tus), (.plain, .ietf), (.ietf, .ietf): break
    }
  }

  // MARK: Answers

  /// Answers with the errors of the protocol. Ends the connection of a request that a newer one has replaced: nobody waits for its answer.
  private func answering(
    _ request: Request, _ context: Context, _ body: (UploadProtocol) async throws -> Response
  ) async throws -> Response {
    let form: UploadProtocol
    do { form = try UploadProtocol(request.headers) } catch { throw UploadProblem.problem(error, .plain) }
    do { return try await body(form) } catch {
      if (error as? ServiceError)?.code == .takenOver { context.channel.close(promise: nil) }
      var problem = UploadProblem.problem(error, form)
      if case .ietf = form, [.tooLarge, .lengthMismatch].contains(problem.error.code) {
        problem.headers[.uploadLimit] = limits(nil)
      }
      throw problem
    }
  }

  /// What is answered to OPTIONS: the limits, and what is spoken.
  private var options: Response {
    Response(
      status: .noContent,
      headers: [
        .tusResumable: UploadProtocol.tusVersion, .tusVersion: UploadProtocol.tusVersion,
        .tusExtension: "creation,creation-with-upload,creation-defer-length,expiration,checksum,termination",
        .tusMaxSize: "\(service.maxUploadBytes)", .tusChecksumAlgorithm: "sha1,sha256", .uploadLimit: limits(nil),
      ])
  }

  /// The limits of uploads, and how long one is kept.
  func limits(_ upload: Upload?) -> String {
    "min-size=0, max-size=\(service.maxUploadBytes), max-age=\(service.configuration.limits.uploadLifetime)"
  }

  /// Fields of every answer of a protocol.
  static func base(_ form: UploadProtocol) -> HTTPFields {
    switch form {
    case .tus: [.tusResumable: UploadProtocol.tusVersion, .cacheControl: "no-store"]
    case .ietf(let interop):
      interop.version.map { [.uploadInteropVersion: "\($0)", .cacheControl: "no-store"] } ?? [.cacheControl: "no-store"]
    case .plain: [.cacheControl: "no-store"]
    }
  }

  static func address(of upload: Upload) -> String { "/v1/uploads/\(upload.id)" }
  static func address(of attachment: IngestedAttachment) -> String { "/v1/attachments/\(attachment.id.rawValue)" }

  /// The addresses of an attachment's original and renditions.
  func urls(of attachment: IngestedAttachment?) async throws -> [String: String] {
    guard let attachment else { return [:] }
    return try await service.urls(of: attachment)
  }
}

extension HTTPFields {
  /// These fields and others, which replace those of the same name.
  func merging(_ others: HTTPFields) -> HTTPFields {
    var fields = self
    for field in others { fields[field.name] = field.value }
    return fields
  }
}
