internal import MediaLibrary
internal import TestSupport
internal import Testing

@testable internal import MediaService

@Suite("Originals without metadata in memory") struct StrippedOriginalTests {
  private struct Made: Error {}

  private static func key(_ id: Int64, _ state: String = "a") -> StrippedOriginals.Key {
    StrippedOriginals.Key(id: FileID(rawValue: id), entityTag: "\"\(state)\"")
  }

  private func original() async throws -> MediaService.OriginalFile {
    let library = try await AttachmentLibrary()
    return try await library.service.original(try await library.add("camera-roll/IMG_0003.jpg"), for: .caller(.alice))
  }

  @Test("readers hold at most 256 MiB; beyond, others are asked to come back until one is done") func budget()
    async throws
  {
    let (original, stripped) = (try await original(), StrippedOriginals())
    func open(_ id: Int64) async throws -> MediaService.OriginalFile {
      try await stripped.file(Self.key(id), bytes: StrippedOriginals.maxBytes) {
        MediaService.OriginalFile([1], of: original, reservation: $0)
      }
    }
    var held: [MediaService.OriginalFile] = []
    for id in 1...4 { held.append(try await open(Int64(id))) }
    do {
      _ = try await open(5)
      Issue.record("more bytes were held than there may be")
    } catch let error as ServiceError {
      #expect(error.code == .busy)
      #expect(error.retryAfter != nil)
    }
    held.removeLast()
    _ = try await open(5)
  }

  @Test("what nobody reads makes room") func kept() async throws {
    let (original, stripped) = (try await original(), StrippedOriginals())
    for id in 1...8 {
      _ = try await stripped.file(Self.key(Int64(id)), bytes: StrippedOriginals.maxBytes) {
        MediaService.OriginalFile([1], of: original, reservation: $0)
      }
    }
  }

  @Test("a file whose addresses end while it is made is not kept; the end of another one's changes nothing")
  func removals() async throws {
    let (original, stripped) = (try await original(), StrippedOriginals())
    let (one, two) = (FileID(rawValue: 1), FileID(rawValue: 2))
    func make(_ id: FileID, removing other: FileID) async throws -> MediaService.OriginalFile {
      try await stripped.file(Self.key(id.rawValue), bytes: 1) {
        stripped.remove([other])
        return MediaService.OriginalFile([1], of: original, reservation: $0)
      }
    }
    let first = try await make(one, removing: two)
    #expect(try await stripped.file(Self.key(1), bytes: 1) { _ in throw Made() } === first)
    _ = try await make(two, removing: two)
    await #expect(throws: Made.self) { _ = try await stripped.file(Self.key(2), bytes: 1) { _ in throw Made() } }
  }

  @Test("a file that was changed since is not delivered in its old state") func changed() async throws {
    let (original, stripped) = (try await original(), StrippedOriginals())
    let old = try await stripped.file(Self.key(1, "old"), bytes: 1) {
      MediaService.OriginalFile([1], of: original, reservation: $0)
    }
    let new = try await stripped.file(Self.key(1, "new"), bytes: 1) {
      MediaService.OriginalFile([2], of: original, reservation: $0)
    }
    #expect(try await old.read(at: 0, count: 1) == [1])
    #expect(try await new.read(at: 0, count: 1) == [2])
    await #expect(throws: Made.self) {
      _ = try await stripped.file(Self.key(1, "old"), bytes: 1) { _ in throw Made() }
    }
  }

  @Test("a file that cannot be stripped is read once, until it changes") func refused() async throws {
    let (original, stripped) = (try await original(), StrippedOriginals())
    for _ in 1...2 {
      let error = await #expect(throws: ServiceError.self) {
        _ = try await stripped.file(Self.key(1), bytes: 1) { _ in throw ServiceError(.unavailable, "cannot be stripped")
        }
      }
      #expect(error?.code == .unavailable)
    }
    let error = await #expect(throws: ServiceError.self) {
      _ = try await stripped.file(Self.key(1), bytes: 1) { _ in throw Made() }
    }
    #expect(error?.code == .unavailable)
    _ = try await stripped.file(Self.key(1, "new"), bytes: 1) {
      MediaService.OriginalFile([1], of: original, reservation: $0)
    }
  }

  @Test("of more files that cannot be stripped than are remembered, the one refused longest ago is read again")
  func oldestDropped() {
    var refused = RefusedOriginals(limit: 3)
    let error = ServiceError(.unavailable, "cannot be stripped")
    for id in [1, 2, 3, 1, 4] { refused.insert(Self.key(Int64(id)), error) }
    #expect((1...4).map { refused[Self.key(Int64($0))] != nil } == [true, false, true, true])
    // A file that was dropped takes the position of no other.
    refused.remove([FileID(rawValue: 4)])
    refused.insert(Self.key(5), error)
    #expect([1, 3, 5].allSatisfy { refused[Self.key($0)] != nil })
  }

  @Test("what is remembered of refusals is what a plain list would have, over many of them") func refusals() {
    var random = SeededGenerator(seed: 15)
    var refused = RefusedOriginals(limit: 8)
    var list: [StrippedOriginals.Key] = []
    for _ in 0..<2_000 {
      let key = Self.key(Int64.random(in: 0..<16, using: &random), Bool.random(using: &random) ? "a" : "b")
      list.removeAll { $0.id == key.id }
      if Int.random(in: 0..<8, using: &random) == 0 {
        refused.remove([key.id])
      } else {
        refused.insert(key, ServiceError(.unavailable, "cannot be stripped"))
        list = (list + [key]).suffix(8)
      }
      let known = (0..<16).flatMap { [Self.key($0, "a"), Self.key($0, "b")] }.filter { refused[$0] != nil }
      #expect(Set(known) == Set(list))
    }
  }
}
