internal import Crypto
internal import FileSupport
internal import Foundation
package import MediaModel

/// An object that is written in parts and appears when it is complete: until then nobody sees it. Used by one thread at a time.
///
/// An object below one part is sent by one request. Otherwise at most one part is in memory. Parts of an upload that is neither completed nor
/// abandoned, because the process was killed, stay until a lifecycle rule of the bucket removes them (`AbortIncompleteMultipartUpload`).
package final class S3Upload {
  private let name: String
  private let folder: S3Folder
  private let partBytes: Int
  private var buffer: [UInt8] = []
  /// The upload at the service; nil before the first part.
  private var id: String?
  /// The entity tags of the parts, in order.
  private var parts: [EntityTag] = []
  private var count = 0

  /// - Parameter partBytes: Bytes of each part but the last: at least 5 MiB for AWS, and the same for all, as some services want it.
  init(_ name: String, in folder: S3Folder, partBytes: Int = 8_388_608) {
    (self.name, self.folder, self.partBytes) = (name, folder, partBytes)
  }

  /// Adds bytes to the object, and sends each part as soon as it is full.
  package func append(_ bytes: [UInt8]) throws(MediaFailure) {
    count += bytes.count
    buffer += bytes
    while buffer.count >= partBytes {
      try send(Array(buffer.prefix(partBytes)))
      buffer.removeFirst(partBytes)
    }
  }

  /// Makes the object appear, and compares its size and entity tag with what was sent.
  /// - Returns: Its entity tag; nil if the service did not state it.
  @discardableResult
  package func commit() throws(MediaFailure) -> String? {
    guard let id else { return try folder.write(buffer, to: name) }
    if !buffer.isEmpty { try send(buffer) }
    buffer = []
    let etag = try complete(id)
    self.id = nil
    return try folder.check(name, size: count, etag: etag)
  }

  /// Removes the parts that were sent, unless the object has appeared.
  /// - Returns: Whether nothing is left. Takes 5 seconds at most.
  package func abandon() -> Bool {
    guard let id else { return true }
    self.id = nil
    let operation = RemoteOperation(method: "DELETE", query: [("uploadId", id)])
    do throws(MediaFailure) {
      // Also after the client was cancelled.
      _ = try folder.perform(operation, on: name, accepted: [200, 204], seconds: 5, cancellation: Cancellation())
      return true
    } catch {
      return error.code == .notFound
    }
  }

  private func send(_ part: [UInt8]) throws(MediaFailure) {
    guard parts.count < Self.maxParts else {
      throw MediaFailure(.tooLarge, "The object has more than \(Self.maxParts.grouped) parts.")
    }
    let id = try begin()
    var operation = RemoteOperation(method: "PUT", body: part)
    operation.query = [("partNumber", "\(parts.count + 1)"), ("uploadId", id)]
    guard let etag = try folder.perform(operation, on: name).head?.etag else {
      throw .badResponse(detail: "the service sent no entity tag for a part")
    }
    parts.append(etag)
  }

  /// The id of the upload, which begins with the first part.
  private func begin() throws(MediaFailure) -> String {
    if let id { return id }
    let operation = RemoteOperation(
      method: "POST", query: [("uploads", "")], headers: [("Content-Type", S3Folder.type(of: name))])
    let answer = ServiceXML(try folder.perform(operation, on: name).bytes)
    guard let id = answer.first("UploadId"), !id.isEmpty else {
      throw .badResponse(detail: "the service sent no id for an upload")
    }
    self.id = id
    return id
  }

  /// Makes an object of the parts.
  /// - Returns: Its entity tag.
  private func complete(_ id: String) throws(MediaFailure) -> EntityTag? {
    let lines = parts.enumerated().map { index, etag in
      "<Part><PartNumber>\(index + 1)</PartNumber><ETag>\(etag.text.replacing("\"", with: "&quot;"))</ETag></Part>"
    }
    let text =
      "<CompleteMultipartUpload xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">\(lines.joined())</CompleteMultipartUpload>"
    let operation = RemoteOperation(
      method: "POST", query: [("uploadId", id)], headers: [("Content-Type", "application/xml")], body: Array(text.utf8))
    for attempt in 1... {
      let answer: ServiceXML
      do throws(MediaFailure) {
        answer = ServiceXML(try folder.perform(operation, on: name, seconds: Self.seconds).bytes)
      } catch {
        // An attempt whose response was lost has completed the upload, and the next one does not find it.
        guard error.code == .notFound, let found = try folder.head(name)?.etag, found == expected else { throw error }
        return found
      }
      // Services that need long for this answer 200 first, and how it ended later.
      if answer.has("CompleteMultipartUploadResult") {
        return answer.first("ETag").flatMap { EntityTag(requested: $0) }
      }
      let code = answer.first("Code")
      let isTransient = code == "InternalError" || RetryPolicy.reason(status: 200, code: code) != nil
      guard isTransient, attempt < RetryPolicy.attempts else {
        throw .unavailableSource(detail: "the upload was not completed\(code.map { ", \($0)" } ?? "")")
      }
    }
    throw .unavailableSource(detail: "the upload was not completed")
  }

  /// The entity tag that services make of those of the parts: MD5 of their digests, and their number. Nil for parts whose tags are not digests.
  private var expected: EntityTag? {
    var digests = Data()
    for part in parts {
      let digits = part.opaque.dropFirst().dropLast().lowercased()
      guard let digest = Hexadecimal.decode(digits), digest.count == 16 else { return nil }
      digests.append(contentsOf: digest)
    }
    let text = Hexadecimal.encode(Insecure.MD5.hash(data: digests))
    return EntityTag("\"\(text)-\(parts.count)\"")
  }

  private static let maxParts = 10_000
  /// For putting the parts together, which takes some services minutes.
  private static let seconds = 600.0
}
