internal import MediaModel
internal import Testing

@testable internal import MediaProbe

@Suite struct ContainerFactsTests {
  @Test func `A movie has the facts of its tracks`() throws {
    var movie = TinyMovie()
    movie.tracks = [.video(width: 320, height: 240), .audio]
    let info = try facts(movie.bytes)
    #expect(info.kind == .video)
    #expect(info.type.rawValue == "video/mp4")
    #expect(info.displaySize == PixelSize(width: 320, height: 240))
    #expect(info.videoCodec == "h264")
    #expect(info.audioCodec == "aac")
    #expect(info.frameRate == 10)
    #expect(info.duration == 1)
    #expect(info.channels == 2)
    #expect(info.sampleRate == 44_100)
    #expect(info.bitRate == movie.bytes.count * 8)
    #expect(info.rotation == nil)
    #expect(info.takenAt == nil)
    #expect(info.error == nil)
  }

  @Test(arguments: [
    ("isom", ["mp42"], "audio/mp4"), ("3gp4", ["isom"], "audio/3gpp"), ("3g2a", ["isom"], "audio/3gpp2"),
    ("M4A ", ["isom"], "audio/mp4"), ("qt  ", [], "video/quicktime"),
  ])
  func `A movie without video track is audio`(_ brand: String, _ compatible: [String], _ type: String) throws {
    let info = try facts(TinyMovie(brand: brand, compatible: compatible, tracks: [.audio]).bytes)
    #expect(info.type.rawValue == type)
    #expect(info.kind == .audio)
    #expect(info.videoCodec == nil)
    #expect(info.extension == info.type.preferredExtension)
  }

  @Test(arguments: [("webm", "audio/webm"), ("matroska", "audio/matroska")])
  func `A Matroska file without video track is audio`(_ document: String, _ type: String) throws {
    let info = try facts(TinyAudio.webm(clusters: 2, type: document))
    #expect(info.type.rawValue == type)
    #expect(info.kind == .audio)
    #expect(info.audioCodec == "opus")
    #expect(info.duration == 3)
  }

  /// FFmpeg puts a checksum before the time stamp of a cluster when it writes to a pipe.
  @Test func `A recording with checksums has a duration`() throws {
    #expect(try facts(TinyAudio.webm(clusters: 2, checksums: true)).duration == 3)
  }

  @Test func `The end of a recording is read once`() throws {
    // Bytes that begin like a cluster's name, a million of them.
    let bytes = TinyAudio.webm(clusters: 4, padding: 250_000)
    let input = try MediaInput(bytes: bytes)
    #expect(MediaProber().facts(of: input).duration == 7)
    #expect(input.bytesRead < bytes.count * 2)
  }

  @Test func `An audio container with a video track is a video`() throws {
    let info = try facts(TinyMovie(brand: "M4A ", tracks: [.video(width: 16, height: 16), .audio]).bytes)
    #expect(info.type.rawValue == "video/mp4")
    #expect(info.kind == .video)
  }

  @Test func `A movie without media tracks is unsupported`() throws {
    let info = try facts(TinyMovie(tracks: [.other]).bytes)
    #expect(info.error?.code == .unsupported)
    #expect(info.type.rawValue == "video/mp4")
  }

  @Test(arguments: [
    ([0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x4000_0000], nil, 320, 240),
    ([0, 0x10000, 0, -0x10000, 0, 0, 0, 0, 0x4000_0000], 90, 240, 320),
    ([-0x10000, 0, 0, 0, -0x10000, 0, 0, 0, 0x4000_0000], 180, 320, 240),
    ([0, -0x10000, 0, 0x10000, 0, 0, 0, 0, 0x4000_0000], 270, 240, 320),
    ([-0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x4000_0000], nil, 320, 240),
    ([0, 0x10000, 0, 0x10000, 0, 0, 0, 0, 0x4000_0000], 90, 240, 320),
  ])
  func `The size of a rotated video is as displayed`(_ matrix: [Int], _ rotation: Int?, _ width: Int, _ height: Int)
    throws
  {
    let info = try facts(TinyMovie(tracks: [.video(width: 320, height: 240, matrix: matrix)]).bytes)
    #expect(info.rotation == rotation)
    #expect(info.displaySize == PixelSize(width: width, height: height))
  }

  @Test(arguments: [(64, 45, 455), (1, 1, 320), (12, 11, 349), (0, 0, 320), (1_000, 1, 320)])
  func `Pixels that are not square are scaled to squares`(_ across: Int, _ down: Int, _ width: Int) throws {
    let aspect = Bytes.box("pasp", Bytes.be32(across), Bytes.be32(down))
    let info = try facts(TinyMovie(tracks: [.video(width: 320, height: 240, extensions: aspect)]).bytes)
    #expect(info.displaySize == PixelSize(width: width, height: 240))
  }

  @Test(arguments: [(16, MediaInfo.HDR.pq), (18, .hlg), (1, nil), (14, nil)])
  func `The transfer function determines HDR`(_ transfer: Int, _ hdr: MediaInfo.HDR?) throws {
    let color = Bytes.box("colr", Bytes.ascii("nclx"), Bytes.be16(9), Bytes.be16(transfer), Bytes.be16(9), [0])
    let info = try facts(TinyMovie(tracks: [.video(width: 320, height: 240, extensions: color)]).bytes)
    #expect(info.hdr == hdr)
    #expect(info.colorPrimaries == (hdr == nil ? nil : .bt2020))
  }

  /// dvcC: version, profile and level in seven and six bits, flags, and the compatibility of the base layer in the high four bits.
  @Test(arguments: [(8, 4, MediaInfo.HDR.hlg), (8, 1, .pq), (8, 2, nil), (5, 0, .pq)])
  func `Dolby Vision has the HDR method of its base layer`(_ profile: Int, _ compatibility: Int, _ hdr: MediaInfo.HDR?)
    throws
  {
    let flags = profile << 9 | 4 << 3 | 0b101
    let record = [1, 0] + Bytes.be16(flags) + [UInt8(compatibility << 4)] + Bytes.zeros(19)
    let name = profile > 7 ? "dvvC" : "dvcC"
    let info = try facts(
      TinyMovie(tracks: [.video(width: 320, height: 240, extensions: Bytes.box(name, record))]).bytes)
    #expect(info.hdr == hdr)
  }

  @Test func `Apple metadata is read`() throws {
    var movie = TinyMovie(brand: "qt  ")
    movie.created = 3_500_000_000
    movie.extras = TinyMovie.metadata([
      ("com.apple.quicktime.creationdate", "2023-05-09T12:41:46+0100"), ("com.apple.quicktime.make", "Apple"),
      ("com.apple.quicktime.model", "iPhone 14 Pro"),
      ("com.apple.quicktime.location.ISO6709", "+51.5334-000.1255+026.756/"),
      ("com.apple.quicktime.title", "A\u{1}\u{1B}title"),
    ])
    let info = try facts(movie.bytes)
    #expect(info.takenAt?.description == "2023-05-09T12:41:46+01:00")
    #expect(info.takenAtSource == .quicktime)
    #expect(info.make == "Apple")
    #expect(info.model == "iPhone 14 Pro")
    #expect(info.latitude == 51.5334)
    #expect(info.longitude == -0.1255)
    #expect(info.altitude == 26.756)
    #expect(info.title == "Atitle")
  }

  @Test func `The movie header has the time in UTC`() throws {
    var movie = TinyMovie()
    // 2016-05-31T17:01:35Z, counted from 1904.
    movie.created = 1_464_714_095 + 2_082_844_800
    let info = try facts(movie.bytes)
    #expect(info.takenAt?.description == "2016-05-31T17:01:35Z")
    #expect(info.takenAtSource == .quicktime)
  }

  /// No clock, a clock at 1904, a clock at 1970, and one that runs far ahead.
  @Test(arguments: [0, 1, 2_082_844_800, 2_082_844_860, 0xFFFF_FFFF]) func `An epoch is no capture time`(_ created: Int)
    throws
  {
    var movie = TinyMovie()
    movie.created = created
    let year = try facts(movie.bytes).takenAt?.year
    #expect(year == nil || year == 2040)
    if created != 0xFFFF_FFFF { #expect(year == nil) }
  }

  @Test(arguments: ["+40.6800-074.5000/", "+40.68-074.50+12.5/"]) func `User data contains the location`(_ text: String)
    throws
  {
    var movie = TinyMovie()
    movie.extras = TinyMovie.userData("©xyz", text)
    let info = try facts(movie.bytes)
    #expect(info.latitude == 40.68)
    #expect(info.longitude == -74.5)
  }

  @Test(arguments: ["+00.0000+000.0000/", "somewhere", "+91.0-000.0/"]) func `An invalid location is absent`(
    _ text: String
  )
    throws
  {
    var movie = TinyMovie()
    movie.extras = TinyMovie.userData("©xyz", text)
    let info = try facts(movie.bytes)
    #expect(info.latitude == nil)
    #expect(info.longitude == nil)
    #expect(info.altitude == nil)
  }

  @Test func `The facts of a truncated movie are reported`() throws {
    let bytes = TinyMovie(tracks: [.video(width: 320, height: 240), .audio]).bytes
    let info = try facts(bytes.dropLast(20))
    #expect(info.error?.code == .truncated)
    #expect(info.displaySize == PixelSize(width: 320, height: 240))
    #expect(info.duration == 1)
    #expect(info.audioCodec == "aac")
  }

  @Test func `Audio files have their facts`() throws {
    let wav = try facts(TinyAudio.wav(seconds: 2))
    #expect(wav.type.rawValue == "audio/wav")
    #expect(wav.audioCodec == "pcm_s16le")
    #expect(wav.duration == 2)
    #expect(wav.channels == 1)
    #expect(wav.sampleRate == 8_000)

    let mp3 = try facts(TinyAudio.mp3(bitRates: .init(repeating: 9, count: 100)))
    #expect(mp3.type.rawValue == "audio/mpeg")
    #expect(mp3.audioCodec == "mp3")
    #expect(mp3.duration == 2.612)
    #expect(mp3.sampleRate == 44_100)

    let amr = try facts(TinyAudio.amr(modes: .init(repeating: 7, count: 50)))
    #expect(amr.type.rawValue == "audio/amr")
    #expect(amr.audioCodec == "amr_nb")
    #expect(amr.duration == 1)
    #expect(amr.sampleRate == 8_000)

    let wide = try facts(TinyAudio.amr(modes: .init(repeating: 2, count: 50), wideband: true))
    #expect(wide.type.rawValue == "audio/amr-wb")
    #expect(wide.audioCodec == "amr_wb")
    #expect(wide.duration == 1)
  }

  @Test func `An embedded image in an audio file is its cover`() throws {
    let image: [UInt8] = [0xFF, 0xD8, 0xFF, 0xDB, 0, 4, 0, 0, 0xFF, 0xD9]
    let content = Bytes.join([0], Bytes.ascii("image/jpeg\0"), [3, 0], image)
    let frame = Bytes.join(Bytes.ascii("APIC"), Bytes.be32(content.count), [0, 0], content)
    let title = Bytes.join(Bytes.ascii("TIT2"), Bytes.be32(6), [0, 0, 0], Bytes.ascii("Title"))
    let size = UInt8(frame.count + title.count)
    let tag = Bytes.join(Bytes.ascii("ID3"), [3, 0, 0, 0, 0, 0, size], title, frame)
    let info = try facts(tag + TinyAudio.mp3(bitRates: .init(repeating: 9, count: 20)))
    #expect(info.kind == .audio)
    #expect(info.coverArt == true)
    #expect(info.videoCodec == nil)
    #expect(info.width == nil)
    #expect(info.title == "Title")
    #expect(try facts(TinyAudio.mp3(bitRates: .init(repeating: 9, count: 20))).coverArt == nil)
  }

  @Test func `An unfinished recording has a duration and no error`() throws {
    for stated in [0, 0xFFFF_FFFF] {
      let info = try facts(TinyAudio.wav(seconds: 2, stated: stated))
      #expect(info.error == nil)
      #expect(info.duration == 2)
    }
  }

  @Test func `MIDI has no facts beyond its type`() throws {
    let info = try facts(Bytes.ascii("MThd") + Bytes.be32(6) + Bytes.be16(1) + Bytes.be16(1) + Bytes.be16(96))
    #expect(info.kind == .audio)
    #expect(info.type.rawValue == "audio/midi")
    #expect(info.audioCodec == nil)
    #expect(info.error == nil)
  }

  private func facts(_ bytes: some Sequence<UInt8>) throws -> MediaInfo {
    MediaProber().facts(of: try MediaInput(bytes: Array(bytes)))
  }
}
