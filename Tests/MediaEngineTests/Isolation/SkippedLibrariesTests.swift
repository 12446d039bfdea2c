internal import Foundation
internal import MediaEngine
internal import MediaEngineProtocol
internal import MediaModel
internal import TestSupport
internal import Testing

/// Libraries are skipped by the needs of the files in the folder of GLib, which the dynamic linker may find elsewhere.
@Suite(
  "Libraries that are skipped where one is in two folders",
  .disabled(if: Engines.isSanitized, "workers do not run under a sanitizer"))
struct SkippedLibrariesTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  /// The folder of GLib, as the linker finds it for the worker.
  private static func libraries() throws -> URL {
    let ldd = try Tool("ldd", package: "libc-bin").output([BuiltProduct.path("mediatool-worker")])
    // libglib-2.0.so.0 => /lib/x86_64-linux-gnu/libglib-2.0.so.0 (0x00007f0000000000)
    let words = String(decoding: ldd, as: UTF8.self).split { $0 == " " || $0 == "\n" }
    let path = try #require(words.first { $0.hasPrefix("/") && $0.contains("/libglib-2.0.so") })
    return URL(fileURLWithPath: String(path)).deletingLastPathComponent()
  }

  /// An engine whose worker has a copy of this library in its own folder, where the linker looks first.
  private func engine(with library: String) async throws -> MediaEngine {
    let original = try Self.libraries().appendingPathComponent(library).resolvingSymlinksInPath()
    try FileManager.default.copyItem(atPath: original.path, toPath: folder.path(library))
    let program = try BuiltProduct.copy("mediatool-worker", to: folder)
    return try await Engines.real(1) { $0.worker = program }
  }

  private func expectUsualImages(of engine: MediaEngine) async throws {
    let usual = try await Engines.real(1)
    let request = MediaPreview.Request(renditions: [try #require(RenditionRequest.named("grid"))])
    for name in ["camera-roll/IMG_0001.jpg", "formats/drawing.svg", "videos/anamorphic.mpg"] {
      let source = MediaSource.path(Fixture.path(name))
      let preview = try await engine.preview(source, request)
      #expect(preview == (try await usual.preview(source, request)), "\(name)")
      #expect(preview.thumbnails.renditions.count == 1, "\(name)")
    }
    await usual.shutdown()
  }

  @Test("Nothing is skipped if libvips and FFmpeg are not in the folder of GLib")
  func otherFolder() async throws {
    let engine = try await engine(with: "libglib-2.0.so.0")
    #expect(engine.description.skippedLibraries == [])
    try await expectUsualImages(of: engine)
    await engine.shutdown()
  }

  @Test("What libvips in GLib's folder needs is skipped for another libvips that the linker finds first")
  func twoFolders() async throws {
    let engine = try await engine(with: "libvips.so.42")
    let usual = try await Engines.real(1)
    #expect(!usual.description.skippedLibraries.isEmpty)
    #expect(engine.description.skippedLibraries == usual.description.skippedLibraries)
    try await expectUsualImages(of: engine)
    for engine in [engine, usual] { await engine.shutdown() }
  }
}
