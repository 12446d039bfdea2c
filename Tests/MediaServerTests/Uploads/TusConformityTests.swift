internal import RawHTTP
internal import Testing

/// The cases of tus-java-server's `tus_conformity_test.py` that no other suite has, with a whole server. Not those of concatenation, which the service
/// does not announce, and not the empty file, which its rules refuse.
@Suite("tus 1.0: conformity") struct TusConformityTests {
  /// One request of a case, and what is expected of the answer.
  struct Step: Sendable {
    var method: String
    var target = Target.upload
    var fields: [String: String] = [:]
    /// Bytes of the body; nil for none.
    var bytes: Int?
    var status: Int
    /// Fields of the answer.
    var answer: [String: String] = [:]
    /// Fields that the answer does not have.
    var absent: [String] = []
    /// Whether the request states the version of tus.
    var hasVersion = true

    static func head(_ offset: Int, _ more: [String: String] = [:], absent: [String] = []) -> Step {
      let own = ["Upload-Offset": "\(offset)", "Cache-Control": "no-store"]
      return Step(method: "HEAD", status: 200, answer: own.merging(more) { $1 }, absent: absent)
    }

    static func patch(
      at offset: Int, _ bytes: Int, _ fields: [String: String] = [:], status: Int = 204,
      answer: [String: String] = [:]
    ) -> Step {
      let own = ["Upload-Offset": "\(offset)", "Content-Type": "application/offset+octet-stream"]
      return Step(
        method: "PATCH", fields: own.merging(fields) { $1 }, bytes: bytes, status: status, answer: answer)
    }
  }

  enum Target: Sendable { case collection, upload, unknown }

  /// Requests in their order. The upload is the one that the last creation made.
  struct Case: Sendable, CustomTestStringConvertible {
    let rule: String
    let steps: [Step]
    var testDescription: String { rule }

    init(_ rule: String, _ steps: Step...) { (self.rule, self.steps) = (rule, steps) }
  }

  private static let bodyType = ["Content-Type": "application/offset+octet-stream"]

  /// A creation of an upload.
  private static func create(
    _ fields: [String: String] = ["Upload-Length": "100"], status: Int = 201, absent: [String] = []
  ) -> Step {
    Step(method: "POST", target: .collection, fields: fields, bytes: 0, status: status, absent: absent)
  }

  /// A creation with the first bytes.
  private static func create(
    _ length: Int, sending bytes: Int, as type: String = "application/offset+octet-stream", status: Int = 201,
    answer: [String: String] = [:], absent: [String] = []
  ) -> Step {
    Step(
      method: "POST", target: .collection, fields: ["Upload-Length": "\(length)", "Content-Type": type], bytes: bytes,
      status: status, answer: answer, absent: absent)
  }

  /// A POST for another method.
  private static func overriding(
    _ method: String, _ fields: [String: String] = [:], bytes: Int = 0, status: Int, answer: [String: String] = [:]
  ) -> Step {
    Step(
      method: "POST", fields: fields.merging(["X-HTTP-Method-Override": method]) { $1 }, bytes: bytes, status: status,
      answer: answer)
  }

  private static let offsets = Case(
    "A piece adds its bytes to the offset", create(), .patch(at: 0, 40, answer: ["Upload-Offset": "40"]), .head(40),
    .patch(at: 40, 40, answer: ["Upload-Offset": "80"]), .head(80),
    .patch(at: 80, 20, answer: ["Upload-Offset": "100"]), .head(100, ["Upload-Length": "100"]))

  private static let conflicts = Case(
    "Another offset than the present one is 409 with the present one, and nothing is changed", create(),
    .patch(at: 50, 10, status: 409, answer: ["Upload-Offset": "0"]), .head(0), .patch(at: 0, 40),
    .patch(at: 5, 10, status: 409, answer: ["Upload-Offset": "40"]), .head(40))

  private static let overrides = Case(
    "POST with X-HTTP-Method-Override is the method that it names", create(),
    overriding(
      "PATCH", ["Upload-Offset": "0", "Content-Type": "application/offset+octet-stream"], bytes: 40, status: 204,
      answer: ["Upload-Offset": "40"]),
    overriding("HEAD", status: 200, answer: ["Upload-Offset": "40"]), overriding("PUT", status: 405), .head(40))

  private static let lengths = Case(
    "A deferred length is stated once", create(["Upload-Defer-Length": "1"]),
    .head(0, ["Upload-Defer-Length": "1"], absent: ["Upload-Length"]), .patch(at: 0, 40, ["Upload-Length": "80"]),
    .head(40, ["Upload-Length": "80"], absent: ["Upload-Defer-Length"]),
    .patch(at: 40, 40, ["Upload-Length": "120"], status: 400), .head(40, ["Upload-Length": "80"]))

  private static let termination = Case(
    "A terminated upload is 410 for every later request", create(), .patch(at: 0, 40),
    Step(method: "DELETE", status: 204), Step(method: "HEAD", status: 410, absent: ["Upload-Offset"]),
    .patch(at: 40, 10, status: 410), Step(method: "DELETE", status: 410))

  private static let unknown = Case(
    "An unknown upload is 404 without an offset",
    Step(method: "HEAD", target: .unknown, status: 404, absent: ["Upload-Offset"]),
    Step(
      method: "PATCH", target: .unknown,
      fields: ["Upload-Offset": "0", "Content-Type": "application/offset+octet-stream"], bytes: 10, status: 404),
    Step(method: "DELETE", target: .unknown, status: 404))

  static let core: [Case] = [
    Case(
      "OPTIONS ignores Tus-Resumable, whatever it states",
      Step(
        method: "OPTIONS", target: .collection, fields: ["Tus-Resumable": "9.9.9"], status: 204,
        answer: ["Tus-Version": "1.0.0"], hasVersion: false)),
    Case(
      "A creation without Tus-Resumable is refused with the version that is spoken",
      Step(
        method: "POST", target: .collection, fields: ["Upload-Length": "100"], bytes: 0, status: 412,
        answer: ["Tus-Version": "1.0.0"], absent: ["Location"], hasVersion: false)),
    Case(
      "A new upload has the offset 0 and its length", create(),
      .head(0, ["Upload-Length": "100"], absent: ["Upload-Defer-Length"])),
    unknown, offsets, conflicts, overrides,
  ]

  static let extensions: [Case] = [
    lengths,
    Case(
      "Metadata is repeated unchanged, also without a value",
      create(["Upload-Length": "100", "Upload-Metadata": "filename YS50eHQ=,is_confidential"]),
      .head(0, ["Upload-Metadata": "filename YS50eHQ=,is_confidential"])),
    Case(
      "A creation with the whole file is complete", create(100, sending: 100, answer: ["Upload-Offset": "100"]),
      .head(100, ["Upload-Length": "100"])),
    Case(
      "A creation with a part of the file is continued", create(100, sending: 40, answer: ["Upload-Offset": "40"]),
      .head(40), .patch(at: 40, 60, answer: ["Upload-Offset": "100"])),
    Case(
      "A creation whose body has another type is 415, and creates nothing",
      create(100, sending: 20, as: "text/plain", status: 415, absent: ["Location"])),
    Case("A creation with more bytes than its length is 400", create(10, sending: 20, status: 400)),
    termination,
    Case(
      "A complete upload can be terminated", create(100, sending: 100), Step(method: "DELETE", status: 204),
      Step(method: "HEAD", status: 410)),
  ]

  @Test("Requests are answered as the protocol demands", arguments: core + extensions)
  func conformity(_ rules: Case) async throws {
    try await TestServer.start { server in
      var address = ""
      for (number, step) in rules.steps.enumerated() {
        let target =
          switch step.target {
          case .collection: "/v1/uploads"
          case .upload: address
          case .unknown: "/v1/uploads/00112233445566778899aabbccddeeff"
          }
        var fields = step.fields
        if step.hasVersion { fields["Tus-Resumable"] = "1.0.0" }
        let answer = try await server.request(step.method, target, fields, body: step.bytes.map(UploadServer.text))
        #expect(answer.status == step.status, "step \(number): \(answer.text)")
        for (name, value) in step.answer { #expect(answer[name] == value, "step \(number): \(name)") }
        for name in step.absent { #expect(answer[name] == nil, "step \(number): \(name)") }
        if step.hasVersion { #expect(answer["Tus-Resumable"] == "1.0.0", "step \(number)") }
        if step.target == .collection, let location = answer["Location"] { address = location }
      }
    }
  }

  @Test("Creations and pieces have Upload-Expires as a date of HTTP") func expiration() async throws {
    try await TestServer.start { server in
      let tus = ["Tus-Resumable": "1.0.0"]
      let created = try await server.request(
        "POST", "/v1/uploads", tus.merging(["Upload-Length": "100"]) { $1 }, body: [])
      let piece = try await server.request(
        "PATCH", try #require(created["Location"]),
        tus.merging(Self.bodyType) { $1 }.merging(["Upload-Offset": "0"]) { $1 }, body: UploadServer.text(40))
      for answer in [created, piece] {
        let date = try #require(answer["Upload-Expires"])
        #expect(date.wholeMatch(of: #/[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT/#) != nil, "\(date)")
      }
    }
  }

  @Test("Of two pieces at the same offset and time at most one is answered with 204, and the bytes of one are kept")
  func sameOffset() async throws {
    try await TestServer.start { server in
      let tus = ["Tus-Resumable": "1.0.0"]
      let created = try await server.request(
        "POST", "/v1/uploads", tus.merging(["Upload-Length": "100"]) { $1 }, body: [])
      let address = try #require(created["Location"])
      let fields = tus.merging(Self.bodyType) { $1 }.merging(["Upload-Offset": "0"]) { $1 }
      let statuses = await withTaskGroup(of: Int?.self) { group in
        for _ in 0..<2 {
          // The connection of the one that is replaced ends without an answer.
          group.addTask { try? await server.request("PATCH", address, fields, body: UploadServer.text(40)).status }
        }
        return await group.reduce(into: [Int?]()) { $0.append($1) }
      }
      #expect(statuses.filter { $0 == 204 }.count <= 1)
      #expect(try await server.request("HEAD", address, tus)["Upload-Offset"] == "40")
    }
  }

  @Test("A HEAD without Tus-Resumable does not end the request that sends bytes")
  func notProcessed() async throws {
    try await UploadServer.start { server in
      let text = UploadServer.text(100_000)
      let address = try await server.create(text.count)
      let connection = try await RawConnection(port: server.port)
      let head = """
        PATCH \(address) HTTP/1.1\r\nHost: x\r\nTus-Resumable: 1.0.0\r\nUpload-Offset: 0\r
        Content-Type: application/offset+octet-stream\r\nContent-Length: \(text.count)\r\n\r\n
        """
      try await connection.send(Array(head.utf8) + text[..<40_000])
      while try server.parts().isEmpty { await Task.yield() }
      #expect(try await server.request("HEAD", address).status == 412)
      try await connection.send(Array(text[40_000...]))
      let answer = try await connection.readResponse()
      #expect(answer.status == 204)
      #expect(answer["Upload-Offset"] == "\(text.count)")
    }
  }
}
