internal import Messaging
internal import TestSupport
internal import Testing

@Suite("D6.10: a film without its metadata") struct BareFilmTests {
  typealias Tracks = (SyntheticFilm, Int) -> [[UInt8]]

  /// That a film becomes what it has to be.
  private func expectBare(
    _ change: (inout SyntheticFilm) -> Void = { _ in },
    tracks: Tracks = { [$0.pictures(start: $1), $0.sound(start: $1)] },
    _ comment: Comment? = nil
  ) {
    var film = SyntheticFilm(isBare: false)
    change(&film)
    let file = film.bytes(tracks: tracks)
    film.isBare = true
    let expected = film.bytes(tracks: tracks)
    expect(file, becomes: expected, comment)
  }

  /// Arrays of thousands of bytes are not compared in the macro, which would print them.
  private func expect(_ file: [UInt8], becomes expected: [UInt8], _ comment: Comment? = nil) {
    let bare = BareFilm.bytes(of: file) ?? []
    let difference = zip(bare, expected).enumerated().first { $0.element.0 != $0.element.1 }?.offset
    #expect(bare.count == file.count && expected.count == file.count && difference == nil, comment)
    let (isBare, isIdempotent) = (!bare.contains(text: "secret"), BareFilm.bytes(of: bare) == bare)
    #expect(isBare && isIdempotent, comment)
  }

  private func isRefused(_ file: [UInt8]) -> Bool { BareFilm.bytes(of: file) == nil }

  @Test(
    "What is seen and heard stays, and where it is; places, dates, names, tracks of positions and what no sample has become zeros"
  )
  func everything() {
    expectBare()
    expectBare({ $0.version = 1 }, "dates of 64 bits")
    expectBare({ $0.dataHeader = 16 }, "a size of 64 bits")
  }

  @Test("Sizes of 4, 8, 16 and 32 bits, and offsets of 32 and 64", arguments: [4, 8, 16, 32], [4, 8])
  func tables(bits: Int, width: Int) {
    expectBare(tracks: { [$0.pictures(start: $1, sizes: bits, width: width), $0.sound(start: $1)] })
  }

  @Test(
    "Sound that is not packed stays where its two counts agree, whatever the version of its entry; else nobody knows where it ends"
  )
  func plainSound() {
    for version in [UInt8](0...2) {
      expectBare(
        tracks: { film, start in
          [film.pictures(start: start), film.sound(start: start, entry: film.soundEntry("lpcm", version: version))]
        }, "\(version)")
      let film = SyntheticFilm(isBare: false)
      let other = film.bytes { film, start in
        [film.sound(start: start, entry: film.soundEntry("ima4", version: version, frame: 34), size: 1)]
      }
      #expect(isRefused(other), "\(version)")
    }
    // Frames of a codec that all have one length.
    expectBare(tracks: { film, start in
      let maker = film.box("damr", film.gone("kest"), [1, 0, 0xFF, 0, 1])
      return [
        film.pictures(start: start), film.sound(start: start, entry: film.soundEntry("samr", maker), duration: 160),
      ]
    })
  }

  @Test(
    "Tracks that are no film go: texts, and pictures that are files with metadata of their own, unless there is nothing else"
  )
  func otherTracks() {
    for (name, entry) in [("text", "text"), ("tmcd", "tmcd"), ("vide", "jpeg"), ("vide", "png "), ("vide", "mjpa")] {
      expectBare(
        tracks: { film, start in
          [film.pictures(start: start), film.sound(start: start), film.goneTrack(start: start, name, entry)]
        }, "\(entry)")
    }
    let film = SyntheticFilm(isBare: false)
    #expect(isRefused(film.bytes { [$0.sound(start: $1), $0.goneTrack(start: $1, "vide", "jpeg")] }))
  }

  @Test("What hangs behind the last box becomes one of nothing, and less than a box zeros") func behind() {
    let film = SyntheticFilm(isBare: false)
    let bare = SyntheticFilm(isBare: true).bytes()
    for tail in ["secret", "secret secret secret of a trailer that is no box"].map(SyntheticFilm.text) {
      let box = tail.count < 8 ? [] : SyntheticFilm.number(tail.count) + SyntheticFilm.text("free")
      let zeros = [UInt8](repeating: 0, count: tail.count - box.count)
      expect(film.bytes() + tail, becomes: bare + box + zeros)
    }
    // The index itself goes to the end; what is behind it in the builder's files is 14 bytes.
    func endless(_ file: [UInt8]) -> [UInt8] {
      var file = Array(file.dropLast(14))
      let index = file.indices.dropLast(4).first { file[$0..<($0 + 4)].elementsEqual("moov".utf8) } ?? 4
      file.replaceSubrange((index - 4)..<index, with: [0, 0, 0, 0])
      return file
    }
    expect(endless(film.bytes()), becomes: endless(bare))
    // Samples that are not there are not behind the last box either.
    #expect(isRefused(film.bytes() + SyntheticFilm.number(100) + SyntheticFilm.text("mdatsecret")))
    // A box that goes to the end.
    let last = SyntheticFilm.number(0) + SyntheticFilm.text("uuidsecret")
    expect(
      film.bytes() + last, becomes: bare + SyntheticFilm.number(14) + SyntheticFilm.text("free\0\0\0\0\0\0"))
  }

  @Test("A film of fragments: samples are where each says that they are, by any of the three ways to say it")
  func fragments() {
    for explicit in [false, true] {
      let file = fragmented(isBare: false, explicit: explicit, ordered: true)
      let expected = fragmented(isBare: true, explicit: explicit, ordered: true)
      expect(file, becomes: expected)
    }
    // The second counts from the end of the first.
    #expect(isRefused(fragmented(isBare: false, explicit: false, ordered: false)))
  }

  /// Of three tracks: pictures with a size each, sound with one for all, positions that go.
  /// - Parameters:
  ///   - explicit: Whether places are told from the beginning of the file, else from that of the fragment; and the size of the sound's samples by the
  ///     fragment, else by the index.
  ///   - ordered: Whether the second track of a fragment says where it is.
  private func fragmented(isBare: Bool, explicit: Bool, ordered: Bool) -> [UInt8] {
    typealias Film = SyntheticFilm
    let film = Film(isBare: isBare)
    func empty(_ entry: [UInt8]) -> [UInt8] {
      film.tables(entry, sizes: film.sizes([]), chunks: film.offsets([]), runs: [])
    }
    let extends = film.box(
      "mvex", film.goneBox("udta", Film.text("secret")),
      film.box("trex", Film.number(0) + Film.number(1) + Array(repeating: 0, count: 16)),
      film.box(
        "trex",
        Film.number(0) + Film.number(2) + Film.number(1) + Film.number(0) + Film.number(explicit ? 9 : 4)
          + Film.number(0)))
    let movie = film.box(
      "moov", film.dated("mvhd", Array(repeating: 2, count: 88)),
      film.track(1, "vide", header: [], tables: empty(film.pictureEntry)),
      film.track(2, "soun", header: [], tables: empty(film.soundEntry("mp4a"))), extends)
    let start = film.box("ftyp", Film.text("isom\0\0\0\0")) + movie + film.goneBox("prft", Film.text("secret"))
    /// One fragment, whose media begin so far behind what it counts from.
    func fragment(_ media: Int) -> [UInt8] {
      let flags = explicit ? 1 : ordered ? 0x020000 : 0
      let base = explicit ? Film.number(0, 8) : []
      func track(_ id: Int, _ header: [UInt8], _ run: [UInt8]...) -> [UInt8] {
        film.box(
          "tfhd", Film.number(flags | (id == 3 ? 0x38 : id == 2 && explicit ? 0x18 : 0)), Film.number(id), base, header)
          + film.goneBox("uuid", Film.text("secret secret secret"))
          + run.map { film.box("trun", $0) }.flatMap(\.self)
      }
      // A duration, a size and a time each; then one more sample behind them.
      let pictures = Film.number(0xB05) + Film.number(2) + Film.number(media + 6) + Film.number(9)
      let entries = [2, 3].flatMap { Film.number(40) + Film.number($0) + Film.number(1) }
      let next = Film.number(0x200) + Film.number(1) + Film.number(4)
      let sound = Film.number(1) + Film.number(2) + Film.number(media + 15 + 6)
      let positions = Film.number(1) + Film.number(1) + Film.number(media)
      let gone = Film.number(1) + Film.number(6) + Film.number(7)
      return film.box(
        "moof", film.box("mfhd", [0, 0, 0, 0, 0, 0, 0, 1]), film.goneBox("uuid", Film.text("secret secret secret")),
        film.box("traf", track(1, [], pictures + entries, next)),
        film.box("traf", track(2, explicit ? Film.number(6) + Film.number(4) : [], sound)),
        film.goneBox("traf", track(3, gone, positions)))
    }
    let media = fragment(0).count + 8 + (explicit ? start.count : 0)
    return start + fragment(media)
      + film.box("mdat", film.gone("secret"), Film.text("aabbbcccc"), film.gone("secret"), Film.text("ssssssss"))
      + film.box("mfra", film.goneBox("uuid", Film.text("secret secret secret")), film.box("mfro", [0, 0, 0, 0]))
  }

  @Test(
    "Tables that contradict each other or the file, other files' samples, and what is not known give none",
    arguments: [
      ("stsc", 11, 2), ("stsc", 15, 9), ("stsc", 19, 2), ("stsc", 7, 3), ("stsz", 11, 6), ("stsz", 19, 200),
      ("stco", 7, 1),
      ("stco", 7, 3), ("stco", 10, 9), ("stco", 11, 0), ("dref", 19, 0), ("avc1", 85, 0x20), ("mvhd", 0, 2),
      ("tkhd", 15, 2),
    ] as [(String, Int, UInt8)])
  func contradictions(type: String, offset: Int, value: UInt8) {
    var film = SyntheticFilm(isBare: false)
    film.edit = (
      type,
      { body in
        var body = body
        if body.indices.contains(offset) { body[offset] = value }
        return body
      }
    )
    #expect(isRefused(film.bytes()))
  }

  @Test("User data between pictures of H.264 and H.265 becomes filling of the same length; nothing else there changes")
  func notes() {
    // Length, header, messages of type and size. The zeros before a 3 that keeps them from looking like a start stay.
    let made: [UInt8] = [4, 6, 5, 1, 0x53] + [14, 6, 0, 1, 0x11, 5, 6, 0x41, 0, 0, 3, 1, 0x42, 0x43, 0x80]
    let bare: [UInt8] = [4, 6, 3, 1, 0xFF] + [14, 6, 0, 1, 0x11, 3, 6, 0xFF, 0, 0, 3, 0xFF, 0xFF, 0xFF, 0x80]
    let avc: [UInt8] = [1, 66, 0xC0, 30, 0xFC]
    expectBare {
      $0.samples = (made, bare)
      $0.edit = ("avcC", { _ in avc })
    }
    // What is no such unit stays: a picture that looks like one, registered user data (captions).
    for same: [UInt8] in [
      [4, 0x65, 5, 1, 0x53] + [14, 0x65, 5] + Array(repeating: 7, count: 12),
      [4, 6, 4, 1, 0x53] + [0, 0, 0, 0, 0, 0, 8, 6, 4, 5, 0x41, 2, 3, 4, 5],
    ] {
      expectBare {
        $0.samples = (same, same)
        $0.edit = ("avcC", { _ in avc })
      }
    }
    // H.265 in boxes of H.264's entry is read by its own record: lengths of two bytes, headers of two.
    let high = [0, 3, 0x4E, 1, 0x80] + [0, 13, 0x4E, 1, 5, 2, 0x41, 0x42, 1, 1, 9, 5, 1, 0x41, 0x80] as [UInt8]
    let highBare = [0, 3, 0x4E, 1, 0x80] + [0, 13, 0x4E, 1, 3, 2, 0xFF, 0xFF, 1, 1, 9, 3, 1, 0xFF, 0x80] as [UInt8]
    expectBare {
      $0.samples = (high, highBare)
      $0.configuration = ("hvcC", [1] + Array(repeating: 0, count: 20) + [1, 0])
    }
    // Lengths and messages that go beyond their end.
    for broken: [UInt8] in [
      [5, 6, 5, 1, 0x53] + Array(repeating: 0, count: 15), [4, 6, 5, 9, 0x53] + Array(repeating: 0, count: 15),
      [4, 6, 0xFF, 0xFF, 0xFF] + Array(repeating: 0, count: 15),
    ] {
      var film = SyntheticFilm(isBare: false)
      film.samples = (broken, broken)
      film.edit = ("avcC", { _ in avc })
      #expect(isRefused(film.bytes()))
    }
  }

  @Test("A list of entries that has others than it says, or more than any film, is refused at once") func entries() {
    for (said, count) in [(2, 1), (1, 2), (0, 1), (65, 65), (64_000, 64_000)] {
      let film = SyntheticFilm(isBare: false)
      let file = film.bytes { film, start in
        var other = film
        other.edit = (
          "stsd",
          { body in
            let entry = body.dropFirst(8)
            let more = count > 2 ? SyntheticFilm.number(8) + SyntheticFilm.text("abcd") : Array(entry)
            return [0, 0, 0, 0] + SyntheticFilm.number(said) + entry
              + Array(repeating: more, count: count - 1).flatMap(\.self)
          }
        )
        return [other.pictures(start: start), film.sound(start: start)]
      }
      #expect(isRefused(file), "\(said) \(count)")
    }
  }

  @Test("A box that has to be there once is there once; a film has pictures or sound") func missing() {
    for type in ["mvhd", "tkhd", "mdia", "mdhd", "minf", "stbl", "stsd", "stts", "stsc", "stsz", "stco"] {
      let file = SyntheticFilm(isBare: false).bytes()
      let places = file.indices.dropLast(4).filter { file[$0..<($0 + 4)].elementsEqual(type.utf8) }
      #expect(!places.isEmpty)
      var other = file
      if let place = places.first { other[place] = UInt8(ascii: "x") }
      #expect(isRefused(other), "\(type)")
    }
    #expect(isRefused(SyntheticFilm(isBare: false).bytes { _, _ in [] }))
    // A run that begins behind the last chunk, and a sample that no chunk has.
    for (runs, sizes) in [([(1, 1), (3, 1)], [4]), ([(1, 1)], [4, 4])] {
      let unused = SyntheticFilm(isBare: false).bytes { film, start in
        let tables = film.tables(
          film.pictureEntry, sizes: film.sizes(sizes), chunks: film.offsets([start]), runs: runs)
        return [film.track(1, "vide", header: [], tables: tables)]
      }
      #expect(isRefused(unused))
    }
    for isOffset in [false, true] {
      let twice = SyntheticFilm(isBare: false).bytes { film, start in
        let (sizes, places) = (film.sizes([4]), film.offsets([start]))
        let tables = film.tables(
          film.pictureEntry, sizes: isOffset ? sizes : sizes + film.sizes([4], bits: 8),
          chunks: isOffset ? places + film.offsets([start + 4], width: 8) : places, runs: [(1, 1)])
        return [film.track(1, "vide", header: [], tables: tables)]
      }
      #expect(isRefused(twice))
    }
    let movie = SyntheticFilm(isBare: false).bytes()
    #expect(isRefused(movie + movie))
    #expect(isRefused([]) && isRefused(Array(repeating: 0, count: 100)))
  }

  @Test("Bytes that samples claim time and again are not copied time and again") func claims() {
    let film = SyntheticFilm(isBare: false)
    let file = film.bytes { film, start in
      [
        film.track(
          1, "vide", header: [],
          tables: film.tables(
            film.pictureEntry, sizes: film.sizes(Array(repeating: 60, count: 1_000)),
            chunks: film.offsets(Array(repeating: start, count: 1_000)), runs: [(1, 1)]))
      ]
    }
    #expect(isRefused(file))
    // A sample that begins among samples and ends among what is no sample.
    let long = film.bytes { film, start in
      [
        film.track(
          1, "vide", header: [],
          tables: film.tables(
            film.pictureEntry, sizes: film.sizes([60]), chunks: film.offsets([start + 40]), runs: [(1, 1)]))
      ]
    }
    #expect(isRefused(long))
    // More boxes than any film has.
    let many = Array(repeating: SyntheticFilm.number(8) + SyntheticFilm.text("free"), count: 70_000).flatMap(\.self)
    #expect(isRefused(film.bytes() + many))
  }

  @Test("Cut off anywhere or changed in any way, it gives a file as long as before, that stays as it is, or none")
  func damaged() {
    print("seed 17")
    var random = SeededGenerator(seed: 17)
    var bare = 0
    for file in [SyntheticFilm(isBare: false).bytes(), fragmented(isBare: false, explicit: true, ordered: true)] {
      for length in stride(from: 0, to: file.count, by: 3) { check(Array(file[..<length]), "cut at \(length)") }
      for round in 0..<1_000 {
        var other = file
        for _ in 0...random.below(3) {
          // Extremes are what overflows.
          let value = [0, 1, 0x7F, 0x80, 0xFF, random.below(256)][random.below(6)]
          let place = random.below(other.count)
          for index in place..<min(other.count, place + 1 + random.below(8)) { other[index] = UInt8(value) }
        }
        if check(other, "seed 17, round \(round)") { bare += 1 }
      }
    }
    #expect(bare > 200, "seed 17")
  }

  @discardableResult private func check(_ file: [UInt8], _ comment: Comment) -> Bool {
    guard let bare = BareFilm.bytes(of: file) else { return false }
    let isSame = bare.count == file.count && BareFilm.bytes(of: bare) == bare
    #expect(isSame, comment)
    return true
  }
}
