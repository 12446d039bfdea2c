internal import FileSupport
internal import Foundation
internal import MediaLibrary
internal import MediaService
internal import TestSupport
internal import Testing

@testable internal import MediaServer

extension ServeSettingsTests {
  @Test func `Printed settings have no secret`() async throws {
    let secret = Data(Tokens.secret).base64EncodedString()
    let json = #"{"tokens":[{"kid":"a","alg":"HS256","secret":"\#(secret)"}]}"#
    let settings = try await settings(["--print-config", "--library", "/srv/a,b"], ["MEDIATOOL_KEYS_JSON": json])
    #expect(settings.server.keys?.tokens.count == 1)
    #expect(settings.isPrinting)
    #expect(!settings.printed.contains(secret))
    #expect(settings.printed.contains(#""keysJson" : "<secret>""#))
    #expect(settings.printed.contains(#""library" : "/srv/a,b""#))
    #expect(settings.service.library.data.description == "/srv/a,b")
  }

  @Test func `A secret may be in a file that a variable with _FILE names`() async throws {
    let folder = try TemporaryFolder()
    let secret = Data(Tokens.secret).base64EncodedString()
    let keys = #"{"tokens":[{"kid":"a","alg":"HS256","secret":"\#(secret)"}]}"# + "\n"
    let file = try folder.write(Array(keys.utf8), to: "keys")
    let settings = try await settings(["--print-config"], ["MEDIATOOL_KEYS_JSON_FILE": file])
    #expect(settings.server.keys?.tokens.count == 1)
    #expect(settings.warnings == [])
    #expect(!settings.printed.contains(secret))
    #expect(settings.printed.contains(#""keysJson" : "<secret>""#))
  }

  @Test func `The line break at the end of the file of a secret is not part of it`() throws {
    let folder = try TemporaryFolder()
    for text in ["a secret", "a secret\n", "a secret\r\n"] {
      let file = try folder.write(Array(text.utf8), to: "token")
      let resolved = try SecretFiles.resolve(["MEDIATOOL_ACCESS_TOKEN_FILE": file, "HOME": "/home/anna"])
      #expect(resolved == ["MEDIATOOL_ACCESS_TOKEN": "a secret", "HOME": "/home/anna"])
    }
  }

  @Test func `A file of a secret that cannot be read, is empty, or has a variable beside it is refused`() throws {
    let folder = try TemporaryFolder()
    let good = try folder.write(Array("a secret".utf8), to: "good")
    let empty = try folder.write([], to: "empty")
    let large = try folder.write([UInt8](repeating: 0x61, count: 65_537), to: "large")
    for environment in [
      ["MEDIATOOL_ACCESS_TOKEN_FILE": "/nowhere"], ["MEDIATOOL_ACCESS_TOKEN_FILE": empty],
      ["MEDIATOOL_ACCESS_TOKEN_FILE": large], ["MEDIATOOL_ACCESS_TOKEN_FILE": folder.path("")],
      ["MEDIATOOL_ACCESS_TOKEN_FILE": good, "MEDIATOOL_ACCESS_TOKEN": "b"],
    ] {
      let failure = #expect(throws: ServeFailure.self) { try SecretFiles.resolve(environment) }
      #expect(failure?.status == 64)
      #expect(failure?.message.contains("MEDIATOOL_ACCESS_TOKEN_FILE") == true)
    }
  }

  @Test func `A printed address has neither user nor password`() async throws {
    let settings = try await settings(["--access-url", "https://app:pass%40word@access.example:8443/may"])
    #expect(settings.printed.contains(#""accessUrl" : "https://<secret>@access.example:8443/may""#))
    #expect(!settings.printed.contains("word@"))
    #expect(!settings.printed.contains("app:"))
    let plain = try await self.settings(["--access-url", "https://access.example/may"])
    #expect(plain.printed.contains(#""accessUrl" : "https://access.example/may""#))
  }
}
