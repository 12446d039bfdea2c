internal import HTTPTypes
internal import MediaLibrary
internal import MediaModel
internal import MediaService
internal import TestSupport
internal import Testing

@testable internal import MediaServer

@Suite("A signature opens its own address, and nothing else") struct SignaturePurposeTests {
  private static func name(_ text: String) throws -> MediaService.RenditionName {
    try #require(MediaService.RenditionName(text, boxes: []))
  }

  @Test("of another resource, rendition, crop, format or attachment: 403, also for the owner")
  func otherPaths() async throws {
    let client = try await RouteClient()
    let ids = [
      try await client.add("camera-roll/IMG_0001.jpg"), try await client.add("camera-roll/IMG_0001.jpg", owner: "bob"),
      FileID(rawValue: 99_999),
    ]
    let resources: [MediaService.Resource] = [
      .original, .rendition(try Self.name("grid.webp")), .rendition(try Self.name("grid.jpeg")),
      .rendition(try Self.name("grid")), .rendition(try Self.name("view.webp")),
      .rendition(try Self.name("grid-x0y0w10h10.webp")), .rendition(try Self.name("grid-x0y0w11h10.webp")), .poster,
      .storyboard, .storyboardImage, .waveform, .part(1), .part(2),
    ]
    let all = ids.flatMap { id in resources.map { (id, $0) } }
    for (id, resource) in all {
      let query = client.service.address(of: resource, of: id, generation: 0).split(separator: "?")[1]
      for (otherID, other) in all where otherID != id || other != resource {
        let path = MediaService.path(of: other, of: otherID)
        let answer = try await client.send(.get, "\(path)?\(query)", as: .alice)
        let what = "the URL of \(MediaService.path(of: resource, of: id)) for \(path)"
        #expect(answer.status == 403, "\(what)")
        #expect(answer["code"] == .string("invalidSignature"), "\(what)")
      }
    }
    // Facts have no signed URL: what follows the path is no parameter of theirs.
    let query = client.service.address(of: .original, of: ids[0], generation: 0).split(separator: "?")[1]
    #expect(try await client.send(.get, "/v1/attachments/\(ids[0].rawValue)?\(query)").status == 401)
    #expect(try await client.send(.get, "/v1/attachments?ids=\(ids[0].rawValue)&\(query)").status == 401)
  }

  @Test("with another method: nothing is changed or erased")
  func otherMethods() async throws {
    let client = try await RouteClient()
    let id = try await client.add("camera-roll/IMG_0001.jpg")
    for resource in [MediaService.Resource.original, .rendition(try Self.name("grid.webp")), .poster] {
      let address = client.service.address(of: resource, of: id, generation: 0)
      for method in [HTTPRequest.Method.post, .put, .patch, .delete] {
        let answer = try? await client.send(method, address, body: #"{"title": "mine"}"#)
        #expect(answer.map { $0.status >= 400 } ?? true, "\(method) \(address)")
        // The signature of a part does not sign the whole.
        let whole = "/v1/attachments/\(id.rawValue)?\(address.split(separator: "?")[1])"
        let changed = try? await client.send(method, whole, body: #"{"title": "mine"}"#)
        #expect(changed.map { $0.status >= 400 } ?? true, "\(method) \(whole)")
      }
      #expect(try await client.send(.get, address).status == 200)
    }
    let facts = try await client.send(.get, "/v1/attachments/\(id.rawValue)", as: .alice)
    #expect(facts.status == 200)
    #expect(facts["title"] == nil)
  }

  @Test("a grant to view gives no address of the original, and one of the original no right to more")
  func grants() async throws {
    let client = try await RouteClient()
    let id = try await client.add("camera-roll/IMG_0001.jpg", labels: ["g:42": false])
    let view = try await client.service.grants([id], rights: [.view], for: .friend)
    #expect(view.first?.urls["original"] == nil)
    #expect(view.first?.urls["grid"] != nil)
    #expect(try await client.service.grants([id], rights: [.original], for: .friend).isEmpty)
  }
}
