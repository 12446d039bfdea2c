internal import Hummingbird
internal import MediaService
internal import NIOCore

/// A form with one file (RFC 7578). Read in order: the fields before the file, the bytes of the file, the fields after it. For one task.
///
/// As a sequence it has the bytes of the file. It ends when the whole form was read and is valid, so that nothing of an invalid one is kept.
final class MultipartForm: AsyncSequence {
  static let mediaType = "multipart/form-data"
  /// Bytes of all fields that are not files.
  static let maxValueBytes = 65_536

  /// The fields that are about the file: they come before it, so that none is ignored.
  private static let fieldsOfFile: Set<String> = ["sha256", "draft"]

  /// What is wrong with the form, if anything is.
  private(set) var failure: ServiceError?
  private var scanner: MultipartScanner
  private var body: RequestBody.AsyncIterator
  private var hasFile = false
  private var values: [String: [UInt8]] = [:]
  private var valueBytes = 0
  /// The name of the field whose value is being read; nil in the file.
  private var field: String?

  /// The length that the form must have; nil for any.
  private let length: Int?
  private var received = 0

  /// - Parameters:
  ///   - contentType: The field with the boundary.
  ///   - length: The length of the form as the request states it; nil for any.
  /// - Throws: `invalidRequest`.
  init(_ body: RequestBody, contentType: String, length: Int? = nil) throws(ServiceError) {
    self.length = length
    do throws(MultipartScanner.Failure) {
      scanner = try MultipartScanner(boundary: HeaderParameters(contentType).parameters["boundary"] ?? "")
    } catch {
      throw Self.error(error)
    }
    self.body = body.makeAsyncIterator()
  }

  /// Reads up to the bytes of the file.
  /// - Returns: What the form states of the file. Its SHA-256 is a field `sha256` in hexadecimal, and the draft for which it is uploaded a field
  ///   `draft`, both before it; after it they are refused.
  func readToFile() async throws(ServiceError) -> Upload.Claims {
    while let event = try await event() {
      guard let claims = try take(event) else { continue }
      return claims
    }
    throw fail(ServiceError(.invalidRequest, "The form has no file."))
  }

  func makeAsyncIterator() -> Iterator { Iterator(form: self) }

  /// The bytes of the file, and then the check of what follows.
  struct Iterator: AsyncIteratorProtocol {
    let form: MultipartForm

    mutating func next() async throws -> [UInt8]? {
      while let event = try await form.event() {
        if case .bytes(let bytes) = event, form.field == nil { return bytes }
        _ = try form.take(event)
      }
      return nil
    }
  }

  /// The next event; nil after the end of the form.
  private func event() async throws(ServiceError) -> MultipartScanner.Event? {
    while true {
      let event: MultipartScanner.Event?
      do throws(MultipartScanner.Failure) {
        event = try scanner.next()
        if event == .end { try await drain() }
      } catch {
        throw fail(Self.error(error))
      }
      if event == .end {
        try checkLength()
        return nil
      }
      if let event { return event }
      guard let buffer = try await read() else { throw fail(Self.error(.truncated)) }
      scanner.add(buffer.readableBytesView)
    }
  }

  private func read() async throws(ServiceError) -> ByteBuffer? {
    do {
      let buffer = try await body.next(isolation: #isolation)
      received += buffer?.readableBytes ?? 0
      return buffer
    } catch {
      throw fail(ServiceError(.incomplete, "The form is incomplete: the body ended before the closing boundary."))
    }
  }

  /// `Content-Length` is kept by the parser; `Upload-Length` with chunks is not.
  private func checkLength() throws(ServiceError) {
    guard let length, length != received else { return }
    throw fail(ServiceError(.lengthMismatch, "Upload-Length is \(length), but the body has \(received) bytes."))
  }

  /// Reads what follows the last boundary, which is a line break.
  private func drain() async throws(MultipartScanner.Failure) {
    var bytes = 0
    while let buffer = try? await body.next(isolation: #isolation) {
      bytes += buffer.readableBytes
      received += buffer.readableBytes
      if bytes > MultipartScanner.maxFieldBytes { throw .tooMuch }
    }
  }

  /// Takes an event outside of the file.
  /// - Returns: What is stated of the file, if it begins.
  private func take(_ event: MultipartScanner.Event) throws(ServiceError) -> Upload.Claims? {
    switch event {
    case .part(let fields):
      let disposition = HeaderParameters(fields.first { $0.name == "content-disposition" }?.value ?? "")
      guard disposition.value == "form-data", let name = disposition.parameters["name"] else {
        throw fail(ServiceError(.invalidRequest, "A part of the form has no name."))
      }
      guard let fileName = disposition.fileName else {
        guard !hasFile || !Self.fieldsOfFile.contains(name) else {
          throw fail(ServiceError(.invalidRequest, "The field \(name) must come before the file of the form."))
        }
        guard values[name] == nil else {
          throw fail(ServiceError(.invalidRequest, "The form has the field `\(name.prefix(100))` twice."))
        }
        (field, values[name]) = (name, [])
        return nil
      }
      guard !hasFile else { throw fail(ServiceError(.invalidRequest, "The form has more than one file.")) }
      (hasFile, field) = (true, nil)
      return try claims(fileName, type: fields.first { $0.name == "content-type" }?.value)
    case .bytes(let bytes):
      guard let field else { return nil }
      valueBytes += bytes.count
      guard valueBytes <= Self.maxValueBytes else { throw fail(Self.error(.tooMuch)) }
      values[field, default: []] += bytes
      return nil
    case .partEnd:
      // Without a field's name the following bytes would be the file's.
      field = field ?? (hasFile ? "" : nil)
      return nil
    case .end: return nil
    }
  }

  private func claims(_ name: String, type: String?) throws(ServiceError) -> Upload.Claims {
    let draft: String?
    do throws(ServiceError) {
      draft = try Upload.Claims.draft(values["draft"].map { String(decoding: $0, as: UTF8.self) })
    } catch {
      throw fail(error)
    }
    guard let digest = values["sha256"] else { return Upload.Claims(name: name, type: type, draft: draft) }
    guard let bytes = HexadecimalDigest.decode(String(decoding: digest, as: UTF8.self)) else {
      throw fail(ServiceError(.invalidRequest, "The field sha256 must be 64 hexadecimal digits."))
    }
    return Upload.Claims(name: name, type: type, digest: bytes, draft: draft)
  }

  private func fail(_ error: ServiceError) -> ServiceError {
    failure = failure ?? error
    return error
  }

  private static func error(_ failure: MultipartScanner.Failure) -> ServiceError {
    switch failure {
    case .boundary: ServiceError(.invalidRequest, "The boundary of the form is missing or invalid.")
    case .tooMuch:
      ServiceError(
        .tooLarge,
        "The form has too many parts (at most \(MultipartScanner.maxParts)), or parts besides the file that are too large."
      )
    case .malformed: ServiceError(.invalidRequest, "The form is malformed.")
    case .truncated: ServiceError(.incomplete, "The form is incomplete: the body ended before the closing boundary.")
    }
  }
}
