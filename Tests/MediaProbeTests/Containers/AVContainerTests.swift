internal import Foundation
internal import MediaModel
internal import Testing

@testable internal import MediaProbe

@Suite struct AVContainerTests {
  /// Some demuxers open further files; even those cannot open anything but the given file.
  ///
  /// In a process of its own, because a file that libav considers safe has to be in the current folder.
  @Test func `Nothing but the file itself is opened`() async {
    await #expect(processExitsWith: .success) {
      let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data(TinyAudio.adts(frames: 100)).write(to: folder.appending(path: "audio.ts"))
      guard FileManager.default.changeCurrentDirectoryPath(folder.path) else { exit(2) }
      let playlist = "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\naudio.ts\n#EXT-X-ENDLIST\n"
      let list = "ffconcat version 1.0\nfile 'audio.ts'\n"
      var opened = 0
      for (demuxer, text) in [("hls", playlist), ("concat", list)] {
        let input = try MediaInput(bytes: Array(text.utf8))
        if let container = try? AVContainer(input, demuxer: demuxer, decoders: ["aac"]) {
          opened += container.withStreams { $0.count }
        }
      }
      try FileManager.default.removeItem(at: folder)
      exit(opened == 0 ? 0 : 1)
    }
  }

  @Test func `A playlist is text and not passed to libav`() throws {
    let text = "#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n"
    let info = MediaProber().facts(of: try MediaInput(bytes: Array(text.utf8)))
    #expect(info.type.rawValue == "application/vnd.apple.mpegurl")
    #expect(info.kind == .text)
    #expect(info.duration == nil)
  }

  @Test func `A demuxer that does not exist is refused`() throws {
    let input = try MediaInput(bytes: TinyAudio.wav())
    #expect(throws: MediaFailure.self) { try AVContainer(input, demuxer: "no such thing", decoders: []).duration }
  }

  @Test func `Only allowed decoders are opened`() throws {
    // An H.263 image header: QCIF, intra. Its container does not say the size, and only the decoder reads it; its 176 pixels
    // are each 12:11 wide.
    let movie = TinyMovie(tracks: [.h263], sample: [0, 0, 0x80, 0x02, 0x08, 0x01, 0, 0, 0, 0, 0, 0])
    func size(_ decoders: [String]) throws -> PixelSize? {
      let input = try MediaInput(bytes: movie.bytes)
      let container = try AVContainer(input, demuxer: "mov", decoders: decoders)
      try? container.readStreamInfo()
      var info = MediaInfo(type: .mp4, bytes: 0)
      ContainerFacts(container).apply(to: &info, duration: nil)
      return info.displaySize
    }
    #expect(try size(Demuxers.decoders) == PixelSize(width: 192, height: 144))
    #expect(try size(["aac"]) == nil)
  }

  @Test func `A passed deadline ends opening`() throws {
    let input = try MediaInput(bytes: TinyMovie().bytes)
    input.set(deadline: .after(seconds: 0))
    let failure = #expect(throws: MediaFailure.self) {
      try AVContainer(input, demuxer: "mov", decoders: []).duration
    }
    #expect(failure?.code == .timedOut)
  }

  @Test func `A passed deadline ends reading`() throws {
    // Samples that are larger than what has been read together with the header.
    let movie = TinyMovie(tracks: [.h263], sample: [0, 0, 0x80, 0x02, 0x08, 0x01] + Bytes.zeros(100_000))
    let input = try MediaInput(bytes: movie.bytes)
    let container = try AVContainer(input, demuxer: "mov", decoders: Demuxers.decoders)
    input.set(deadline: .after(seconds: 0))
    let failure = #expect(throws: MediaFailure.self) { try container.readStreamInfo() }
    #expect(failure?.code == .timedOut)
  }

  @Test func `A container keeps its file open`() throws {
    func open() throws -> AVContainer {
      let input = try MediaInput(bytes: TinyAudio.mp3(bitRates: .init(repeating: 9, count: 500)))
      return try AVContainer(input, demuxer: "mp3", decoders: Demuxers.decoders)
    }
    let container = try open()
    try container.readStreamInfo()
    #expect(container.withStreams { $0.count } == 1)
  }

  @Test func `A file truncated during reading is unreadable or truncated`() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    defer { try? FileManager.default.removeItem(atPath: path) }
    #expect(FileManager.default.createFile(atPath: path, contents: Data(TinyMovie().bytes)))
    let input = try MediaInput(path: path)
    #expect(truncate(path, 64) == 0)
    let info = MediaProber().facts(of: input)
    #expect(info.type.rawValue == "video/mp4")
    #expect(info.error != nil)
  }

  @Test func `Containers can be read concurrently`() async throws {
    let bytes = TinyMovie(tracks: [.video(width: 320, height: 240), .audio]).bytes
    let results = await withTaskGroup(of: MediaInfo?.self, returning: [MediaInfo?].self) { group in
      for _ in 0..<64 {
        group.addTask {
          guard let input = try? MediaInput(bytes: bytes) else { return nil }
          return MediaProber().facts(of: input)
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(Set(results.map { $0?.width }) == [320])
    #expect(Set(results).count == 1)
  }
}
