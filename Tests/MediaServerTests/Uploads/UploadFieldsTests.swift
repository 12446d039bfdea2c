internal import HTTPTypes
internal import MediaService
internal import Testing

@testable internal import MediaServer

@Suite("Header fields of uploads") struct UploadFieldsTests {
  private func field(_ name: String) throws -> HTTPField.Name { try #require(HTTPField.Name(name)) }

  @Test(
    "A number of bytes has digits alone",
    arguments: ["-1", "+5", "1e9", "", "1 2", "0x10", "9223372036854775808", "99999999999999999999", "1, 1", "٣"])
  func numbers(text: String) {
    let fields: HTTPFields = [.uploadOffset: text]
    #expect(throws: ServiceError.self) { try fields.bytes(.uploadOffset) }
  }

  @Test("The largest number of bytes is 2^63 - 1")
  func largest() throws {
    let fields: HTTPFields = [.uploadOffset: "9223372036854775807"]
    #expect(try fields.bytes(.uploadOffset) == .max)
    #expect(try HTTPFields().bytes(.uploadOffset) == nil)
  }

  @Test("Tus-Resumable decides for tus, whatever else a phone adds")
  func phone() throws {
    let fields: HTTPFields = [
      .tusResumable: "1.0.0", .uploadComplete: "?1", .uploadInteropVersion: "6", .uploadOffset: "0",
    ]
    #expect(try UploadProtocol(fields) == .tus)
  }

  @Test("Another version of tus is refused with the one that is spoken")
  func tusVersion() {
    #expect(throws: Problem.self) { try UploadProtocol([.tusResumable: "0.2.2"]) }
  }

  @Test("The IETF form is known by its fields; in version 3 they state the opposite")
  func versions() throws {
    #expect(try UploadProtocol([.uploadComplete: "?0"]) == .ietf(.init(version: nil, isLast: false)))
    #expect(
      try UploadProtocol([.uploadInteropVersion: "8", .uploadComplete: "?1"]) == .ietf(.init(version: 8, isLast: true)))
    #expect(
      try UploadProtocol([.uploadInteropVersion: "3", .uploadIncomplete: "?0"])
        == .ietf(.init(version: 3, isLast: true)))
    #expect(UploadProtocol.Interop(version: 3).completeness(true).value == "?0")
    #expect(UploadProtocol.Interop(version: 6).completeness(true).value == "?1")
    #expect(try UploadProtocol([:]) == .plain)
  }

  @Test("A version that is not spoken is a plain request if it has the whole file, and is refused otherwise")
  func unknownVersion() throws {
    #expect(try UploadProtocol([.uploadInteropVersion: "99", .uploadComplete: "?1"]) == .plain)
    #expect(throws: ServiceError.self) {
      try UploadProtocol([.uploadInteropVersion: "99", .uploadComplete: "?0"])
    }
  }

  @Test(
    "A file name is taken from a disposition however it is written",
    arguments: [
      ("attachment; filename=a.jpg", "a.jpg"), ("form-data; name=\"f\"; filename=\"a;b.jpg\"", "a;b.jpg"),
      ("attachment; filename=\"x\"; filename*=UTF-8''na%C3%AFve.jpg", "naïve.jpg"),
      ("attachment; filename*=utf-8'en'%e2%82%ac", "€"), ("attachment; filename=\"a\\\"b\"", "a\"b"),
      ("attachment; filename*=latin1''a; filename=b", "b"), ("attachment; filename*=UTF-8''%zz; filename=b", "b"),
      ("attachment", nil), ("attachment; filename=\"never closed", "never closed"),
    ])
  func dispositions(field: String, name: String?) { #expect(HeaderParameters(field).fileName == name) }

  @Test("The metadata of tus states name, type and digest; what is not base64 is refused")
  func metadata() throws {
    let claims = try Upload.Claims(tusMetadata: "filename aS5qcGc=,filetype aW1hZ2UvanBlZw==,is_private")
    #expect(claims == Upload.Claims(name: "i.jpg", type: "image/jpeg"))
    for text in ["filename ?", "a b c", "sha256 aS5qcGc="] {
      #expect(throws: ServiceError.self, "\(text)") { try Upload.Claims(tusMetadata: text) }
    }
  }

  @Test("A digest field has the SHA-256 among others")
  func digests() throws {
    let digest = [UInt8](repeating: 0xab, count: 32)
    let text = "sha-512=:AAAA:, sha-256=:q6urq6urq6urq6urq6urq6urq6urq6urq6urq6urq6s=:"
    #expect(try Upload.Claims.digest(text) == digest)
    #expect(try Upload.Claims.digest("sha-512=:AAAA:") == nil)
    #expect(throws: ServiceError.self) { try Upload.Claims.digest("sha-256=:AAAA:") }
  }

  @Test("Dates are those of HTTP and of ISO 8601")
  func dates() {
    #expect(HTTPDate.field(784_111_777) == "Sun, 06 Nov 1994 08:49:37 GMT")
    #expect(HTTPDate.iso8601(784_111_777) == "1994-11-06T08:49:37Z")
    #expect(HTTPDate.field(951_827_696) == "Tue, 29 Feb 2000 12:34:56 GMT")
    #expect(HTTPDate.field(0) == "Thu, 01 Jan 1970 00:00:00 GMT")
    #expect(HTTPDate.field(4_107_542_400) == "Mon, 01 Mar 2100 00:00:00 GMT")
  }
}
