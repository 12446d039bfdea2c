internal import MetadataStripping
internal import TestSupport
internal import Testing

extension VideoMetadataStripperTests {
  @Test(
    "Tables that contradict each other or the file, other files' samples, and what is not known give none",
    arguments: [
      ("stsc", 11, 2), ("stsc", 15, 9), ("stsc", 19, 2), ("stsc", 7, 3), ("stsz", 11, 6), ("stsz", 19, 200),
      ("stco", 7, 1),
      ("stco", 7, 3), ("stco", 10, 9), ("stco", 11, 0), ("dref", 19, 0), ("avc1", 85, 0x20), ("mvhd", 0, 2),
      ("tkhd", 15, 2),
    ] as [(String, Int, UInt8)])
  func contradictions(type: String, offset: Int, value: UInt8) {
    var video = SyntheticMovie(isStripped: false)
    video.edit = (
      type,
      { body in
        var body = body
        if body.indices.contains(offset) { body[offset] = value }
        return body
      }
    )
    #expect(isRefused(video.bytes()))
  }

  @Test("A list of entries that has others than it says, or more than any video, is refused at once") func entries() {
    for (stated, count) in [(2, 1), (1, 2), (0, 1), (65, 65), (64_000, 64_000)] {
      let video = SyntheticMovie(isStripped: false)
      let file = video.bytes { video, start in
        var other = video
        other.edit = (
          "stsd",
          { body in
            let entry = body.dropFirst(8)
            let more = count > 2 ? SyntheticMovie.number(8) + SyntheticMovie.text("abcd") : Array(entry)
            return [0, 0, 0, 0] + SyntheticMovie.number(stated) + entry
              + Array(repeating: more, count: count - 1).flatMap(\.self)
          }
        )
        return [other.images(start: start), video.audio(start: start)]
      }
      #expect(isRefused(file), "\(stated) \(count)")
    }
  }

  @Test("A box that has to be there once is there once; a video has images or audio") func missing() {
    for type in ["mvhd", "tkhd", "mdia", "mdhd", "minf", "stbl", "stsd", "stts", "stsc", "stsz", "stco"] {
      let file = SyntheticMovie(isStripped: false).bytes()
      let places = file.indices.dropLast(4).filter { file[$0..<($0 + 4)].elementsEqual(type.utf8) }
      #expect(!places.isEmpty)
      var other = file
      if let place = places.first { other[place] = UInt8(ascii: "x") }
      #expect(isRefused(other), "\(type)")
    }
    #expect(isRefused(SyntheticMovie(isStripped: false).bytes { _, _ in [] }))
    // A run that begins behind the last chunk, and a sample that no chunk has.
    for (runs, sizes) in [([(1, 1), (3, 1)], [4]), ([(1, 1)], [4, 4])] {
      let unused = SyntheticMovie(isStripped: false).bytes { video, start in
        let tables = video.tables(
          video.imageEntry, sizes: video.sizes(sizes), chunks: video.offsets([start]), runs: runs)
        return [video.track(1, "vide", header: [], tables: tables)]
      }
      #expect(isRefused(unused))
    }
    for isOffset in [false, true] {
      let twice = SyntheticMovie(isStripped: false).bytes { video, start in
        let (sizes, places) = (video.sizes([4]), video.offsets([start]))
        let tables = video.tables(
          video.imageEntry, sizes: isOffset ? sizes : sizes + video.sizes([4], bits: 8),
          chunks: isOffset ? places + video.offsets([start + 4], width: 8) : places, runs: [(1, 1)])
        return [video.track(1, "vide", header: [], tables: tables)]
      }
      #expect(isRefused(twice))
    }
    let movie = SyntheticMovie(isStripped: false).bytes()
    #expect(isRefused(movie + movie))
    #expect(isRefused([]))
    #expect(isRefused(Array(repeating: 0, count: 100)))
  }

  @Test("Bytes that samples claim time and again are not copied time and again") func claims() {
    let video = SyntheticMovie(isStripped: false)
    let file = video.bytes { video, start in
      [
        video.track(
          1, "vide", header: [],
          tables: video.tables(
            video.imageEntry, sizes: video.sizes(Array(repeating: 60, count: 1_000)),
            chunks: video.offsets(Array(repeating: start, count: 1_000)), runs: [(1, 1)]))
      ]
    }
    #expect(isRefused(file))
    // A sample that begins among samples and ends among what is no sample.
    let long = video.bytes { video, start in
      [
        video.track(
          1, "vide", header: [],
          tables: video.tables(
            video.imageEntry, sizes: video.sizes([60]), chunks: video.offsets([start + 40]), runs: [(1, 1)]))
      ]
    }
    #expect(isRefused(long))
    // More boxes than any video has.
    let many = Array(repeating: SyntheticMovie.number(8) + SyntheticMovie.text("free"), count: 70_000).flatMap(\.self)
    #expect(isRefused(video.bytes() + many))
  }

  @Test("Cut off anywhere or changed in any way, it gives a file as long as before, that stays as it is, or none")
  func damaged() {
    print("seed 17")
    var random = SeededGenerator(seed: 17)
    var plain = 0
    for file in [
      SyntheticMovie(isStripped: false).bytes(), fragmented(isStripped: false, explicit: true, ordered: true),
    ] {
      for length in stride(from: 0, to: file.count, by: 3) { check(Array(file[..<length]), "cut at \(length)") }
      for round in 0..<1_000 {
        var other = file
        for _ in 0...random.below(3) {
          // Extremes are what overflows.
          let value = [0, 1, 0x7F, 0x80, 0xFF, random.below(256)][random.below(6)]
          let place = random.below(other.count)
          for index in place..<min(other.count, place + 1 + random.below(8)) { other[index] = UInt8(value) }
        }
        if check(other, "seed 17, round \(round)") { plain += 1 }
      }
    }
    #expect(plain > 200, "seed 17")
  }

  @discardableResult private func check(_ file: [UInt8], _ comment: Comment) -> Bool {
    guard let plain = VideoMetadataStripper.strip(file) else { return false }
    let isSame = plain.count == file.count && VideoMetadataStripper.strip(plain) == plain
    #expect(isSame, comment)
    // There may be none: samples that overlap have several values for a byte.
    if let planned = planned(file) {
      let isPlanned = planned == plain
      #expect(isPlanned, comment)
    }
    return true
  }
}
