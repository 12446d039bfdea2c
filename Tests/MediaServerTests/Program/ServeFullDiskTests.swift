internal import Foundation
internal import RawHTTP
internal import TestSupport
internal import Testing

@Suite("mediatool serve: a disk that fills up", .serialized) struct ServeFullDiskTests {
  /// Why no disk can be mounted here; nil where one can.
  private static let obstacle: String? = {
    guard let unshare = try? Tool("unshare", package: "util-linux") else { return "there is no unshare" }
    let result = try? unshare.run(["--mount", "--propagation", "private", "mount", "-t", "tmpfs", "none", "/mnt"])
    return result?.status == 0 ? nil : "this process may not mount: \(result?.errors ?? "")"
  }()

  @Test(
    "R-MYM-23: uploads are refused with 507 and Retry-After, nothing acknowledged is lost, and they go on when there is room"
  )
  func fills() async throws {
    if let obstacle = Self.obstacle {
      print("skipped: \(obstacle)")
      return
    }
    let folder = try TemporaryFolder()
    try folder.write([], to: "library/none")
    let library = folder.path("library")
    // The disk is in the name space of the server alone.
    let script = #"mount -t tmpfs -o size=6m none "$0" && exec "$@""#
    let wrapper = ["unshare", "--mount", "--propagation", "private", "sh", "-c", script, library]
    try await ServerProgram.serving(library, wrapper: wrapper) { program, port in
      let connection = try await RawConnection(port: port)
      let tus = ["Tus-Resumable": "1.0.0"]
      let piece = tus.merging(["Content-Type": "application/offset+octet-stream"]) { $1 }
      let large = ResumingClient.text(1_000)
      let created = try await connection.request(
        "POST", "/v1/uploads", tus.merging(["Upload-Length": "\(large.count)"]) { $1 }, body: [])
      let address = try #require(created["Location"])
      let half = try await connection.request(
        "PATCH", address, piece.merging(["Upload-Offset": "0"]) { $1 }, body: Array(large[..<100_000]))
      #expect(half.status == 204)

      var kept: [(id: String, number: Int)] = []
      var refusal: RawResponse?
      for number in 0..<100 {
        let answer = try await Self.post(number, port)
        if answer.status == 201, let id = answer.json["id"] as? String {
          kept.append((id, number))
        } else {
          refusal = answer
          break
        }
      }
      let refused = try #require(refusal)
      #expect(refused.status == 507, "\(refused.text)")
      #expect(refused["Retry-After"].flatMap { Int($0) } ?? 0 > 0)
      #expect(refused.json["code"] as? String == "diskFull")
      #expect(!kept.isEmpty)
      // Reading goes on.
      for (id, number) in kept {
        let original = try await Self.get("/v1/attachments/\(id)/original", port)
        #expect(original.status == 200, "\(number): \(original.status)")
        #expect(original.body == ResumingClient.text(number), "\(number): \(original.status)")
      }
      let full = try await Self.request("HEAD", address, tus, nil, port)
      #expect(full["Upload-Offset"] == "100000", "\(full.status)")

      let target = program.live.process
      _ = try await onThread {
        try Tool("nsenter", package: "util-linux").output(
          ["--target", "\(target)", "--mount", "mount", "-o", "remount,size=64m", library])
      }
      #expect(try await Self.post(200, port).status == 201)
      let rest = try await Self.request(
        "PATCH", address, piece.merging(["Upload-Offset": "100000"]) { $1 }, Array(large[100_000...]), port)
      #expect(rest.status == 204, "\(rest.text)")
      let original = try await Self.get("\(rest["Content-Location"] ?? "")/original", port)
      #expect(original.body == large)
    }
  }

  private static func post(_ number: Int, _ port: Int) async throws -> RawResponse {
    try await request("POST", "/v1/attachments", [:], ResumingClient.text(number), port)
  }

  private static func get(_ target: String, _ port: Int) async throws -> RawResponse {
    try await request("GET", target, [:], nil, port)
  }

  /// A request on a connection of its own: a refusal may end it.
  private static func request(
    _ method: String, _ target: String, _ fields: [String: String], _ body: [UInt8]?, _ port: Int
  ) async throws -> RawResponse {
    try await RawConnection.request(port: port, method, target, fields, body: body)
  }
}
