internal import FileSupport
internal import Foundation
internal import HTTPTypes
internal import MediaLibrary
internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import MediaServer
@testable internal import MediaService

@Suite struct ContentRouteTests {
  private static let photo = "camera-roll/IMG_0001.jpg"

  private func policy(_ answer: RouteClient.Answer) -> String? { answer.fields[.contentSecurityPolicy] }

  @Test("An original is its bytes, with fields that keep a browser from running anything in it")
  func original() async throws {
    let client = try await RouteClient()
    let id = try await client.add(Self.photo, name: "Straße.jpg")
    let bytes = try Fixture.bytes(Self.photo)
    let answer = try await client.send(.get, "/v1/attachments/\(id.rawValue)/original", as: .alice)
    #expect(answer.status == 200)
    #expect(answer.bytes == bytes)
    #expect(answer.fields[.contentType] == "image/jpeg")
    #expect(answer.fields[.contentLength] == "\(bytes.count)")
    #expect(answer.fields[.contentDisposition] == "inline; filename*=UTF-8''Stra%C3%9Fe.jpg")
    #expect(answer.fields[.xContentTypeOptions] == "nosniff")
    #expect(answer.fields[.acceptRanges] == "bytes")
    #expect(policy(answer)?.hasPrefix("sandbox; default-src 'none';") == true)
    #expect(answer.fields[.crossOriginResourcePolicy] == "same-origin")
    #expect(answer.fields[.referrerPolicy] == "no-referrer")
    #expect(answer.fields[.xRobotsTag] == "noindex, nofollow")
    #expect(answer.fields[.cacheControl] == "private, no-cache")
    #expect(answer.fields[.eTag]?.hasPrefix("\"") == true)
    #expect(answer.fields[.lastModified] == nil)
  }

  @Test("HEAD has the fields of GET and no bytes, whatever the range")
  func head() async throws {
    let client = try await RouteClient()
    let id = try await client.add(Self.photo)
    for path in ["original", "renditions/64.jpeg", "renditions/64"] {
      let path = "/v1/attachments/\(id.rawValue)/\(path)"
      let get = try await client.send(.get, path, as: .alice)
      let head = try await client.send(.head, path, as: .alice, [.range: "bytes=0-9"])
      #expect(head.status == 200)
      #expect(head.bytes.isEmpty)
      #expect(head.fields == get.fields)
    }
  }

  @Test("A range is a part with its place, and the same entity tag; others are 416, 304 and 412")
  func ranges() async throws {
    let client = try await RouteClient()
    let id = try await client.add(Self.photo)
    let bytes = try Fixture.bytes(Self.photo)
    let path = "/v1/attachments/\(id.rawValue)/original"
    let tag = try #require(try await client.send(.get, path, as: .alice).fields[.eTag])
    let part = try await client.send(.get, path, as: .alice, [.range: "bytes=10-19", .ifRange: tag])
    #expect(part.status == 206)
    #expect(part.bytes == Array(bytes[10..<20]))
    #expect(part.fields[.eTag] == tag)
    #expect(part.fields[.contentRange] == "bytes 10-19/\(bytes.count)")
    #expect(part.fields[.contentLength] == "10")
    let tail = try await client.send(.get, path, as: .alice, [.range: "bytes=-7"])
    #expect(tail.bytes == Array(bytes.suffix(7)))
    let beyond = try await client.send(.get, path, as: .alice, [.range: "bytes=\(bytes.count)-"])
    #expect(beyond.status == 416)
    #expect(beyond.fields[.contentRange] == "bytes */\(bytes.count)")
    #expect(beyond.fields[.contentType] == "application/problem+json")
    #expect(beyond.fields[.cacheControl] == "no-store")
    let known = try await client.send(.get, path, as: .alice, [.ifNoneMatch: "W/\(tag)"])
    #expect(known.status == 304)
    #expect(known.bytes.isEmpty)
    #expect(known.fields[.eTag] == tag)
    #expect(known.fields[.contentType] == nil)
    #expect(known.fields[.cacheControl] == "private, no-cache")
    let other = try await client.send(.get, path, as: .alice, [.ifMatch: "\"other\""])
    #expect(other.status == 412)
    #expect(other["code"] == .string("preconditionFailed"))
  }

  @Test("An original larger than a piece arrives whole, and so does a range across pieces")
  func large() async throws {
    let client = try await RouteClient()
    let bytes = (0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    let path = try client.folder.write(bytes, to: "large.bin")
    let id = try await client.add(path: path, name: "large.bin")
    let address = "/v1/attachments/\(id.rawValue)/original"
    #expect(try await client.send(.get, address, as: .alice).bytes == bytes)
    let part = try await client.send(.get, address, as: .alice, [.range: "bytes=262100-524400"])
    #expect(part.bytes == Array(bytes[262_100...524_400]))
  }

  // MARK: Who may read

  @Test("Without a token 401; unknown, forbidden and misspelled are the same 404; an entity tag opens nothing")
  func refusals() async throws {
    let client = try await RouteClient()
    let id = try await client.add(Self.photo).rawValue
    let tag = try #require(try await client.send(.get, "/v1/attachments/\(id)/original", as: .alice).fields[.eTag])
    for path in ["original", "renditions/grid.webp", "renditions/64", "poster", "storyboard.vtt", "waveform"] {
      for fields in [[:], [.ifNoneMatch: "*"], [.ifNoneMatch: tag], [.ifMatch: "\"x\""]] as [[HTTPField.Name: String]] {
        let anonymous = try await client.send(.get, "/v1/attachments/\(id)/\(path)", fields)
        #expect(anonymous.status == 401)
        #expect(anonymous.fields[.wwwAuthenticate] == "Bearer")
        let forbidden = try await client.send(.get, "/v1/attachments/\(id)/\(path)", as: .bob, fields)
        let unknown = try await client.send(.get, "/v1/attachments/99999/\(path)", as: .bob, fields)
        #expect(forbidden.status == 404)
        #expect(unknown.status == 404)
        #expect(forbidden.bytes == unknown.bytes)
        #expect(forbidden.fields == unknown.fields)
      }
    }
    for id in ["0\(id)", "+\(id)", "-1", "\(id)%20", "%2e%2e", "..", "\(id).", "1e1", "18446744073709551617", "\(id);"]
    {
      #expect(try await client.send(.get, "/v1/attachments/\(id)/original", as: .alice).status == 404, "\(id)")
      #expect(try await client.send(.get, "/v1/attachments/\(id)", as: .alice).status == 404, "\(id)")
    }
    for path in [
      "//v1/attachments/\(id)/original", "/v1//attachments/\(id)/original", "/v1/attachments/\(id)/original/",
    ] {
      #expect(try await client.send(.get, path, as: .alice).status == 404, "\(path)")
    }
    for name in ["65", "grid.gif", "grid.webp.", "%67rid.webp", "..%2f..%2fetc", "grid.webp%00"] {
      let path = "/v1/attachments/\(id)/renditions/\(name)"
      #expect(try await client.send(.get, path, as: .alice).status == 404, "\(name)")
    }
  }

  @Test("A signed URL is read without a token, by HEAD and in ranges too, and kept until it expires")
  func signed() async throws {
    let client = try await RouteClient()
    let id = try await client.add(Self.photo)
    let life = (RouteClient.now / 21_600 + 2) * 21_600 - RouteClient.now
    let grid = try #require(MediaService.RenditionName(named: "grid", format: .jpeg))
    for resource in [MediaService.Resource.original, .poster, .rendition(grid)] {
      let address = client.service.address(of: resource, of: id, generation: 0)
      let answer = try await client.send(.get, address)
      #expect(answer.status == 200)
      #expect(answer.fields[.crossOriginResourcePolicy] == "cross-origin")
      let lasting = resource == .poster ? "private, max-age=300" : "private, max-age=\(life), immutable"
      #expect(answer.fields[.cacheControl] == lasting)
      #expect(try await client.send(.head, address).status == 200)
      #expect(try await client.send(.get, address, [.range: "bytes=0-3"]).bytes == Array(answer.bytes.prefix(4)))
    }
  }

  @Test("A bad signature is 403 before anything is looked up, also with a valid token")
  func badSignature() async throws {
    let client = try await RouteClient()
    let id = try await client.add(Self.photo)
    let address = client.service.address(of: .original, of: id, generation: 0)
    let missing = client.service.address(of: .original, of: FileID(rawValue: 9_999), generation: 0)
    for address in [address, missing] {
      for forged in [
        address + "0", address + "&x=1", address.replacingOccurrences(of: "&g=0", with: "&g=1"),
        address.replacingOccurrences(of: "/original", with: "/renditions/view.webp"),
      ] {
        let answer = try await client.send(.get, forged)
        #expect(answer.status == 403, "\(forged)")
        #expect(answer["code"] == .string("invalidSignature"), "\(forged)")
        #expect(try await client.send(.get, forged, as: .alice).status == 403)
      }
    }
    // A right signature for what is not there.
    #expect(try await client.send(.get, missing).status == 404)
    try await client.service.revokeGrants([id], for: .alice)
    #expect(try await client.send(.get, address).status == 404)
    #expect(try await client.send(.get, client.service.address(of: .original, of: id, generation: 1)).status == 200)
  }

  @Test("Without keys addresses are plain, and a signature is never valid")
  func withoutKeys() async throws {
    let client = try await RouteClient { $0.signingKeys = nil }
    let id = try await client.add(Self.photo)
    let address = client.service.address(of: .original, of: id, generation: 0)
    #expect(address == "/v1/attachments/\(id.rawValue)/original")
    #expect(try await client.send(.get, address).status == 401)
    #expect(try await client.send(.get, address + "?e=1&g=0&k=&s=", as: .alice).status == 403)
  }

  @Test("An original that is lost or was changed is unavailable, not unknown")
  func lost() async throws {
    let client = try await RouteClient()
    let id = try await client.add(Self.photo)
    let address = "/v1/attachments/\(id.rawValue)/original"
    let path = try #require(try await client.service.library.catalogue.file(id)).stamp.path.text
    try Data([1, 2, 3]).write(to: URL(fileURLWithPath: path))
    let changed = try await client.send(.get, address, as: .alice)
    #expect(changed.status == 422)
    #expect(changed["code"] == .string("unavailable"))
    try FileManager.default.removeItem(atPath: path)
    let lost = try await client.send(.get, address, as: .alice)
    #expect(lost.status == 422)
    #expect(lost["code"] == .string("unavailable"))
    #expect(!String(decoding: lost.bytes, as: UTF8.self).contains(path))
    #expect(try await client.send(.get, address, as: .bob).status == 404)
  }

  // MARK: Renditions

  @Test("A negotiated rendition says what it depends on and where the chosen one is; an explicit one does not depend")
  func negotiation() async throws {
    let client = try await RouteClient()
    let id = try await client.add(Self.photo)
    let base = "/v1/attachments/\(id.rawValue)/renditions/64"
    let webp = try await client.send(.get, base, as: .alice, [.accept: "image/avif,image/webp,*/*"])
    let jpeg = try await client.send(.get, base, as: .alice, [.accept: "*/*"])
    #expect(webp.fields[.contentType] == "image/webp")
    #expect(webp.fields[.contentLocation] == base + ".webp")
    #expect(jpeg.fields[.contentType] == "image/jpeg")
    #expect(jpeg.fields[.contentLocation] == base + ".jpeg")
    #expect(webp.fields[.vary] == "Accept")
    #expect(webp.fields[.eTag] != jpeg.fields[.eTag])
    let fixed = try await client.send(.get, base + ".webp", as: .alice, [.accept: "image/jpeg"])
    #expect(fixed.fields[.contentType] == "image/webp")
    #expect(fixed.fields[.vary] == nil)
    #expect(fixed.fields[.contentLocation] == nil)
    #expect(fixed.fields[.eTag] == webp.fields[.eTag])
    #expect(fixed.fields[.contentDisposition] == nil)
  }

  @Test("A reader with the right to view gets renditions, and not the original")
  func viewOnly() async throws {
    let client = try await RouteClient()
    let id = try await client.add(Self.photo, labels: ["g:42": false]).rawValue
    #expect(try await client.send(.get, "/v1/attachments/\(id)/renditions/64.webp", as: .friend).status == 200)
    #expect(try await client.send(.get, "/v1/attachments/\(id)/original", as: .friend).status == 404)
    let rendition = try await client.send(.get, "/v1/attachments/\(id)/renditions/view.jpeg", as: .friend)
    // What the camera wrote into the original is not in there (R-MYM-28).
    #expect(Data(rendition.bytes).range(of: Data("Exif".utf8)) == nil)
    #expect(try Data(Fixture.bytes(Self.photo)).range(of: Data("Exif".utf8)) != nil)
  }

  @Test("A poster has a position in seconds; anything else is an error")
  func poster() async throws {
    let client = try await RouteClient()
    let id = try await client.add("camera-roll/VID_0008.mp4").rawValue
    let path = "/v1/attachments/\(id)/poster"
    #expect(try await client.send(.get, path, as: .alice).status == 200)
    #expect(try await client.send(.get, path + "?at=0.5", as: .alice).status == 200)
    for at in ["", "x", "-1", "1e9", "nan", "inf", "99999"] {
      #expect(try await client.send(.get, path + "?at=\(at)", as: .alice).status == 400, "\(at)")
    }
  }
}
