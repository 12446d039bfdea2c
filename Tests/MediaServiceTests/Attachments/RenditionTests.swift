internal import FileSupport
internal import Foundation
internal import MediaLibrary
internal import MediaModel
internal import MetricsTestKit
internal import Testing

@testable internal import MediaService

@Suite struct RenditionTests {
  private func name(_ text: String) throws -> MediaService.RenditionName {
    let boxes: Set<PixelSize> = [PixelSize(width: 64, height: 64), PixelSize(width: 320, height: 200)]
    return try #require(MediaService.RenditionName(text, boxes: boxes))
  }

  @Test("A name is a predefined size or an allowed box, with a format or none, in one spelling")
  func names() throws {
    for text in ["grid", "view.webp", "64", "64.png", "320x200.jpeg", "avatar.avif"] {
      #expect(try name(text).description == text)
    }
    let boxes: Set<PixelSize> = [PixelSize(width: 64, height: 64)]
    for text in [
      "", ".", "grid.", ".webp", "grid.jpg", "grid.WEBP", "Grid", "grid.webp.webp", "65", "064", "+64", "64x64", "64x",
      "x64", "64x64x64", "-64", "0", "99999999999999999999", "../grid", "grid%2ewebp", "64.0", "grid.webp/", "64 ",
    ] {
      #expect(MediaService.RenditionName(text, boxes: boxes) == nil, "\(text)")
    }
  }

  @Test(
    "A rendition that is not stored is made in the format asked for, stored and noted; the next time it is the same")
  func onDemand() async throws {
    let library = try await AttachmentLibrary()
    let service = library.service
    let id = try await library.add("camera-roll/IMG_0001.jpg")
    for (format, type) in [("webp", MediaType.webp), ("jpeg", .jpeg), ("png", .png)] {
      let made = try await service.rendition(name("64.\(format)"), of: id, for: .caller(.alice))
      #expect(made.type == type)
      #expect(!made.bytes.isEmpty)
      let stored = try await service.library.catalogue.renditions(of: id).first { $0.name == "64.\(format)" }
      #expect(stored.map { max($0.width, $0.height) } == 64)
      let again = try await service.rendition(name("64.\(format)"), of: id, for: .caller(.alice))
      #expect(again == made)
    }
  }

  @Test("A stored rendition is used in its own format, and another format is made beside it")
  func stored() async throws {
    let library = try await AttachmentLibrary()
    let service = library.service
    let id = try await library.add("camera-roll/IMG_0001.jpg", renditions: ["grid"])
    let stored = try #require(try await service.library.catalogue.renditions(of: id).first)
    let served = try await service.rendition(name("grid.webp"), of: id, for: .caller(.alice))
    #expect(served.bytes.count == stored.bytes)
    _ = try await service.rendition(name("grid.jpeg"), of: id, for: .caller(.alice))
    let names = try await service.library.catalogue.renditions(of: id).map(\.name).sorted()
    #expect(names == ["grid", "grid.jpeg"])
    #expect(try await service.rendition(name("grid.webp"), of: id, for: .caller(.alice)) == served)
  }

  @Test("The frame at a position is made once, also for many readers, and then stored")
  func posters() async throws {
    let library = try await AttachmentLibrary()
    let service = library.service
    let id = try await library.add("camera-roll/VID_0008.mp4")
    let all = try await withThrowingTaskGroup(of: MediaService.Rendered.self) { group in
      for _ in 0..<8 { group.addTask { try await service.poster(of: id, at: 0, for: .caller(.alice)) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(Set(all).count == 1)
    let stored = try await service.library.catalogue.renditions(of: id).filter { $0.name == "poster-0.jpeg" }
    #expect(stored.count == 1)
    // Read from the store: the file itself is no longer needed.
    let path = try #require(try await service.library.catalogue.file(id)).stamp.path.description
    try FileManager.default.removeItem(atPath: path)
    #expect(try await service.poster(of: id, at: 0, for: .caller(.alice)) == all[0])
  }

  @Test("Of the frames and parts of a file, 64 are stored") func room() throws {
    let address = try #require(ContentDigest(hexadecimal: String(repeating: "0", count: 64)))
    func stored(_ count: Int) -> [StoredRendition] {
      (0..<count).map {
        StoredRendition(
          name: "poster-\($0).jpeg", address: address, type: .jpeg, width: 1, height: 1, bytes: 1, from: .poster)
      }
    }
    #expect(MediaService.hasRoom(stored(63)))
    #expect(!MediaService.hasRoom(stored(64)))
  }

  @Test("Without a format, the first accepted one is chosen; AVIF only where it is stored")
  func negotiated() async throws {
    let library = try await AttachmentLibrary()
    let service = library.service
    let id = try await library.add("camera-roll/IMG_0001.jpg")
    let size = try name("64")
    let all: [MediaService.RenditionName.Format] = [.avif, .webp, .jpeg]
    #expect(try await service.rendition(size, of: id, accepting: all, for: .caller(.alice)).type == .webp)
    #expect(try await service.rendition(size, of: id, accepting: [.jpeg], for: .caller(.alice)).type == .jpeg)
    #expect(try await service.rendition(size, of: id, for: .caller(.alice)).name?.description == "64.jpeg")
    #expect(
      await AttachmentLibrary.code { _ = try await service.rendition(name("64.avif"), of: id, for: .caller(.alice)) }
        == .unavailable)
    let address = try await service.library.putRendition(Array("avif".utf8))
    let avif = StoredRendition(
      name: "64.avif", address: address, type: .avif, width: 64, height: 48, bytes: 4, from: .image)
    #expect(try await service.library.catalogue.addRenditions([avif], to: id))
    #expect(try await service.rendition(size, of: id, accepting: all, for: .caller(.alice)).bytes == Array("avif".utf8))
  }

  @Test("A rendition whose bytes the store has lost is made again")
  func lostBytes() async throws {
    let library = try await AttachmentLibrary()
    let service = library.service
    let id = try await library.add("camera-roll/IMG_0001.jpg", renditions: ["grid"])
    let first = try await service.rendition(name("grid.webp"), of: id, for: .caller(.alice))
    let stored = try #require(try await service.library.catalogue.renditions(of: id).first?.digest)
    try service.library.library.store.remove(stored)
    #expect(try await service.rendition(name("grid.webp"), of: id, for: .caller(.alice)).bytes == first.bytes)
  }

  // Work that is not joined would be waited for without end.
  @Test("Equal work is done once, and goes on when the first caller leaves", .timeLimit(.minutes(20)))
  func singleFlight() async throws {
    let flights = SingleFlight<Int, Int>()
    let runs = Counter()
    let gate = Gate()
    let first = Task {
      try await flights.run(1) {
        runs.add()
        await gate.wait()
        // A cancelled leader would end the work of the others.
        try Task.checkCancellation()
        return 7
      }
    }
    await gate.waitUntilReached()
    let others = (0..<20).map { _ in
      Task {
        try await flights.run(1) {
          runs.add()
          return -1
        }
      }
    }
    while flights.callers(of: 1) < 21 { await Task.yield() }
    first.cancel()
    gate.open()
    for other in others { #expect(try await other.value == 7) }
    #expect(try await first.value == 7)
    #expect(runs.count == 1)
  }

  @Test("Two hundred callers of one rendition get one job's bytes")
  func stampede() async throws {
    let metrics = TestMetrics()
    let library = try await AttachmentLibrary(metrics: metrics)
    let service = library.service
    let id = try await library.add("camera-roll/IMG_0001.jpg")
    let size = try name("64.webp")
    let results = try await withThrowingTaskGroup(
      of: MediaService.Rendered.self, returning: Set<MediaService.Rendered>.self
    ) { group in
      for _ in 0..<200 {
        group.addTask { try await service.rendition(size, of: id, for: .caller(.alice)) }
      }
      return try await group.reduce(into: []) { $0.insert($1) }
    }
    #expect(results.count == 1)
    let jobs = try metrics.expectCounter("mediatool_jobs_total", [("work", "render"), ("outcome", "done")])
    #expect(jobs.totalValue == 1)
  }

  @Test("A request that read the catalogue before an equal one ended makes nothing again")
  func lateRequests() async throws {
    let library = try await AttachmentLibrary()
    let service = library.service
    let image = try await library.add("camera-roll/IMG_0001.jpg")
    let video = try await library.add("camera-roll/VID_0008.mp4")
    let audio = try await library.add("camera-roll/Voice 001.m4a")
    let size = try name("64.webp")
    let rendition = try await service.rendition(size, of: image, for: .caller(.alice))
    let poster = try await service.poster(of: video, at: 0, for: .caller(.alice))
    let storyboard = try await service.storyboardImage(of: video, for: .caller(.alice))
    let waveform = try await service.waveform(of: audio, for: .caller(.alice))
    // Nothing can be made of the files now.
    for id in [image, video, audio] {
      let path = try #require(try await service.library.catalogue.file(id)).stamp.path.description
      try FileManager.default.removeItem(atPath: path)
    }
    let (still, clip) = (
      try await service.decoded(image, by: .caller(.alice)), try await service.decoded(video, by: .caller(.alice))
    )
    #expect(try await service.rendition(size, .webp, of: still, stored: []) == rendition)
    let key = RenditionKey(file: video, name: "poster-0.jpeg")
    let request = RenditionRequest(name: key.name, box: size.box, fit: size.fit)
    #expect(try await service.frame(key, request, of: clip.file, at: 0) == poster)
    #expect(try await service.make(.storyboard, of: clip.file)["storyboard.webp"] == storyboard)
    let voice = try await service.decoded(audio, by: .caller(.alice))
    #expect(try await service.make(.waveform, of: voice.file)["waveform.json"] == waveform)
  }

  @Test("A file without an image and a damaged one are unavailable, with a sentence for users")
  func noImage() async throws {
    let library = try await AttachmentLibrary()
    let service = library.service
    for fixture in ["camera-roll/notes.txt", "broken/garbage.jpg"] {
      let id = try await library.add(fixture)
      let size = try name("64.webp")
      do throws(ServiceError) {
        _ = try await service.rendition(size, of: id, for: .caller(.alice))
        Issue.record("\(fixture) has an image")
      } catch {
        #expect(error.code == .unavailable, "\(fixture): \(error)")
        #expect(!error.message.contains("/"), "\(fixture): \(error)")
      }
    }
  }
}
