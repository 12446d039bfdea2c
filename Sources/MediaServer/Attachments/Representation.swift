internal import HTTPTypes
internal import Hummingbird
internal import MediaModel
internal import MediaService
internal import NIOCore

/// Bytes of an untrusted file, or made from one, with what a request needs to know of them.
struct Representation: Sendable {
  /// Where the bytes are.
  enum Body: Sendable {
    case bytes([UInt8])
    case original(MediaService.OriginalFile)

    var count: Int {
      switch self {
      case .bytes(let bytes): bytes.count
      case .original(let file): file.bytes
      }
    }
  }

  var body: Body
  var type: MediaModel.MediaType
  /// A strong entity tag with its quotes. The same for every range.
  var entityTag: String
  /// Header fields of its own, such as `Content-Disposition`.
  var fields: HTTPFields = [:]

  /// Bytes that are read and sent at a time: two pieces per request are in memory.
  private static let pieceBytes = 262_144

  /// What keeps a browser from running anything that is in the file, wherever it was opened from. `media-src` lets a video play that was opened
  /// directly; its document is made by the browser, within the sandbox.
  private static let securityPolicy =
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; media-src 'self'"

  init(_ rendered: MediaService.Rendered) {
    (body, type, entityTag) = (.bytes(rendered.bytes), rendered.type, rendered.entityTag)
  }

  /// Bytes of an untrusted file under a name that its sender stated.
  init(_ rendered: MediaService.Rendered, name: String?, fallback: String) {
    self.init(rendered)
    let fallback = type.preferredExtension.map { "\(fallback).\($0)" } ?? fallback
    fields[.contentDisposition] = ContentDisposition.field(type: type, name: name, fallback: fallback)
  }

  /// - Parameter isSaved: Whether a browser saves it, whatever its type is. Default false.
  init(_ file: MediaService.OriginalFile, id: String, isSaved: Bool = false) {
    (body, type, entityTag) = (.original(file), file.type, file.entityTag)
    let fallback = file.type.preferredExtension.map { "\(id).\($0)" } ?? id
    fields[.contentDisposition] = ContentDisposition.field(
      type: isSaved ? .octetStream : file.type, name: file.name, fallback: fallback)
  }

  /// The answer to a request whose sender may read this.
  func response(to request: Request, access: GrantedAccess) throws -> Response {
    var fields = fields
    fields[.eTag] = entityTag
    if fields[.cacheControl] == nil { fields[.cacheControl] = access.cacheControl }
    fields[.xContentTypeOptions] = "nosniff"
    fields[.contentSecurityPolicy] = Self.securityPolicy
    fields[.referrerPolicy] = "no-referrer"
    fields[.crossOriginResourcePolicy] = access.expires == nil ? "same-origin" : "cross-origin"
    fields[.xRobotsTag] = "noindex, nofollow"
    fields[.acceptRanges] = "bytes"
    let (isHead, size) = (request.method == .head, body.count)
    switch Conditions.evaluate(request.headers, isHead: isHead, entityTag: entityTag, size: size) {
    case .full:
      fields[.contentType] = type.rawValue
      fields[.contentLength] = "\(size)"
      return Response(status: .ok, headers: fields, body: isHead ? ResponseBody() : stream(0..<size))
    case .partial(let range):
      fields[.contentType] = type.rawValue
      fields[.contentLength] = "\(range.count)"
      fields[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)"
      return Response(status: .partialContent, headers: fields, body: stream(range))
    case .notModified:
      fields[.contentDisposition] = nil
      return Response(status: .notModified, headers: fields)
    case .failed:
      throw ServiceError(.preconditionFailed, "The file has changed since the version named in If-Match.")
    case .unsatisfiable:
      throw Problem(
        .rangeNotSatisfiable,
        ServiceError(.invalidRequest, "The requested range is outside the file.", numbers: ["limit": size]),
        headers: [.contentRange: "bytes */\(size)"])
    }
  }

  private func stream(_ range: Range<Int>) -> ResponseBody {
    switch body {
    case .bytes(let bytes): return ResponseBody(byteBuffer: ByteBuffer(bytes: bytes[range]))
    case .original(let file):
      return ResponseBody(contentLength: range.count) { writer in
        var offset = range.lowerBound
        while offset < range.upperBound {
          let piece = try await file.read(at: offset, count: min(Self.pieceBytes, range.upperBound - offset))
          // The length was promised: a connection that is cut shows that bytes are missing.
          if piece.isEmpty { throw ServiceError(.internalError, "The original became shorter while it was read.") }
          try await writer.write(ByteBuffer(bytes: piece))
          offset += piece.count
        }
        try await writer.finish(nil)
      }
    }
  }
}

extension HTTPField.Name {
  /// Names that are constants of ours, so a malformed one is no name and is dropped.
  private static func named(_ name: String) -> HTTPField.Name { HTTPField.Name(name) ?? .trailer }

  static let referrerPolicy = named("Referrer-Policy")
  static let xRobotsTag = named("X-Robots-Tag")
}
