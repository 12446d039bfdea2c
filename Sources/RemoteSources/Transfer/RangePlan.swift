internal import MediaModel

/// What the body of a response to a request for a range is, from the head of the response.
struct RangePlan: Hashable, Sendable {
  /// The offset of the body's first byte in the file.
  var start: Int
  /// Number of bytes to take, after which the rest is cut off; nil for all, of which then the size follows.
  var count: Int?
  /// Size of the whole file; nil if only the end of the body shows it.
  var total: Int?
  /// The entity tag; nil for none.
  var etag: EntityTag?
  /// Whether the body may as well be a part that was sent with the status of the whole file.
  var isUnproven = false

  /// What was requested, and what is known of the file already.
  struct Request: Hashable, Sendable {
    var range: Range<Int>
    var size: Int?
    /// What the file must have; nil for any.
    var etag: EntityTag?
    /// Whether earlier responses have fixed what the file is.
    var isFirst: Bool { size == nil }
  }

  /// Evaluates the head of a response with status 200 or 206.
  /// - Throws: `changed` if it is of another file, `badResponse` if it contradicts itself or the request.
  init(_ head: ResponseHead, to request: Request) throws(MediaFailure) {
    let length = head.headers["content-length"].flatMap { Int($0) }
    etag = head.etag
    try request.etag.check(etag)
    let stated = head.headers["content-range"]
    guard head.status == 206 || stated != nil else {
      self = try Self.whole(length: length, etag: etag, request)
      return
    }
    guard let stated, let parsed = ContentRange(stated), let range = parsed.range, let total = parsed.total else {
      throw Self.bad("a partial response without a valid Content-Range")
    }
    if let size = request.size, size != total { throw .changedSource }
    guard range.lowerBound == request.range.lowerBound, range.upperBound == min(request.range.upperBound, total) else {
      throw Self.bad("the range \(range) instead of \(request.range)")
    }
    guard length == nil || length == range.count else { throw Self.bad("a length that differs from its range") }
    (start, count, self.total) = (range.lowerBound, range.count, total)
  }

  /// A server that ignores ranges sends everything: what was requested is cut out.
  private static func whole(length: Int?, etag: EntityTag?, _ request: Request) throws(MediaFailure) -> RangePlan {
    guard let length else {
      guard request.isFirst else { throw bad("the whole file instead of a range") }
      return RangePlan(start: 0, count: nil, total: nil, etag: etag)
    }
    guard length >= 0 else { throw bad("a negative length") }
    if let size = request.size, size != length {
      // Some servers send the part with the status of the whole.
      throw length == request.range.count ? bad("a part without a Content-Range") : .changedSource
    }
    var plan = RangePlan(start: 0, count: min(length, request.range.upperBound), total: length, etag: etag)
    plan.isUnproven = request.isFirst && length == request.range.count
    return plan
  }

  /// The plan for the response to a request for the first byte, which shows whether a body as long as its range was the whole file: a server without
  /// ranges sends the whole file again.
  init(_ head: ResponseHead, proving size: Int, etag: EntityTag?) throws(MediaFailure) {
    try etag.check(head.etag)
    let length = head.headers["content-length"].flatMap { Int($0) }
    let total = head.headers["content-range"].flatMap(ContentRange.init)?.total
    guard total ?? length == size else {
      throw Self.bad("as many bytes as requested, without a Content-Range and without stating the whole length")
    }
    self.init(start: 0, count: 0, total: size, etag: head.etag)
  }

  init(start: Int, count: Int?, total: Int?, etag: EntityTag?) {
    (self.start, self.count, self.total, self.etag) = (start, count, total, etag)
  }

  private static func bad(_ what: String) -> MediaFailure { .badResponse(detail: "the server sent \(what)") }
}

extension MediaFailure {
  /// The file is another one than before.
  static let changedSource = MediaFailure(.changed, "The source has changed since it was listed or first read.")

  /// The server's response is invalid.
  static func badResponse(detail: String) -> MediaFailure {
    MediaFailure(.badResponse, "The source's server sent an invalid response.", detail: detail)
  }

  /// The server, or the way to it, does not work at present.
  static func unavailableSource(detail: String) -> MediaFailure {
    MediaFailure(.sourceUnavailable, "The source cannot be reached at present.", detail: detail)
  }

  /// The time for the source is over.
  static let lateSource = MediaFailure(.sourceUnavailable, "The source did not answer in time.")
}
