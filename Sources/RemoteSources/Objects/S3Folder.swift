internal import Foundation
package import MediaModel

/// The objects of a bucket whose keys begin alike, as files of a folder: to write results there, and to read them again.
///
/// All methods block.
package final class S3Folder: Sendable {
  private let client: RemoteClient
  private let bucket: String
  /// Ends with a slash, unless it is empty.
  private let prefix: [UInt8]

  fileprivate init(_ client: RemoteClient, bucket: String, prefix: [UInt8]) {
    (self.client, self.bucket, self.prefix) = (client, bucket, prefix)
  }

  /// Size of an object in bytes, and its entity tag as the service states it; nil if there is none.
  package func look(at name: String) throws(MediaFailure) -> (bytes: Int, etag: String?)? {
    guard let found = try head(name) else { return nil }
    return (found.size, found.etag?.text)
  }

  /// Size and entity tag of an object, without its bytes; nil if there is none.
  func head(_ name: String) throws(MediaFailure) -> (size: Int, etag: EntityTag?)? {
    do throws(MediaFailure) {
      let head = try perform(RemoteOperation(method: "HEAD"), on: name).head
      guard let size = head?.headers["content-length"].flatMap({ Int($0) }), size >= 0 else {
        throw MediaFailure.badResponse(detail: "the server sent no size")
      }
      return (size, head?.etag)
    } catch {
      guard error.code == .notFound else { throw error }
      return nil
    }
  }

  /// Reads one version of an object from its beginning, piece by piece, until `body` returns false.
  /// - Returns: Whether there is such an object.
  package func read(_ name: String, _ body: ([UInt8]) throws -> Bool) throws -> Bool {
    let file = RemoteFile(client, .object(bucket: bucket, key: key(of: name)), etag: nil, bytes: nil, isBounded: false)
    let size: Int
    do throws(MediaFailure) { size = try file.size(until: deadline()) } catch {
      guard error.code == .notFound else { throw error }
      return false
    }
    var (offset, length) = (0, RangeWindows.base)
    while offset < size {
      let end = min(size, offset + length)
      guard try body(try file.read(offset..<end, until: deadline())) else { return true }
      file.release()
      (offset, length) = (end, min(2 * length, RangeWindows.largest))
    }
    return true
  }

  /// The names that end so, without those that contain a slash.
  package func names(endingWith suffix: String) throws(MediaFailure) -> [String] {
    try names(endingWith: suffix, pageSize: 1_000)
  }

  /// - Parameter pageSize: Maximum number of keys of one response.
  func names(endingWith suffix: String, pageSize: Int) throws(MediaFailure) -> [String] {
    var names: [String] = []
    try list(pageSize: pageSize) { object in if object.name.hasSuffix(suffix) { names.append(object.name) } }
    return names
  }

  /// Calls `body` with each object whose name has no slash, with its size in bytes and its entity tag as ``look(at:)`` has it, as far as the service states them:
  /// one request for 1,000 objects.
  package func list(_ body: (_ name: String, _ bytes: Int?, _ etag: String?) -> Void) throws(MediaFailure) {
    try list(pageSize: 1_000) { body($0.name, $0.bytes, $0.etag?.text) }
  }

  private func list(
    pageSize: Int, _ body: ((name: String, bytes: Int?, etag: EntityTag?)) -> Void
  ) throws(MediaFailure) {
    var token: String?
    repeat {
      var operation = RemoteOperation()
      operation.query = [
        ("delimiter", "/"), ("encoding-type", "url"), ("list-type", "2"), ("max-keys", "\(pageSize)"),
        ("prefix", String(decoding: prefix, as: UTF8.self)),
      ]
      if let token { operation.query.insert(("continuation-token", token), at: 0) }
      let page = ServiceXML(try perform(operation, on: nil, limit: Self.largestPage).bytes)
      let isEncoded = page.first("EncodingType") == "url"
      for object in page.parts("Contents") {
        guard let text = object.first("Key") else { continue }
        let key = isEncoded ? PercentEncoding.decoded(text.replacing("+", with: " ")) : Array(text.utf8)
        let name = String(decoding: key.dropFirst(prefix.count), as: UTF8.self)
        guard key.starts(with: prefix), !name.utf8.contains(UInt8(ascii: "/")) else { continue }
        let size = object.first("Size").flatMap { Int($0) }
        body((name, size.flatMap { $0 < 0 ? nil : $0 }, object.first("ETag").flatMap { EntityTag(requested: $0) }))
      }
      let next = page.first("IsTruncated") == "true" ? page.first("NextContinuationToken") : nil
      guard next == nil || next != token else {
        throw .badResponse(detail: "the service returned the same continuation token twice")
      }
      token = next
    } while token != nil
  }

  /// Removes an object, if there is one.
  package func remove(_ name: String) throws(MediaFailure) {
    do throws(MediaFailure) {
      _ = try perform(RemoteOperation(method: "DELETE"), on: name, accepted: [200, 204])
    } catch {
      guard error.code == .notFound else { throw error }
    }
  }

  /// Writes an object by one request, and checks its size.
  /// - Returns: Its entity tag; nil if the service did not state it.
  @discardableResult
  package func write(_ bytes: [UInt8], to name: String) throws(MediaFailure) -> String? {
    let operation = RemoteOperation(method: "PUT", headers: [("Content-Type", Self.type(of: name))], body: bytes)
    let etag = try perform(operation, on: name).head?.etag
    return try check(name, size: bytes.count, etag: etag)
  }

  /// Begins an object that appears when it is complete.
  package func upload(to name: String) -> S3Upload { S3Upload(name, in: self) }

  /// Compares what the service has with what was sent.
  /// - Returns: The entity tag of the object; nil if the response to the upload had none, as the object may be another one then.
  func check(_ name: String, size: Int, etag: EntityTag?) throws(MediaFailure) -> String? {
    guard let found = try head(name) else { throw .badResponse(detail: "the object is missing after its upload") }
    guard found.size == size else {
      throw .badResponse(detail: "the object has \(found.size.grouped) bytes, and \(size.grouped) were sent")
    }
    if let etag, let other = found.etag, !etag.matches(other) {
      throw .badResponse(detail: "the object was replaced after its upload")
    }
    return etag == nil ? nil : found.etag?.text
  }

  /// Sends a request about an object, or about the bucket.
  /// - Parameters:
  ///   - cancellation: Default: that of the client.
  ///   - limit: Maximum number of bytes of the response.
  func perform(
    _ operation: RemoteOperation, on name: String?, accepted: Set<Int> = [200], seconds: Double = S3Folder.seconds,
    cancellation: Cancellation? = nil, limit: Int = 1_048_576
  ) throws(MediaFailure) -> BodySink.Received {
    var attempt = RemoteAttempt(
      client: client, address: .object(bucket: bucket, key: name.map { key(of: $0) } ?? []),
      deadline: deadline(seconds),
      cancellation: cancellation ?? client.cancellation)
    attempt.operation = operation
    attempt.accepted = accepted
    let hasBody = operation.method != "HEAD"
    let sink = try attempt.run(
      { () throws(MediaFailure) in BodySink(limit: limit) },
      plan: { (head) throws(MediaFailure) in
        guard hasBody else { return RangePlan(start: 0, count: 0, total: nil, etag: nil) }
        return RangePlan(whole: head.headers["content-length"].flatMap { Int($0) })
      }, spent: { (_, _) throws(MediaFailure) in })
    return sink.close()
  }

  /// The type of an object by its name.
  static func type(of name: String) -> String {
    switch name.split(separator: ".").last {
    case "tar": "application/x-tar"
    case "ndjson": "application/x-ndjson"
    case "json": "application/json"
    default: "application/octet-stream"
    }
  }

  private func key(of name: String) -> [UInt8] { prefix + Array(name.utf8) }

  private func deadline(_ seconds: Double = S3Folder.seconds) -> ContinuousClock.Instant {
    .now.advanced(by: .milliseconds(Int64(1_000 * seconds)))
  }

  /// Seconds that one request may take, with its retries.
  static let seconds = 120.0
  private static let largestPage = 16_777_216
}

extension RemoteClient {
  /// The objects below `s3://bucket/prefix`; a slash at the end is ignored. Nothing is requested yet.
  /// - Throws: `invalidRequest`.
  package func folder(_ url: String) throws(MediaFailure) -> S3Folder {
    var text = url[...]
    while text.hasSuffix("/"), text.utf8.count > 5 { text = text.dropLast() }
    guard case .object(let bucket, let key) = try RemoteAddress("\(text)/x") else {
      throw MediaFailure(.invalidRequest, "A folder in S3 is written as s3://BUCKET/PREFIX.")
    }
    let parts = key.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard !parts.contains(where: { $0.isEmpty || $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8) }) else {
      throw MediaFailure(
        .invalidRequest, "The prefix of s3://BUCKET/PREFIX has a part that is empty, . or ..; remove that part.")
    }
    return S3Folder(self, bucket: bucket, prefix: key.dropLast())
  }
}
