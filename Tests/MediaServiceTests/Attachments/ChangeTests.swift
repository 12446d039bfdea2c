internal import Foundation
internal import MediaLibrary
internal import Testing

@testable internal import MediaService

@Suite struct ChangeTests {
  private func patch(_ json: String) throws -> MediaService.AttachmentChange {
    try JSONDecoder().decode(MediaService.AttachmentChange.self, from: Data(json.utf8))
  }

  @Test("A change sets what it names, null removes it, and everything else stays")
  func mergePatch() async throws {
    let library = try await AttachmentLibrary()
    let service = library.service
    let id = try await library.add("camera-roll/IMG_0001.jpg")
    var answer = try await service.change(
      id,
      patch(
        """
        {"title":"Ærø","caption":"two\\nlines","collection":"trip","labels":["b","a"],"originalLabels":["o"],
         "location":{"latitude":-33.5,"longitude":151.25}}
        """), for: .alice)
    #expect(answer.title == "Ærø")
    #expect(answer.caption == "two\nlines")
    #expect(answer.own?.collection == "trip")
    #expect(answer.own?.labels == ["a", "b"])
    #expect(answer.own?.originalLabels == ["o"])
    #expect(answer.own?.location == Location(latitude: -33.5, longitude: 151.25, source: .user))
    answer = try await service.change(id, patch(#"{"title":null,"originalLabels":null}"#), for: .alice)
    #expect(answer.title == nil)
    #expect(answer.caption == "two\nlines")
    #expect(answer.own?.collection == "trip")
    #expect(answer.own?.labels == ["a", "b"])
    #expect(answer.own?.originalLabels == [])
    answer = try await service.change(id, patch(#"{"caption":null,"collection":null,"location":null}"#), for: .alice)
    #expect(answer.caption == nil)
    #expect(answer.own?.collection == nil)
    #expect(answer.own?.location == nil)
  }

  @Test("A key that cannot be changed and a location outside of the world are errors")
  func malformed() {
    for json in [
      #"{"tilte":"x"}"#, #"{"owner":"bob"}"#, #"{"location":{"latitude":91,"longitude":0}}"#,
      #"{"location":{"latitude":1}}"#, #"{"labels":"a"}"#, "[]", "7",
    ] {
      #expect(throws: DecodingError.self, "\(json)") { _ = try patch(json) }
    }
  }

  @Test("Texts and labels beyond a limit change nothing")
  func limits() async throws {
    let library = try await AttachmentLibrary {
      $0.limits.labels = 2
      $0.limits.textLength = 5
    }
    let service = library.service
    let id = try await library.add("camera-roll/IMG_0001.jpg")
    for json in [
      #"{"title":"123456"}"#, #"{"labels":["a","b","c"]}"#, #"{"labels":["a","b"],"originalLabels":["c"]}"#,
      #"{"labels":[""]}"#, "{\"labels\":[\"\(String(repeating: "x", count: 201))\"]}",
    ] {
      let change = try patch(json)
      #expect(
        await AttachmentLibrary.code { _ = try await service.change(id, change, for: .alice) } == .invalidRequest,
        "\(json)")
    }
    let answer = try await service.attachment(id, for: .alice)
    #expect(answer.title == nil)
    #expect(answer.own?.labels == [])
    _ = try await service.change(id, patch(#"{"title":"12345","labels":["a","b"]}"#), for: .alice)
  }

  @Test("Of two changes that assume the same version, one is made")
  func versions() async throws {
    let library = try await AttachmentLibrary()
    let service = library.service
    let id = try await library.add("camera-roll/IMG_0001.jpg")
    let version = try #require(try await service.attachment(id, for: .alice).version)
    let results = await withTaskGroup(of: ServiceError.Code?.self, returning: [ServiceError.Code?].self) { group in
      for number in 0..<8 {
        group.addTask {
          var change = MediaService.AttachmentChange()
          change.title = .set("\(number)")
          let made = change
          return await AttachmentLibrary.code {
            _ = try await service.change(id, made, ifVersion: version, for: .alice)
          }
        }
      }
      var results: [ServiceError.Code?] = []
      for await result in group { results.append(result) }
      return results
    }
    #expect(results.count { $0 == nil } == 1)
    #expect(results.count { $0 == .preconditionFailed } == 7)
    let present = try #require(try await service.attachment(id, for: .alice).version)
    #expect(present != version)
    _ = try await service.change(id, patch(#"{"title":"x"}"#), ifVersion: present, for: .alice)
  }

  @Test("Taking a label away ends the signed URLs; giving one does not")
  func labelsAndGenerations() async throws {
    let library = try await AttachmentLibrary()
    let service = library.service
    let id = try await library.add("camera-roll/IMG_0001.jpg")
    func generation(after json: String) async throws -> Int? {
      try await service.change(id, patch(json), for: .alice).own?.generation
    }
    #expect(try await generation(after: #"{"labels":["a"],"originalLabels":["b"]}"#) == 0)
    #expect(try await generation(after: #"{"labels":[],"originalLabels":["a","b"]}"#) == 0)
    #expect(try await generation(after: #"{"labels":["b"],"originalLabels":["a"]}"#) == 1)
    #expect(try await generation(after: #"{"labels":[]}"#) == 2)
    #expect(try await generation(after: #"{"title":"x"}"#) == 2)
  }
}
