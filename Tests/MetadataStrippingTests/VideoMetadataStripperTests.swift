internal import MetadataStripping
internal import TestSupport
internal import Testing

@Suite("D6.10: a video without its metadata") struct VideoMetadataStripperTests {
  typealias Tracks = (SyntheticMovie, Int) -> [[UInt8]]

  /// That a video becomes what it has to be.
  private func expectStripped(
    _ change: (inout SyntheticMovie) -> Void = { _ in },
    tracks: Tracks = { [$0.images(start: $1), $0.audio(start: $1)] },
    _ comment: Comment? = nil
  ) {
    var video = SyntheticMovie(isStripped: false)
    change(&video)
    let file = video.bytes(tracks: tracks)
    video.isStripped = true
    let expected = video.bytes(tracks: tracks)
    expect(file, becomes: expected, comment)
  }

  /// Arrays of thousands of bytes are not compared in the macro, which would print them.
  private func expect(_ file: [UInt8], becomes expected: [UInt8], _ comment: Comment? = nil) {
    let plain = VideoMetadataStripper.strip(file) ?? []
    let difference = zip(plain, expected).enumerated().first { $0.element.0 != $0.element.1 }?.offset
    #expect(plain.count == file.count, comment)
    #expect(expected.count == file.count, comment)
    #expect(difference == nil, comment)
    let (isStripped, isIdempotent) = (!plain.contains(text: "secret"), VideoMetadataStripper.strip(plain) == plain)
    #expect(isStripped, comment)
    #expect(isIdempotent, comment)
    let isPlanned = planned(file) == expected
    #expect(isPlanned, comment)
  }

  /// The file with what the plan changes, which reads it in pieces; nil if there is no plan.
  func planned(_ file: [UInt8]) -> [UInt8]? {
    func read(_ offset: Int, _ count: Int) -> [UInt8] { Array(file[offset..<min(offset + count, file.count)]) }
    guard let plan = try? VideoMetadataStripper.plan(count: file.count, read: read) else { return nil }
    var changed = file
    changed.withUnsafeMutableBytes { bytes in
      // In pieces with borders inside what changes.
      for start in stride(from: 0, to: bytes.count, by: 7) {
        let piece = bytes[start..<min(start + 7, bytes.count)]
        plan.apply(to: UnsafeMutableRawBufferPointer(rebasing: piece), at: start)
      }
    }
    return changed
  }

  func isRefused(_ file: [UInt8]) -> Bool { VideoMetadataStripper.strip(file) == nil }

  @Test(
    "What is seen and heard stays, and where it is; places, dates, names, tracks of positions and what no sample has become zeros"
  )
  func everything() {
    expectStripped()
    expectStripped({ $0.version = 1 }, "dates of 64 bits")
    expectStripped({ $0.dataHeader = 16 }, "a size of 64 bits")
  }

  @Test("Sizes of 4, 8, 16 and 32 bits, and offsets of 32 and 64", arguments: [4, 8, 16, 32], [4, 8])
  func tables(bits: Int, width: Int) {
    expectStripped(tracks: { [$0.images(start: $1, sizes: bits, width: width), $0.audio(start: $1)] })
  }

  @Test(
    "Audio that is not packed stays where its two counts agree, whatever the version of its entry; else nobody knows where it ends"
  )
  func plainAudio() {
    for version in [UInt8](0...2) {
      expectStripped(
        tracks: { video, start in
          [video.images(start: start), video.audio(start: start, entry: video.audioEntry("lpcm", version: version))]
        }, "\(version)")
      let video = SyntheticMovie(isStripped: false)
      let other = video.bytes { video, start in
        [video.audio(start: start, entry: video.audioEntry("ima4", version: version, frame: 34), size: 1)]
      }
      #expect(isRefused(other), "\(version)")
    }
    // Frames of a codec that all have one length.
    expectStripped(tracks: { video, start in
      let maker = video.box("damr", video.gone("kest"), [1, 0, 0xFF, 0, 1])
      return [
        video.images(start: start), video.audio(start: start, entry: video.audioEntry("samr", maker), duration: 160),
      ]
    })
  }

  @Test(
    "Tracks that are no video go: texts, and images that are files with metadata of their own, unless there is nothing else"
  )
  func otherTracks() {
    for (name, entry) in [("text", "text"), ("tmcd", "tmcd"), ("vide", "jpeg"), ("vide", "png "), ("vide", "mjpa")] {
      expectStripped(
        tracks: { video, start in
          [video.images(start: start), video.audio(start: start), video.goneTrack(start: start, name, entry)]
        }, "\(entry)")
    }
    let video = SyntheticMovie(isStripped: false)
    #expect(isRefused(video.bytes { [$0.audio(start: $1), $0.goneTrack(start: $1, "vide", "jpeg")] }))
  }

  @Test("What hangs behind the last box becomes one of nothing, and less than a box zeros") func behind() {
    let video = SyntheticMovie(isStripped: false)
    let plain = SyntheticMovie(isStripped: true).bytes()
    for tail in ["secret", "secret secret secret of a trailer that is no box"].map(SyntheticMovie.text) {
      let box = tail.count < 8 ? [] : SyntheticMovie.number(tail.count) + SyntheticMovie.text("free")
      let zeros = [UInt8](repeating: 0, count: tail.count - box.count)
      expect(video.bytes() + tail, becomes: plain + box + zeros)
    }
    // The index itself goes to the end; what is behind it in the builder's files is 14 bytes.
    func endless(_ file: [UInt8]) -> [UInt8] {
      var file = Array(file.dropLast(14))
      let index = file.indices.dropLast(4).first { file[$0..<($0 + 4)].elementsEqual("moov".utf8) } ?? 4
      file.replaceSubrange((index - 4)..<index, with: [0, 0, 0, 0])
      return file
    }
    expect(endless(video.bytes()), becomes: endless(plain))
    // Samples that are not there are not behind the last box either.
    #expect(isRefused(video.bytes() + SyntheticMovie.number(100) + SyntheticMovie.text("mdatsecret")))
    // A box that goes to the end.
    let last = SyntheticMovie.number(0) + SyntheticMovie.text("uuidsecret")
    expect(
      video.bytes() + last, becomes: plain + SyntheticMovie.number(14) + SyntheticMovie.text("free\0\0\0\0\0\0"))
  }

  @Test("A video of fragments: samples are where each says that they are, by any of the three ways to say it")
  func fragments() {
    for explicit in [false, true] {
      let file = fragmented(isStripped: false, explicit: explicit, ordered: true)
      let expected = fragmented(isStripped: true, explicit: explicit, ordered: true)
      expect(file, becomes: expected)
    }
    // The second counts from the end of the first.
    #expect(isRefused(fragmented(isStripped: false, explicit: false, ordered: false)))
  }

  /// A fragmented file with three tracks: images with a size each, audio with one size for all samples, and locations, which are removed.
  /// - Parameters:
  ///   - explicit: Whether offsets are relative to the beginning of the file, otherwise to that of the fragment; and whether the fragment,
  ///     otherwise the index, states the size of audio samples.
  ///   - ordered: Whether the second track of a fragment states its offset.
  func fragmented(isStripped: Bool, explicit: Bool, ordered: Bool) -> [UInt8] {
    typealias Video = SyntheticMovie
    let video = Video(isStripped: isStripped)
    func empty(_ entry: [UInt8]) -> [UInt8] {
      video.tables(entry, sizes: video.sizes([]), chunks: video.offsets([]), runs: [])
    }
    let extends = video.box(
      "mvex", video.goneBox("udta", Video.text("secret")),
      video.box("trex", Video.number(0) + Video.number(1) + Array(repeating: 0, count: 16)),
      video.box(
        "trex",
        Video.number(0) + Video.number(2) + Video.number(1) + Video.number(0) + Video.number(explicit ? 9 : 4)
          + Video.number(0)))
    let movie = video.box(
      "moov", video.dated("mvhd", Array(repeating: 2, count: 88)),
      video.track(1, "vide", header: [], tables: empty(video.imageEntry)),
      video.track(2, "soun", header: [], tables: empty(video.audioEntry("mp4a"))), extends)
    let start = video.box("ftyp", Video.text("isom\0\0\0\0")) + movie + video.goneBox("prft", Video.text("secret"))
    /// One fragment, whose media begin so far behind what it counts from.
    func fragment(_ media: Int) -> [UInt8] {
      let flags = explicit ? 1 : ordered ? 0x020000 : 0
      let base = explicit ? Video.number(0, 8) : []
      func track(_ id: Int, _ header: [UInt8], _ run: [UInt8]...) -> [UInt8] {
        video.box(
          "tfhd", Video.number(flags | (id == 3 ? 0x38 : id == 2 && explicit ? 0x18 : 0)), Video.number(id), base,
          header)
          + video.goneBox("uuid", Video.text("secret secret secret"))
          + run.map { video.box("trun", $0) }.flatMap(\.self)
      }
      // A duration, a size and a time each; then one more sample behind them.
      let images = Video.number(0xB05) + Video.number(2) + Video.number(media + 6) + Video.number(9)
      let entries = [2, 3].flatMap { Video.number(40) + Video.number($0) + Video.number(1) }
      let next = Video.number(0x200) + Video.number(1) + Video.number(4)
      let audio = Video.number(1) + Video.number(2) + Video.number(media + 15 + 6)
      let positions = Video.number(1) + Video.number(1) + Video.number(media)
      let gone = Video.number(1) + Video.number(6) + Video.number(7)
      return video.box(
        "moof", video.box("mfhd", [0, 0, 0, 0, 0, 0, 0, 1]), video.goneBox("uuid", Video.text("secret secret secret")),
        video.box("traf", track(1, [], images + entries, next)),
        video.box("traf", track(2, explicit ? Video.number(6) + Video.number(4) : [], audio)),
        video.goneBox("traf", track(3, gone, positions)))
    }
    let media = fragment(0).count + 8 + (explicit ? start.count : 0)
    return start + fragment(media)
      + video.box("mdat", video.gone("secret"), Video.text("aabbbcccc"), video.gone("secret"), Video.text("ssssssss"))
      + video.box("mfra", video.goneBox("uuid", Video.text("secret secret secret")), video.box("mfro", [0, 0, 0, 0]))
  }

  @Test("User data between images of H.264 and H.265 becomes filling of the same length; nothing else there changes")
  func notes() {
    // Length, header, messages of type and size. The zeros before a 3 that keeps them from looking like a start stay.
    let made: [UInt8] = [4, 6, 5, 1, 0x53] + [14, 6, 0, 1, 0x11, 5, 6, 0x41, 0, 0, 3, 1, 0x42, 0x43, 0x80]
    let plain: [UInt8] = [4, 6, 3, 1, 0xFF] + [14, 6, 0, 1, 0x11, 3, 6, 0xFF, 0, 0, 3, 0xFF, 0xFF, 0xFF, 0x80]
    let avc: [UInt8] = [1, 66, 0xC0, 30, 0xFC]
    expectStripped {
      $0.samples = (made, plain)
      $0.edit = ("avcC", { _ in avc })
    }
    // What is no such unit stays: an image that looks like one, registered user data (captions).
    for same: [UInt8] in [
      [4, 0x65, 5, 1, 0x53] + [14, 0x65, 5] + Array(repeating: 7, count: 12),
      [4, 6, 4, 1, 0x53] + [0, 0, 0, 0, 0, 0, 8, 6, 4, 5, 0x41, 2, 3, 4, 5],
    ] {
      expectStripped {
        $0.samples = (same, same)
        $0.edit = ("avcC", { _ in avc })
      }
    }
    // H.265 in boxes of H.264's entry is read by its own record: lengths of two bytes, headers of two.
    let high = [0, 3, 0x4E, 1, 0x80] + [0, 13, 0x4E, 1, 5, 2, 0x41, 0x42, 1, 1, 9, 5, 1, 0x41, 0x80] as [UInt8]
    let highPlain = [0, 3, 0x4E, 1, 0x80] + [0, 13, 0x4E, 1, 3, 2, 0xFF, 0xFF, 1, 1, 9, 3, 1, 0xFF, 0x80] as [UInt8]
    expectStripped {
      $0.samples = (high, highPlain)
      $0.configuration = ("hvcC", [1] + Array(repeating: 0, count: 20) + [1, 0])
    }
    // Lengths and messages that go beyond their end.
    for broken: [UInt8] in [
      [5, 6, 5, 1, 0x53] + Array(repeating: 0, count: 15), [4, 6, 5, 9, 0x53] + Array(repeating: 0, count: 15),
      [4, 6, 0xFF, 0xFF, 0xFF] + Array(repeating: 0, count: 15),
    ] {
      var video = SyntheticMovie(isStripped: false)
      video.samples = (broken, broken)
      video.edit = ("avcC", { _ in avc })
      #expect(isRefused(video.bytes()))
    }
  }
}
