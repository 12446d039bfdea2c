internal import Foundation
internal import HTTPTypes
internal import MediaService

extension Upload.Claims {
  /// What the header of a request with the bytes of a file states of it: `Content-Type`, `Content-Disposition`, `Repr-Digest`,
  /// `Upload-Draft`.
  /// - Parameter bodyIsFile: Whether the body is the whole file: then `Content-Digest`, the digest of the body, is that of the file.
  init(_ fields: HTTPFields, bodyIsFile: Bool) throws(ServiceError) {
    let disposition = fields[.contentDisposition].map(HeaderParameters.init)
    var digest = try Self.digest(fields[.reprDigest])
    if bodyIsFile, let content = try Self.digest(fields[.contentDigest]) {
      guard digest ?? content == content else {
        throw ServiceError(
          .checksumMismatch, "Repr-Digest and Content-Digest differ, although the body is the whole file.")
      }
      digest = content
    }
    self.init(
      name: disposition?.fileName, type: fields[.contentType], digest: digest,
      draft: try Self.draft(fields[.uploadDraft]))
  }

  /// The id of a draft.
  /// - Throws: `notFound` for a text that is not one.
  static func draft(_ text: String?) throws(ServiceError) -> String? {
    guard let text else { return nil }
    guard text.utf8.count == 32, text.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
    else { throw .notFound }
    return text
  }

  /// The SHA-256 in a digest field (RFC 9530); nil without one. Other algorithms are ignored.
  static func digest(_ field: String?) throws(ServiceError) -> [UInt8]? {
    guard let field else { return nil }
    for member in field.split(separator: ",") {
      let parts = member.split(separator: "=", maxSplits: 1).map { $0.filter { !$0.isWhitespace } }
      guard parts.count == 2, parts[0] == "sha-256" else { continue }
      guard parts[1].hasPrefix(":"), parts[1].hasSuffix(":"), parts[1].count > 2,
        let digest = Data(base64Encoded: String(parts[1].dropFirst().dropLast())), digest.count == 32
      else { throw ServiceError(.invalidRequest, "The digest must be sha-256=:…: with 32 bytes in base64.") }
      return [UInt8](digest)
    }
    return nil
  }

  /// What the metadata of tus states: `filename` or `name`, `filetype` or `type`, `sha256` in hexadecimal, `draft`.
  /// - Parameter draft: The field `Upload-Draft`, if the metadata has no draft.
  init(tusMetadata field: String?, draft: String? = nil) throws(ServiceError) {
    var values: [String: [UInt8]] = [:]
    for pair in (field ?? "").split(separator: ",") {
      let parts = pair.split(separator: " ")
      guard (1...2).contains(parts.count), parts[0].utf8.allSatisfy({ (0x21...0x7e).contains($0) }),
        let value = parts.count == 2 ? Data(base64Encoded: String(parts[1])) : Data()
      else { throw ServiceError(.invalidRequest, "Upload-Metadata must be pairs of a key and a value in base64.") }
      values[String(parts[0])] = [UInt8](value)
    }
    func text(_ keys: String...) -> String? {
      keys.lazy.compactMap { values[$0] }.first { !$0.isEmpty }.map { String(decoding: $0, as: UTF8.self) }
    }
    var digest: [UInt8]?
    if let text = text("sha256") {
      guard let bytes = HexadecimalDigest.decode(text) else {
        throw ServiceError(.invalidRequest, "The metadata sha256 must be 64 hexadecimal digits.")
      }
      digest = bytes
    }
    self.init(
      name: text("filename", "name"), type: text("filetype", "type"), digest: digest,
      draft: try Self.draft(text("draft") ?? draft))
  }
}

extension Upload.Checksum {
  /// The SHA-256 that the body of one request must have, by its `Content-Digest` (RFC 9530); nil without one.
  init?(contentDigest fields: HTTPFields) throws(ServiceError) {
    guard let digest = try Upload.Claims.digest(fields[.contentDigest]) else { return nil }
    self.init(.sha256, digest)
  }
}

/// A SHA-256 as hexadecimal digits of either case.
enum HexadecimalDigest {
  static func decode(_ text: String) -> [UInt8]? {
    let digits = Array(text.utf8)
    guard digits.count == 64 else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: 64, by: 2) {
      guard let high = value(digits[index]), let low = value(digits[index + 1]) else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case 0x30...0x39: digit - 0x30
    case 0x41...0x46: digit - 0x37
    case 0x61...0x66: digit - 0x57
    default: nil
    }
  }
}
