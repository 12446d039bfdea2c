internal import HTTPTypes
internal import Hummingbird
internal import MediaService

/// Header fields of uploads.
extension HTTPField.Name {
  static let tusResumable = known("Tus-Resumable")
  static let tusVersion = known("Tus-Version")
  static let tusExtension = known("Tus-Extension")
  static let tusMaxSize = known("Tus-Max-Size")
  static let tusChecksumAlgorithm = known("Tus-Checksum-Algorithm")
  static let uploadOffset = known("Upload-Offset")
  static let uploadLength = known("Upload-Length")
  static let uploadDeferLength = known("Upload-Defer-Length")
  static let uploadMetadata = known("Upload-Metadata")
  static let uploadExpires = known("Upload-Expires")
  static let uploadChecksum = known("Upload-Checksum")
  static let uploadComplete = known("Upload-Complete")
  static let uploadIncomplete = known("Upload-Incomplete")
  static let uploadLimit = known("Upload-Limit")
  static let uploadInteropVersion = known("Upload-Draft-Interop-Version")
  static let uploadDraft = known("Upload-Draft")
  static let reprDigest = known("Repr-Digest")
  static let contentDigest = known("Content-Digest")
  static let methodOverride = known("X-HTTP-Method-Override")
  static let idempotencyKey = known("Idempotency-Key")

  /// A name in this file, which is a token; another one would be sent instead of it, and no test would pass.
  private static func known(_ name: String) -> HTTPField.Name { HTTPField.Name(name) ?? .trailer }
}

extension HTTPFields {
  /// The value of a field that is a number of bytes; nil without the field. Digits alone: no sign, no exponent, no list.
  /// - Throws: 400 for any other text, and for numbers above 2^63 - 1.
  func bytes(_ name: HTTPField.Name) throws(ServiceError) -> Int? {
    guard let text = self[name] else { return nil }
    let digits = text.utf8
    guard (1...19).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text)
    else { throw ServiceError(.invalidRequest, "The header field \(name.rawName) must be a number of bytes.") }
    return number
  }

  /// The value of a field that is a Boolean of RFC 9651; nil without the field.
  /// - Throws: 400 for any other text.
  func flag(_ name: HTTPField.Name) throws(ServiceError) -> Bool? {
    switch self[name] {
    case nil: return nil
    case "?1": return true
    case "?0": return false
    default: throw ServiceError(.invalidRequest, "The header field \(name.rawName) must be ?0 or ?1.")
    }
  }

  /// The media type of the body, without parameters; nil without the field.
  var mediaType: String? {
    self[.contentType].map { String($0.prefix { $0 != ";" }.filter { !$0.isWhitespace }).lowercased() }
  }
}

extension Request {
  /// Whether the request has a body, as its head says. HTTP/2 states no transfer coding: there a body without a length counts if it has a type.
  var hasBody: Bool {
    if let length = headers[.contentLength] { return length != "0" }
    return headers[.transferEncoding] != nil || headers[.contentType] != nil
  }
}
