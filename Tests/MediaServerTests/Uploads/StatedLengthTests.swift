internal import Foundation
internal import MediaLibrary
internal import RawHTTP
internal import Testing

@testable internal import MediaServer
@testable internal import MediaService

/// `Upload-Length` of a file in one request: the length of the body, or a mistake.
@Suite struct StatedLengthTests {
  private static let text = UploadServer.text(1_000)
  private static let formType = "multipart/form-data; boundary=b0undary"
  private static var form: [UInt8] {
    Array("--b0undary\r\nContent-Disposition: form-data; name=\"f\"; filename=\"a.txt\"\r\n\r\n".utf8) + text
      + Array("\r\n--b0undary--\r\n".utf8)
  }

  @Test(arguments: ["text/plain", formType])
  func `An Upload-Length other than Content-Length is answered with 400 before the body is asked for`(type: String)
    async throws
  {
    try await TestServer.start { server in
      for length in [
        "0", "999", "1001", "9223372036854775807", "9223372036854775808", "-1000", "+1000", "1e3", "1000, 1",
      ] {
        let connection = try await server.connect()
        defer { connection.close() }
        try await connection.send(
          "POST /v1/attachments HTTP/1.1\r\nHost: localhost\r\nContent-Type: \(type)\r\nExpect: 100-continue\r\n"
            + "Content-Length: 1000\r\nUpload-Length: \(length)\r\nIdempotency-Key: \"a\"\r\n\r\n")
        // A body that is read is asked for with 100.
        var answer = try await connection.readHead()
        #expect(answer.status == 400, "\(length)")
        answer.body = try await connection.readBody(of: answer)
        let code = Int(length).map { $0 >= 0 && !length.hasPrefix("+") } == true ? "lengthMismatch" : "invalidRequest"
        #expect(answer.json["code"] as? String == code, "\(length)")
      }
      #expect(try await server.service.library.catalogue.counts(in: .all).isEmpty)
    }
  }

  @Test func `Two different fields Upload-Length are answered with 400`() async throws {
    try await UploadServer.start { server in
      let connection = try await RawConnection(port: server.port)
      defer { connection.close() }
      try await connection.send(
        Array(
          "POST /v1/attachments HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\nUpload-Length: 1000\r\nUpload-Length: 10\r\n\r\n"
            .utf8) + Self.text)
      #expect(try await connection.readResponse().status == 400)
    }
  }

  @Test(arguments: ["text/plain", formType])
  func `An Upload-Length that is the length of the body is accepted`(type: String) async throws {
    try await UploadServer.start { server in
      let body = type == Self.formType ? Self.form : Self.text
      let fields = ["Content-Type": type, "Upload-Length": "\(body.count)"]
      let whole = try await server.request("POST", "/v1/attachments", fields, body: body)
      #expect(whole.status == 201)
      let chunks = try await chunked(body, type, length: body.count, to: server)
      #expect(chunks.status == 201)
    }
  }

  @Test(arguments: ["text/plain", formType])
  func `Of chunks with another length than Upload-Length nothing is kept`(type: String) async throws {
    try await UploadServer.start { server in
      let body = type == Self.formType ? Self.form : Self.text
      for length in [0, body.count - 1, body.count + 1] {
        let answer = try await chunked(body, type, length: length, to: server)
        #expect(answer.status == 400, "\(length) of \(body.count)")
      }
      #expect(try server.parts() == [])
      #expect(try await server.service.library.catalogue.counts(in: .all).isEmpty)
    }
  }

  private func chunked(_ body: [UInt8], _ type: String, length: Int, to server: UploadServer) async throws
    -> RawResponse
  {
    let connection = try await RawConnection(port: server.port)
    defer { connection.close() }
    try await connection.send(
      Array(
        ("POST /v1/attachments HTTP/1.1\r\nHost: x\r\nContent-Type: \(type)\r\nTransfer-Encoding: chunked\r\n"
          + "Upload-Length: \(length)\r\n\r\n\(String(body.count, radix: 16))\r\n").utf8)
        + body + Array("\r\n0\r\n\r\n".utf8))
    return try await connection.readResponse()
  }
}
