internal import HTTPTypes
internal import Hummingbird
internal import MediaLibrary
internal import MediaService
internal import NIOCore

/// Originals and everything that is made of them: by token or by signed URL, with GET and HEAD.
struct ContentRoutes<Context: MediaRequestContext> {
  let service: MediaService
  /// Keeps small answers to signed URLs; nil if nobody asks for them.
  let hot: HotRenditions?
  /// Limits requests with signed URLs; nil for any number.
  let addresses: AddressLimit?

  func add(to router: some RouterMethods<Context>) {
    let service = service
    serve(.original, on: router) { request, context, access in
      let id = try Self.id(.original, request, context)
      let file = try await service.original(id, for: access.reader)
      return Representation(file, id: "\(id.rawValue)")
    }
    serve(.rendition, on: router) { request, context, access in
      guard let text = context.parameters.get("name"),
        let name = MediaService.RenditionName(text, boxes: service.configuration.boxes)
      else { throw ServiceError.notFound }
      let id = try Self.id(.rendition(name), request, context)
      let accepted = AcceptedFormats.of(request.headers)
      let rendered = try await service.rendition(name, of: id, accepting: accepted, for: access.reader)
      var representation = Representation(rendered)
      if name.format == nil {
        let chosen = rendered.name.map { MediaService.path(of: .rendition($0), of: id) }
        representation.negotiated(chosen, access)
      }
      return representation
    }
    serve(.poster, on: router) { request, context, access in
      let id = try Self.id(.poster, request, context)
      var second: Int?
      if let text = request.uri.queryParameters["at"] {
        guard let number = Double(text), number >= 0, number < Double(FieldLimits.posterSeconds) else {
          throw ServiceError(.invalidRequest, "`at` must be a number of seconds.")
        }
        second = Int(number)
      }
      let accepted = AcceptedFormats.of(request.headers)
      let rendered = try await service.poster(of: id, at: second, accepting: accepted, for: access.reader)
      var representation = Representation(rendered)
      representation.negotiated(nil, access)
      return representation
    }
    serve(.storyboard, on: router) { request, context, access in
      let id = try Self.id(.storyboard, request, context)
      return Representation(try await service.storyboard(of: id, for: access.reader))
    }
    serve(.storyboardImage, on: router) { request, context, access in
      let id = try Self.id(.storyboardImage, request, context)
      return Representation(try await service.storyboardImage(of: id, for: access.reader))
    }
    serve(.part, on: router) { request, context, access in
      guard let number = context.parameters.get("number").flatMap({ Int($0) }) else { throw ServiceError.notFound }
      let id = try Self.id(.part(number), request, context)
      let (content, name) = try await service.messagePart(number, of: id, for: access.reader)
      return Representation(content, name: name, fallback: "\(id.rawValue)-\(number)")
    }
    serve(.waveform, on: router) { request, context, access in
      let id = try Self.id(.waveform, request, context)
      return Representation(try await service.waveform(of: id, for: access.reader))
    }
  }

  /// Adds a route for GET and HEAD. Conditions are evaluated after access was granted: an entity tag opens nothing.
  private func serve(
    _ route: SignedRoute, on router: some RouterMethods<Context>,
    _ content: @escaping @Sendable (Request, Context, GrantedAccess) async throws -> Representation
  ) {
    let (service, hot, addresses) = (service, hot, addresses)
    for method in [HTTPRequest.Method.get, .head] {
      router.on(RouterPath(route.path), method: method) { request, context -> Response in
        let moment = hot?.moment
        let access = try GrantedAccess(request, context, service)
        if access.expires != nil { try addresses?.admit(context.parameters.get("id") ?? "") }
        let representation = try await content(request, context, access)
        let response = try representation.response(to: request, access: access)
        if let hot, let moment, method == .get {
          Self.keep(representation, response, request, context, access, in: hot, since: moment)
        }
        return response
      }
    }
  }

  /// Keeps a complete answer to a signed URL that has one format.
  private static func keep(
    _ representation: Representation, _ response: Response, _ request: Request, _ context: Context,
    _ access: GrantedAccess, in hot: HotRenditions, since moment: HotRenditions.Moment
  ) {
    guard let expires = access.expires, case .bytes(let bytes) = representation.body, response.status == .ok,
      representation.fields[.vary] == nil, let target = request.head.path,
      let file = context.parameters.get("id").flatMap({ FileID(address: $0) })
    else { return }
    let answer = HotRenditions.Answer(
      file: file, fields: response.headers, entityTag: representation.entityTag, body: ByteBuffer(bytes: bytes),
      expires: expires, route: context.endpointPath ?? "none",
      key: request.uri.query.flatMap { SignedAddress.statedKey(in: $0) })
    hot.keep(answer, for: target, since: moment)
  }

  /// The attachment that an address names. The path has to be spelled as ours are, so that what a signature, a guard and the router see is one path.
  private static func id(
    _ resource: MediaService.Resource, _ request: Request, _ context: Context
  ) throws -> FileID {
    guard let id = context.parameters.get("id").flatMap({ FileID(address: $0) }),
      request.uri.path == MediaService.path(of: resource, of: id)
    else { throw ServiceError.notFound }
    return id
  }
}

extension Representation {
  /// Notes that `Accept` decided about the format.
  /// - Parameter path: The address of the format that was chosen, if it has one.
  fileprivate mutating func negotiated(_ path: String?, _ access: GrantedAccess) {
    fields[.vary] = "Accept"
    fields[.cacheControl] = access.negotiatedCacheControl
    if let path { fields[.contentLocation] = path }
  }
}
