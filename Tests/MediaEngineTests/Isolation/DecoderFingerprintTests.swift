internal import FileSupport
internal import Foundation
internal import Glibc
internal import MediaEngine
internal import MediaEngineProtocol
internal import MediaModel
internal import TestSupport
internal import Testing

/// Without starting a worker, a scan knows whether its decoders are those of an earlier one.
@Suite("The version of known decoders") struct DecoderFingerprintTests {
  private let folder: TemporaryFolder
  private let program: String
  private let library: String
  private let description: EngineDescription
  private var file: PathBytes { PathBytes(folder.path("decoders.txt")) }

  init() throws {
    folder = try TemporaryFolder()
    program = try folder.write([1], to: "worker")
    library = try folder.write([2], to: "lib/libdecoder.so.1")
    description = EngineDescription(
      engines: [EngineVersion(name: "decoder", version: "1.0")], images: [], containers: [], files: [library, program])
  }

  private func found() -> DecoderFingerprint? {
    DecoderFingerprint(description, program: program, begun: DecoderFingerprint.now())
  }

  @Test("a file remembers the version, for one program") func remembered() throws {
    let known = try #require(found())
    try known.write(to: file)
    #expect(DecoderFingerprint(reading: file) == known)
    #expect(DecoderFingerprint(reading: file)?.version == "decoder 1.0")
    #expect(known.isCurrent(program: program))
    #expect(!known.isCurrent(program: library))
  }

  @Test("a changed, missing or additional file makes the version unknown") func changes() throws {
    let known = try #require(found())
    try folder.write([2, 3], to: "lib/libdecoder.so.1")
    #expect(!known.isCurrent(program: program))
    let again = try #require(found())
    #expect(again != known)
    #expect(again.isCurrent(program: program))
    try FileManager.default.removeItem(atPath: library)
    #expect(!again.isCurrent(program: program))
    try folder.write([2], to: "lib/libdecoder.so.1")
    let third = try #require(found())
    // As if another file had been written there.
    var times = [timeval(tv_sec: 1_000, tv_usec: 0), timeval(tv_sec: 1_000, tv_usec: 0)]
    #expect(utimes(folder.path("lib"), &times) == 0)
    #expect(!third.isCurrent(program: program))
  }

  @Test("decoders that are incomplete, or may have been replaced since their start, are not known") func unknown() {
    #expect(DecoderFingerprint(description, program: program, begun: 0) == nil)
    let incomplete = EngineDescription(engines: [], images: [], containers: [], files: [library, program])
    #expect(DecoderFingerprint(incomplete, program: program, begun: DecoderFingerprint.now()) == nil)
    let fileless = EngineDescription(engines: description.engines, images: [], containers: [])
    #expect(DecoderFingerprint(fileless, program: program, begun: DecoderFingerprint.now()) == nil)
  }

  @Test("a missing or invalid file remembers nothing") func invalid() throws {
    #expect(DecoderFingerprint(reading: file) == nil)
    try #require(found()).write(to: file)
    let text = try String(contentsOfFile: file.text, encoding: .utf8)
    for invalid in ["", "\n", String(text.dropLast()), text.replacing("mediatool decoders 1", with: "2"), text + "x\n"]
    {
      try folder.write(Array(invalid.utf8), to: "decoders.txt")
      #expect(DecoderFingerprint(reading: file) == nil, "\(invalid)")
    }
  }

  @Test("a worker with all libraries reports its program and what it has loaded", .disabled(if: Engines.isSanitized))
  func reported() async throws {
    let engine = try await Engines.real(1)
    let files = engine.description.files
    #expect(files.contains { $0.hasSuffix("/mediatool-worker") })
    #expect(files.contains { $0.contains("/libvips.so") })
    #expect(files.contains { $0.contains("/libavcodec.so") })
    #expect(files.allSatisfy { FileManager.default.fileExists(atPath: $0) }, "\(files)")
    await engine.shutdown()
  }
}
