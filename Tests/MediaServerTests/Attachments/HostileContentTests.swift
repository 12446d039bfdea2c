internal import Foundation
internal import HTTPTypes
internal import MediaLibrary
internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import MediaServer

/// Files that want a browser, a parser or a decoder to do something (attacks 1, 2 and 10 to 14 of the service's threat model).
@Suite struct HostileContentTests {
  private static let script = """
    <svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>
    """

  @Test(
    "What may run in a browser is downloaded, never shown, whatever it calls itself",
    arguments: [
      ("photo.jpg", script), ("photo.jpg", "<!doctype html><script>alert(1)</script>"),
      ("photo.png", "%PDF-1.4\n%âãÏÓ\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>"),
      ("page.jpg", "<?xml version=\"1.0\"?><?xml-stylesheet href=\"x.xsl\" type=\"text/xsl\"?><a/>"),
      ("mail.jpg", "MIME-Version: 1.0\nContent-Type: multipart/related; boundary=x\n\n--x\n\n<script>1</script>"),
    ])
  func active(name: String, content: String) async throws {
    let client = try await RouteClient()
    let path = try client.folder.write(Array(content.utf8), to: name)
    let id = try await client.add(path: path, name: name)
    let answer = try await client.send(.get, "/v1/attachments/\(id.rawValue)/original", as: .alice)
    #expect(answer.status == 200)
    #expect(answer.bytes == Array(content.utf8))
    #expect(answer.fields[.contentDisposition] == "attachment; filename=\(name)")
    #expect(answer.fields[.xContentTypeOptions] == "nosniff")
    #expect(answer.fields[.contentType] != "image/jpeg")
    #expect(answer.fields[.contentType] != "image/png")
    let policy = answer.fields[.contentSecurityPolicy] ?? ""
    #expect(policy.hasPrefix("sandbox; default-src 'none'"))
    #expect(!policy.contains("script"))
  }

  @Test("A rendition is encoded again: nothing that follows an image is in it")
  func polyglots() async throws {
    let client = try await RouteClient()
    let image = try Fixture.bytes("camera-roll/IMG_0001.jpg")
    for payload in ["PK\u{3}\u{4}evil.zip", "<?php system($_GET[0]); ?>", "<script>alert(1)</script>"] {
      let path = try client.folder.write(image + Array(payload.utf8), to: UUID().uuidString + ".jpg")
      let id = try await client.add(path: path, name: "a.jpg")
      for format in ["webp", "jpeg", "png"] {
        let address = "/v1/attachments/\(id.rawValue)/renditions/64.\(format)"
        let answer = try await client.send(.get, address, as: .alice)
        #expect(answer.status == 200)
        #expect(Data(answer.bytes).range(of: Data(payload.utf8)) == nil)
      }
    }
  }

  @Test("A file of two types has one type by its first bytes, in which a browser runs nothing")
  func twoTypes() async throws {
    let client = try await RouteClient()
    let gif = try Fixture.bytes("animated/still.gif")
    let files: [(name: String, bytes: [UInt8])] = [
      // The size of a GIF is also the beginning of a comment of JavaScript.
      ("script.gif", Array("GIF89a/*".utf8) + gif.dropFirst(8) + Array("*/=1;alert(1)".utf8)),
      ("page.gif", gif + Array("<html><script>alert(1)</script></html>".utf8)),
      ("page.jpg", try Fixture.bytes("camera-roll/IMG_0001.jpg") + Array("<script>alert(1)</script>".utf8)),
      ("page.pdf", Array("%PDF-1.4\n<html><script>alert(1)</script></html>\n%%EOF\n".utf8)),
      ("page.png", try Fixture.bytes("color/rgb8.png") + Array("<svg onload=\"alert(1)\"/>".utf8)),
    ]
    for (name, bytes) in files {
      let id = try await client.add(path: try client.folder.write(bytes, to: name), name: name)
      let answer = try await client.send(.get, "/v1/attachments/\(id.rawValue)/original", as: .alice)
      #expect(answer.status == 200, "\(name)")
      let type = answer.fields[.contentType] ?? ""
      #expect(["image/gif", "image/jpeg", "image/png", "application/pdf"].contains(type), "\(name): \(type)")
      let isSaved = answer.fields[.contentDisposition]?.hasPrefix("attachment") == true
      #expect(isSaved == (type == "application/pdf"), "\(name)")
      #expect(answer.fields[.xContentTypeOptions] == "nosniff", "\(name)")
      #expect(answer.fields[.contentSecurityPolicy]?.hasPrefix("sandbox; default-src 'none'") == true, "\(name)")
    }
  }

  @Test("An image that refers to other files or addresses reads none: no text of them is in an answer")
  func references() async throws {
    let client = try await RouteClient()
    let secret = try client.folder.write(try Fixture.bytes("camera-roll/IMG_0002.jpg"), to: "secret.jpg")
    let files = [
      "x.svg": """
      <?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>
      <svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><text y="9">&x;</text></svg>
      """,
      "y.svg": """
      <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="64" height="64">
      <image xlink:href="file://\(secret)" width="64" height="64"/></svg>
      """,
      "z.svg": """
      <svg xmlns="http://www.w3.org/2000/svg" xmlns:xi="http://www.w3.org/2001/XInclude" width="64" height="64">
      <xi:include href="/etc/passwd" parse="text"/></svg>
      """,
      "a.m3u8": "#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n",
      "b.ffconcat": "ffconcat version 1.0\nfile \(secret)\n",
    ]
    let blank = try client.folder.write(
      Array("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"64\" height=\"64\"></svg>".utf8), to: "blank.svg")
    let nothing = try await client.add(path: blank, name: "blank.svg").rawValue
    let empty = try await client.send(.get, "/v1/attachments/\(nothing)/renditions/64.png", as: .alice)
    for (name, content) in files.sorted(by: { $0.key < $1.key }) {
      let path = try client.folder.write(Array(content.utf8), to: name)
      let id = try await client.add(path: path, name: name).rawValue
      let answer = try await client.send(.get, "/v1/attachments/\(id)/renditions/64.png", as: .alice)
      // Refused, or drawn as if the reference were not there.
      #expect(answer.status == 422 || answer.status == 200 && answer.bytes == empty.bytes, "\(name): \(answer.status)")
    }
  }

  @Test(
    "A bomb of frames or a damaged file is drawn or refused, and the next file is served",
    arguments: ["animated/2000-frames.gif", "broken/garbage.jpg", "broken/exif-loop.jpg"])
  func bombs(fixture: String) async throws {
    let client = try await RouteClient()
    let id = try await client.add(fixture).rawValue
    let answer = try await client.send(.get, "/v1/attachments/\(id)/renditions/64.webp", as: .alice)
    #expect([200, 422].contains(answer.status))
    let good = try await client.add("camera-roll/IMG_0001.jpg").rawValue
    #expect(try await client.send(.get, "/v1/attachments/\(good)/renditions/64.webp", as: .alice).status == 200)
  }

  @Test("A PNG that claims 64,250 by 64,250 pixels is tooManyPixels, in a sentence without insides")
  func pixelBomb() async throws {
    let client = try await RouteClient()
    var bytes = try Fixture.bytes("color/rgb8.png")
    // IHDR: width and height follow the signature, the length and the name; its checksum follows them.
    for at in [16, 20] { bytes.replaceSubrange(at..<at + 4, with: [0, 0, 0xFA, 0xFA]) }
    bytes.replaceSubrange(29..<33, with: Self.crc32(bytes[12..<29]))
    let path = try client.folder.write(bytes, to: "bomb.png")
    let id = try await client.add(path: path, name: "bomb.png").rawValue
    let answer = try await client.send(.get, "/v1/attachments/\(id)/renditions/64.webp", as: .alice)
    #expect(answer.status == 422)
    #expect(answer["code"] == .string("unavailable"))
    let text = String(decoding: answer.bytes, as: UTF8.self)
    for inside in [client.folder.url.path, "vips", "png2", "errno", "originals"] { #expect(!text.contains(inside)) }
  }

  @Test(
    "A name of any bytes stays in its one header line and in JSON, and is no path",
    arguments: [
      "../../../../etc/passwd", "a\r\nX-Evil: 1", "CON", "\u{202E}gpj.exe",
      String(repeating: "\u{1F4A3}", count: 1_024), "a\u{0}b", "\"; filename=evil.html",
    ])
  func names(name: String) async throws {
    let client = try await RouteClient()
    let id = try await client.add(path: Fixture.path("camera-roll/IMG_0001.jpg"), name: name)
    let answer = try await client.send(.get, "/v1/attachments/\(id.rawValue)/original", as: .alice)
    let field = try #require(answer.fields[.contentDisposition])
    #expect(answer.status == 200)
    #expect(field.utf8.allSatisfy { (0x20...0x7E).contains($0) })
    #expect(!field.contains("\""))
    #expect(!field.contains("/"))
    #expect(field.split(separator: ";").count == 2)
    #expect(answer.fields[values: .contentDisposition].count == 1)
    #expect(HTTPField.Name("X-Evil").map { answer.fields[$0] == nil } ?? false)
    // A text of SQLite ends at a NUL.
    let kept = String(name.prefix { $0 != "\0" })
    #expect(try await client.send(.get, "/v1/attachments/\(id.rawValue)", as: .alice)["name"] == .string(kept))
  }

  private static func crc32(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    var crc: UInt32 = .max
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? 0xEDB8_8320 ^ (crc >> 1) : crc >> 1 }
    }
    crc = ~crc
    return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: crc >> $0) }
  }
}
