internal import Foundation
internal import Glibc
internal import RawHTTP
internal import TestSupport
internal import Testing

@Suite("mediatool serve: its key file", .serialized) struct KeyReloadTests {
  @Test("A new key file is for all further requests: what an old key has signed is refused, also from memory")
  func reload() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(KeyStoreTests.json("old", "a1"), to: "keys.json")
    let next = try folder.write(KeyStoreTests.json("new", "a2"), to: "next.json")
    let arguments = ["--keys", file, "--drain-seconds", "0"]
    try await ServerProgram.serving(folder.path("library"), arguments) { program, port in
      func status(_ target: String, _ fields: [String: String] = [:]) async throws -> Int {
        try await RawConnection.request(port: port, "GET", target, fields).status
      }
      let photo = try Fixture.bytes("camera-roll/IMG_0001.jpg")
      let made = try await RawConnection.request(
        port: port, "POST", "/v1/attachments", KeyStoreTests.field("old"), body: photo)
      let address = try #require((made.json["urls"] as? [String: String])?["grid"])
      for _ in 0..<2 { #expect(try await status(address) == 200) }
      #expect(try await status("/v1/owner", KeyStoreTests.field("new")) == 401)
      #expect(rename(next, file) == 0)
      #expect(await program.live.errors.has("the keys were replaced"))
      #expect(try await status(address) == 403)
      #expect(try await status("/v1/owner", KeyStoreTests.field("old")) == 401)
      #expect(try await status("/v1/owner", KeyStoreTests.field("new")) == 200)
    }
  }
}
