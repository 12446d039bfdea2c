internal import Foundation
internal import Logging
internal import MediaEngine
internal import MediaEngineProtocol
internal import MediaModel
internal import Metrics
internal import MetricsTestKit
internal import TestSupport
internal import Testing

/// A worker that has loaded less starts sooner and exposes less.
@Suite(
  "Workers load libraries as jobs need them",
  .disabled(if: Engines.isSanitized, "workers do not run under a sanitizer"))
struct LibrariesTests {
  private let metrics = TestMetrics()
  private let log = MemoryLog()

  private func engine(_ libraries: WorkerLibraries, spares: Int = 0) async throws -> MediaEngine {
    try await Engines.real(1) {
      $0.libraries = libraries
      $0.spares = spares
      $0.metrics = metrics
      $0.logger = log.logger
    }
  }

  private var starts: Int64? { try? metrics.expectCounter("mediatool_worker_starts_total").totalValue }

  private static let basic = [
    "camera-roll/IMG_0001.jpg", "camera-roll/IMG_0010.jpg", "formats/interlaced.png", "formats/lossy.webp",
    "formats/lossless.webp", "formats/picture.gif", "formats/picture.tif",
  ]

  @Test("Facts of images need no decoder, and their renditions none of FFmpeg; both are as with all libraries")
  func enough() async throws {
    let all = try await Engines.real(1)
    let facts = try await engine(.facts)
    let images = try await engine(.images)
    let requests = [try #require(RenditionRequest.named("grid"))]
    for name in Self.basic {
      let source = MediaSource.path(Fixture.path(name))
      let expected = try await all.probe(source)
      #expect(try await facts.probe(source) == expected, "\(name)")
      let images = try await images.render(source, info: expected, requests: requests)
      #expect(try await all.render(source, info: expected, requests: requests) == images, "\(name)")
    }
    // One for facts, one for images.
    #expect(starts == 2)
    #expect(log.lines.allSatisfy { $0.level == .debug })
    for engine in [all, facts, images] { await engine.shutdown() }
  }

  private static let recordings = [
    "camera-roll/VID_0008.mp4", "camera-roll/MOV_0009.mov", "camera-roll/Voice 001.m4a", "audio/steps.opus",
    "audio/covr.m4a", "videos/hevc10.mkv", "videos/dolby-vision-8.mp4", "videos/anamorphic.mpg", "videos/odd-tags.mp4",
    "videos/mjpeg.avi", "videos/av1.mp4", "videos/prores.mov", "videos/fragmented.mp4", "videos/alpha.webm",
  ]

  @Test("Facts of audio and video need FFmpeg alone, and their posters libvips without its modules")
  func enoughForRecordings() async throws {
    let all = try await Engines.real(1)
    let containers = try await engine(.containers)
    let posters = try await engine(.posters)
    let requests = [try #require(RenditionRequest.named("grid"))]
    for name in Self.recordings {
      let source = MediaSource.path(Fixture.path(name))
      let expected = try await all.probe(source)
      #expect(try await containers.probe(source) == expected, "\(name)")
      guard expected.kind == .video else { continue }
      let images = try await posters.render(source, info: expected, requests: requests)
      #expect(try await all.render(source, info: expected, requests: requests) == images, "\(name)")
    }
    #expect(starts == 2)
    #expect(log.lines.allSatisfy { $0.level == .debug })
    for engine in [all, containers, posters] { await engine.shutdown() }
  }

  /// What only libmagic knows.
  private static let ofDatabase: [(bytes: [UInt8], type: String)] = [
    ([0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 0x34, 0, 0x10], "application/x-java-applet"),
    ([0x00, 0x61, 0x73, 0x6D, 1, 0, 0, 0], "application/wasm"),
  ]

  @Test(
    "A worker searches libmagic's database for the first time when a file needs it", arguments: ["facts", "images"])
  func database(libraries: String) async throws {
    let all = try await Engines.real(1)
    let engine = try await engine(try #require(WorkerLibraries(rawValue: libraries)))
    for (bytes, type) in Self.ofDatabase {
      let info = try await engine.probe(.bytes(bytes))
      #expect(info.type.rawValue == type)
      #expect(try await all.probe(.bytes(bytes)) == info, "\(type)")
    }
    // One for each engine that counts: the search opened nothing.
    #expect(starts == 1)
    for engine in [all, engine] { await engine.shutdown() }
  }

  @Test("Facts of usual movies need no FFmpeg; an unusual one is given to a worker that has it, and to no other")
  func movies() async throws {
    let all = try await Engines.real(1)
    let engine = try await engine(.facts)
    let usual = ["camera-roll/VID_0008.mp4", "camera-roll/MOV_0009.mov", "camera-roll/Voice 001.m4a", "audio/covr.m4a"]
    for (name, expectedStarts) in usual.map({ ($0, 1) }) + [("videos/fragmented.mp4", 2), ("audio/steps.opus", 2)] {
      let source = MediaSource.path(Fixture.path(name))
      #expect(try await engine.probe(source) == (try await all.probe(source)), "\(name)")
      #expect(starts == Int64(expectedStarts), "\(name)")
    }
    #expect(try metrics.expectCounter("mediatool_worker_replacements_total", [("reason", "libraries")]).totalValue == 1)
    #expect(log.lines.allSatisfy { $0.level == .debug })
    for engine in [all, engine] { await engine.shutdown() }
  }

  @Test(
    "After a missing library, facts get a worker with FFmpeg, and everything else one with all libraries",
    arguments: [("facts", "containers"), ("images", "posters"), ("containers", "all"), ("posters", "all")])
  func extended(lacking: String, replacement: String) throws {
    let libraries = try #require(WorkerLibraries(rawValue: lacking))
    var job = MediaJob(facts: .found(ProbeOptions(), claim: nil))
    #expect(libraries.extended(for: job).rawValue == replacement)
    job.transcoding = TranscodeRequest(format: .aac, maxBytes: 1)
    #expect(libraries.extended(for: job) == .all)
  }

  /// What libvips and FFmpeg of Debian need and no allowed loader, demuxer or decoder calls.
  private static let neverCalled = [
    "libcfitsio", "libcurl-gnutls", "libmatio", "libhdf5_serial", "libOpenEXR-3_1", "libgnutls", "libkrb5",
    "libssh-gcrypt", "libzmq", "librav1e", "libva", "libOpenCL",
  ]

  /// What few files need.
  private static let rare = ["libcairo", "libopenjp2", "librsvg-2"]

  @Test(
    "A worker has no library in its memory that it was not started with, or that is never called",
    arguments: [
      ("facts", []), ("images", ["libvips"]), ("containers", ["libavformat", "libavcodec"]),
      ("posters", ["libvips", "libavformat", "libavcodec"]),
      ("all", ["libvips", "libavformat", "libavcodec", "libheif"]),
    ] as [(String, Set<String>)])
  func memory(libraries: String, expected: Set<String>) async throws {
    let engine = try await Engines.real(1) {
      // Another argument than that of the workers of other tests.
      $0.workerArguments = ["--serve", "--libraries", libraries, "memory-\(libraries)"]
    }
    _ = try? await engine.probe(.path(Fixture.path("camera-roll/IMG_0001.jpg")))
    let workers = Processes.children(with: "memory-\(libraries)")
    #expect(!workers.isEmpty)
    for worker in workers {
      guard let file = FileHandle(forReadingAtPath: "/proc/\(worker)/maps"), let maps = try file.readToEnd() else {
        print("not compared: only root may read the memory map of an isolated process")
        continue
      }
      let text = String(decoding: maps, as: UTF8.self)
      #expect(text.contains("/libmagic"))
      #expect(Set(["libvips", "libavformat", "libavcodec", "libheif"].filter { text.contains("/\($0)") }) == expected)
      #expect(Self.neverCalled.filter { text.contains("/\($0).so") } == [])
      #expect(Self.rare.filter { text.contains("/\($0).so") } == (libraries == "all" ? Self.rare : []))
      // Only a worker with all libraries describes them.
      let skipped = engine.description.skippedLibraries
      #expect(skipped.isEmpty == (libraries != "all"))
      // A file may have another version in its name than what the linker looks for.
      let wrong = skipped.filter { library in
        text.contains("/\(library.name.split(separator: ".so")[0]).so") == library.byAllWorkers
      }
      #expect(wrong == [])
    }
    await engine.shutdown()
  }

  @Test("What needs a library that was skipped is done by a worker that has it", arguments: ["images", "posters"])
  func skipped(libraries: String) async throws {
    let all = try await Engines.real(1)
    let request = MediaPreview.Request(renditions: [try #require(RenditionRequest.named("grid"))])
    for name in ["formats/picture.jp2", "formats/drawing.svg", "formats/picture.jxl"] {
      let engine = try await engine(try #require(WorkerLibraries(rawValue: libraries)))
      let preview = try await engine.preview(.path(Fixture.path(name)), request)
      #expect(preview == (try await all.preview(.path(Fixture.path(name)), request)), "\(name)")
      #expect(preview.thumbnails.renditions.count == 1, "\(name)")
      await engine.shutdown()
    }
    await all.shutdown()
    #expect((try? metrics.expectCounter("mediatool_worker_deaths_total", [])) == nil)
    #expect(log.lines.allSatisfy { $0.level == .debug })
  }

  @Test("A job that needs more is done by a worker with all libraries, and is no failure", arguments: [0, 1])
  func more(spares: Int) async throws {
    let all = try await Engines.real(1)
    let engine = try await engine(.facts, spares: spares)
    for name in ["videos/anamorphic.mpg", "camera-roll/IMG_0006.heic", "camera-roll/IMG_0001.jpg"] {
      let source = MediaSource.path(Fixture.path(name))
      let request = MediaPreview.Request(renditions: [try #require(RenditionRequest.named("grid"))])
      #expect(try await engine.preview(source, request) == (try await all.preview(source, request)), "\(name)")
    }
    await engine.shutdown()
    await all.shutdown()
    #expect((try? metrics.expectCounter("mediatool_worker_deaths_total", [])) == nil)
    #expect(try metrics.expectCounter("mediatool_worker_replacements_total", [("reason", "libraries")]).totalValue == 1)
    #expect(log.lines.allSatisfy { $0.level == .debug })
  }

  @Test("A worker that lacks a library whatever it loads is a crashed decoder", arguments: ["all", "facts"])
  func liar(libraries: String) async throws {
    let engine = try await Engines.rogue("--not-loaded") {
      $0.libraries = WorkerLibraries(rawValue: libraries) ?? .all
      $0.metrics = metrics
    }
    #expect(try await engine.probe(.does("abc")).error?.code == .decoderCrashed)
    await engine.shutdown()
    #expect(try metrics.expectCounter("mediatool_worker_deaths_total", [("reason", "crash")]).totalValue == 1)
  }
}
