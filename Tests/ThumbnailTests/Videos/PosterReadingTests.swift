internal import Foundation
internal import MediaModel
internal import MediaProbe
internal import TestSupport
internal import Testing
internal import Thumbnails

/// How much of a huge video is read for its poster. The videos are sparse files: four thousand million bytes with a hole in them.
@Suite(.timeLimit(.minutes(20))) struct PosterReadingTests {
  let studio: Studio
  private static let hole: UInt64 = 4_000_000_000
  private static let limit = 8_000_000

  init() throws { studio = try Studio() }

  private func video(_ name: String, flags: String) throws -> [UInt8] {
    let path = studio.folder.path(name)
    try studio.check(
      studio.ffmpeg.run([
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=640x360:r=10:d=20", "-c:v", "libx264", "-g", "10", "-b:v", "2M",
        "-movflags", flags, path,
      ]))
    return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  /// Writes pieces with the hole between them.
  private func write(_ pieces: [ArraySlice<UInt8>], holeBefore index: Int, as name: String) throws -> String {
    let path = studio.folder.path(name)
    #expect(FileManager.default.createFile(atPath: path, contents: nil))
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    for (number, piece) in pieces.enumerated() {
      if number == index { try handle.seek(toOffset: try handle.offset() + Self.hole) }
      try handle.write(contentsOf: Data(piece))
    }
    try handle.close()
    return path
  }

  private func boxes(_ bytes: [UInt8]) -> [(name: String, range: Range<Int>)] {
    var boxes: [(name: String, range: Range<Int>)] = []
    var at = 0
    while at + 8 <= bytes.count {
      let size = bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
      guard size >= 8 else { break }
      boxes.append((String(decoding: bytes[at + 4..<at + 8], as: UTF8.self), at..<min(bytes.count, at + size)))
      at += size
    }
    return boxes
  }

  private func bigEndian(_ value: UInt64, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64(count - 1 - $0))) }
  }

  /// The index with every chunk from that offset on moved: by `early` before it, by `late` behind it.
  private func moved(_ movie: [UInt8], split: Int, early: UInt64, late: UInt64) throws -> [UInt8] {
    var movie = movie
    let at = try #require((0..<movie.count - 4).first { movie[$0..<$0 + 4].elementsEqual("stco".utf8) }) + 4
    let count = movie[at + 4..<at + 8].reduce(0) { $0 << 8 | Int($1) }
    for entry in 0..<count {
      let place = at + 8 + entry * 4
      let offset = movie[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
      movie.replaceSubrange(
        place..<place + 4, with: bigEndian(UInt64(offset) + (offset < split ? early : late), 4))
    }
    return movie
  }

  private func expectSmallReading(_ path: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
    #expect(size > 4_000_000_000, sourceLocation: sourceLocation)
    let result = try studio.render(path, [.box(256)])
    #expect(result.error == nil, "\(String(describing: result.error))", sourceLocation: sourceLocation)
    #expect(result.renditions.count == 1, "\(String(describing: result.error))", sourceLocation: sourceLocation)
    #expect(result.bytesRead < Self.limit, sourceLocation: sourceLocation)
    #expect(result.bytesRead > 1_000, sourceLocation: sourceLocation)
    let inTheMiddle = try studio.render(
      path, [.box(256)],
      options: {
        var options = Thumbnailer.Options()
        options.posterPosition = .fraction(0.75)
        return options
      }())
    #expect(inTheMiddle.posterTime == 15, "from behind the hole", sourceLocation: sourceLocation)
    #expect(inTheMiddle.bytesRead < Self.limit, sourceLocation: sourceLocation)
  }

  @Test(arguments: [false, true])
  func `An index at either end is enough`(atTheFront: Bool) throws {
    let bytes = try video("video.mp4", flags: atTheFront ? "+faststart" : "0")
    let parts = boxes(bytes)
    let data = try #require(parts.first { $0.name == "mdat" }).range
    let movie = try #require(parts.first { $0.name == "moov" }).range
    // The hole is in the middle of the samples, so their box needs a 64-bit size: eight bytes more.
    let split = data.lowerBound + data.count / 2
    let header = bigEndian(1, 4) + Array("mdat".utf8) + bigEndian(UInt64(data.count) + 8 + Self.hole, 8)
    let index = try moved(Array(bytes[movie]), split: split, early: 8, late: 8 + Self.hole)
    let content = [header[...], bytes[data.lowerBound + 8..<split], bytes[split..<data.upperBound]]
    let before = bytes[0..<min(data.lowerBound, movie.lowerBound)]
    // What may stand between the index and the samples keeps its place, for the offsets count from the beginning.
    let between = atTheFront ? bytes[movie.upperBound..<data.lowerBound] : []
    let path =
      atTheFront
      ? try write([before, index[...], between] + content, holeBefore: 5, as: "front.mp4")
      : try write([bytes[0..<data.lowerBound]] + content + [index[...]], holeBefore: 3, as: "end.mp4")
    try expectSmallReading(path)
  }

  /// With an index of fragments at the end (mfra), whose offsets move with the hole.
  @Test func `Fragments are not read one by one`() throws {
    let bytes = try video("fragments.mp4", flags: "frag_keyframe+empty_moov+default_base_moof")
    let parts = boxes(bytes)
    let fragments = parts.filter { $0.name == "moof" }
    let split = fragments[10].range.lowerBound
    var random = Array(bytes[try #require(parts.first { $0.name == "mfra" }).range])
    let at = try #require((0..<random.count - 4).first { random[$0..<$0 + 4].elementsEqual("tfra".utf8) }) + 4
    // Version 1: 64 bits of time and of offset, then three numbers of a byte each.
    #expect(random[at] == 1)
    let count = random[at + 12..<at + 16].reduce(0) { $0 << 8 | Int($1) }
    for entry in 0..<count {
      let place = at + 16 + entry * 19 + 8
      let offset = random[place..<place + 8].reduce(0) { $0 << 8 | Int($1) }
      if offset >= split { random.replaceSubrange(place..<place + 8, with: bigEndian(UInt64(offset) + Self.hole, 8)) }
    }
    let free = bigEndian(1, 4) + Array("free".utf8) + bigEndian(Self.hole + 16, 8)
    // The hole is the content of a box that nobody reads; its header is part of what the offsets move by.
    let end = bytes.count - random.count
    var shifted = random
    for entry in 0..<count {
      let place = at + 16 + entry * 19 + 8
      let offset = shifted[place..<place + 8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      if offset >= Self.hole { shifted.replaceSubrange(place..<place + 8, with: bigEndian(offset + 16, 8)) }
    }
    let path = try write(
      [bytes[0..<split], free[...], bytes[split..<end], shifted[...]], holeBefore: 2, as: "fragmented.mp4")
    try expectSmallReading(path)
  }

  @Test func `A hundred fragments without an index are not read one by one`() throws {
    let path = studio.folder.path("many.mp4")
    try studio.check(
      studio.ffmpeg.run([
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=320x180:r=5:d=100,noise=alls=40:allf=t", "-c:v", "libx264",
        "-preset", "ultrafast", "-g", "5", "-b:v", "600k", "-movflags",
        "frag_keyframe+empty_moov+default_base_moof+skip_trailer", path,
      ]))
    let result = try studio.render(path, [.box(48)])
    #expect(result.renditions.count == 1)
    #expect(result.error == nil)
    // Each visit would read a buffer of 32 KiB.
    #expect(result.bytesRead < 1_000_000)
  }
}
