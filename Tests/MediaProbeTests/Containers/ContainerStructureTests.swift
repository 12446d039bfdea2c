internal import MediaModel
internal import Testing

@testable internal import MediaProbe

@Suite struct ContainerStructureTests {
  @Test(
    arguments: whole + [
      // Recorders that never came back to write the size.
      Signature("PCM of unknown length", TinyAudio.wav(stated: 0), "audio/wav"),
      Signature("PCM without end", TinyAudio.wav(stated: 0xFFFF_FFFF), "audio/wav"),
      Signature("an ASF broadcast", asf(dataSize: 0), "video/x-ms-asf"),
      Signature("a live recording", TinyAudio.webm(clusters: 2), "video/webm"),
      // Makers append blocks of their own, which are no boxes.
      Signature(
        "a movie with a trailer",
        Bytes.join(TinyMovie().bytes, Bytes.be32(0x7FFF_0000), Bytes.ascii("SEFT"), Bytes.zeros(20)),
        "video/mp4"),
      Signature("a movie with padding", TinyMovie().bytes + Bytes.zeros(5), "video/mp4"),
      // The samples are elsewhere: the header of a stream.
      Signature("a header alone", TinyMovie.fragmented(fragments: 0), "video/mp4"),
    ])
  func `A whole file has no failure`(_ file: Signature) throws {
    #expect(try structure(file.bytes, MediaType(file.type)).failure == nil)
  }

  @Test(arguments: whole) func `Every prefix is truncated`(_ file: Signature) throws {
    // From a few bytes that still show the type, by steps, to all but one.
    for length in stride(from: 30, to: file.bytes.count, by: max(1, file.bytes.count / 100)) {
      #expect(
        try structure(file.bytes.prefix(length), MediaType(file.type)).failure?.code == .truncated, "\(length) bytes")
    }
    #expect(try structure(file.bytes.dropLast(), MediaType(file.type)).failure?.code == .truncated, "one byte short")
  }

  @Test func `A truncated fragment is detected`() throws {
    let bytes = TinyMovie.fragmented(fragments: 3)
    let last = try #require(bytes.ranges(of: Bytes.ascii("moof")).last)
    for length in [last.upperBound, last.upperBound + 20, bytes.count - 39, bytes.count - 1] {
      #expect(try structure(bytes.prefix(length), .mp4).failure?.code == .truncated, "\(length) bytes")
    }
  }

  @Test func `Media data without a movie box is truncated`() throws {
    let bytes = Bytes.box("ftyp", Bytes.ascii("isom"), Bytes.be32(0)) + Bytes.box("mdat", Bytes.zeros(100))
    #expect(try structure(bytes, .mp4).failure?.code == .truncated)
  }

  @Test func `Large boxes are followed`() throws {
    let type = Bytes.box("ftyp", Bytes.ascii("isom"), Bytes.be32(0))
    let large = Bytes.be32(1) + Bytes.ascii("mdat") + Bytes.be64(116) + Bytes.zeros(100)
    let boxes = BoxStructure(try MediaInput(bytes: type + large + Bytes.box("moov")))
    #expect(boxes.movie == 132..<140)
    #expect(boxes.failure == nil)
  }

  @Test(arguments: [
    Bytes.be32(7) + Bytes.ascii("moov"), Bytes.be32(1) + Bytes.ascii("mdat") + [UInt8](repeating: 0xFF, count: 8),
  ])
  func `An invalid box size ends the walk`(_ box: [UInt8]) throws {
    let boxes = BoxStructure(try MediaInput(bytes: Bytes.box("ftyp", Bytes.ascii("isom"), Bytes.be32(0)) + box))
    #expect(boxes.movie == nil)
  }

  @Test func `A thousand fragments cost sixteen bytes per box`() throws {
    let input = try MediaInput(bytes: TinyMovie.fragmented(fragments: 1_000))
    let boxes = BoxStructure(input)
    #expect(boxes.failure == nil)
    #expect(boxes.lastFragments.count == 16)
    #expect(input.bytesRead <= 2_002 * 16)
  }

  @Test(arguments: [true, false]) func `A fragmented movie has the duration of its fragments`(
    _ samplesHaveDurations: Bool
  ) throws {
    let bytes = TinyMovie.fragmented(fragments: 7, samplesHaveDurations: samplesHaveDurations)
    #expect(try structure(bytes, .mp4).duration == 7)
    #expect(try structure(TinyMovie().bytes, .mp4).duration == nil)
  }

  @Test(arguments: [0, 0x8000_0000, 0xFFFF_FFFF])
  func `Fragments of a track without an ID are not passed to the demuxer`(
    _ number: Int
  ) throws {
    let bytes = TinyMovie.fragmented(fragments: 3, trackNumber: number)
    #expect(try !structure(bytes, .mp4).isReadable)
    #expect(MediaProber().facts(of: try MediaInput(bytes: bytes)).error?.code == .corrupt)
  }

  @Test func `The last block determines the duration of a live WebM`() throws {
    #expect(try structure(TinyAudio.webm(clusters: 1), .webm).duration == 1)
    #expect(try structure(TinyAudio.webm(clusters: 40), .webm).duration == 79)
    #expect(try structure(TinyAudio.webm(clusters: 0), .webm).duration == nil)
  }

  @Test func `A stated duration is left to the demuxer`() throws {
    // The same file, with a Duration element in place of the time stamp scale.
    var bytes = TinyAudio.webm(clusters: 2)
    let scale = try #require(bytes.firstRange(of: [0x2A, 0xD7, 0xB1]))
    bytes.replaceSubrange(
      scale.lowerBound..<scale.upperBound + 8, with: Bytes.element(0x4489, Bytes.zeros(4)) + [0xEC, 0x80])
    let info = try #require(bytes.firstRange(of: [0x15, 0x49, 0xA9, 0x66]))
    bytes.replaceSubrange(info.upperBound..<info.upperBound + 4, with: Bytes.be32(0x1000_000C))
    #expect(try structure(bytes, .webm).duration == nil)
  }

  private static let whole = [
    Signature("a movie", TinyMovie().bytes, "video/mp4"),
    Signature("PCM", TinyAudio.wav(), "audio/wav"),
    Signature("a finished WebM", TinyAudio.webm(clusters: 2, isFinished: true), "video/webm"),
    Signature(
      "AIFF",
      Bytes.join(
        Bytes.ascii("FORM"), Bytes.be32(24), Bytes.ascii("AIFFSSND"), Bytes.be32(12), Bytes.zeros(12)), "audio/aiff"),
    Signature("ASF", asf(dataSize: 50), "video/x-ms-asf"),
  ]

  private func structure(_ bytes: some Sequence<UInt8>, _ type: MediaType) throws -> ContainerStructure {
    let input = try MediaInput(bytes: Array(bytes))
    return ContainerStructure(of: type, input, input.reader())
  }

  /// A header object of 30 bytes and a data object.
  private static func asf(dataSize: Int) -> [UInt8] {
    let header: [UInt8] = [
      0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11, 0xA6, 0xD9, 0x00, 0xAA, 0x00, 0x62, 0xCE, 0x6C,
    ]
    let data: [UInt8] = [
      0x36, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11, 0xA6, 0xD9, 0x00, 0xAA, 0x00, 0x62, 0xCE, 0x6C,
    ]
    return header + Bytes.be64(30).reversed() + Bytes.zeros(6) + data + Bytes.be64(dataSize).reversed()
      + Bytes.zeros(26)
  }
}
