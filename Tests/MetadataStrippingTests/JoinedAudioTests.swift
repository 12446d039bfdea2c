internal import MediaModel
internal import MetadataStripping
internal import TestSupport
internal import Testing

@Suite("D6.10: no audio is dropped with the metadata") struct JoinedAudioTests {
  /// 417 bytes: 128 kbit/s at 44.1 kHz.
  private static let frame: [UInt8] = [0xFF, 0xFB, 0x90, 0x00] + [UInt8](repeating: 0x55, count: 413)
  private static let audio = frame + frame + frame

  private static func text(_ text: String) -> [UInt8] { Array(text.utf8) }
  private static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

  private static func ape(flags: UInt8, size: UInt8) -> [UInt8] {
    text("APETAGEX") + [0xD0, 7, 0, 0, size, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, flags] + zeros(8)
  }

  private static let tags: [[UInt8]] = [
    text("TAG") + text("secret") + zeros(119), text("TAG+") + text("secret") + zeros(217),
    ape(flags: 0xA0, size: 47) + text("secret 12345678") + ape(flags: 0x80, size: 47),
    text("LYRICSBEGIN") + text("secret") + text("LYRICSEND"),
    text("LYRICSBEGIN") + text("IND0000200LYR00006secret") + text("000035LYRICS200"),
  ]

  private func strip(_ file: [UInt8], _ type: String = "audio/mpeg") -> [UInt8]? {
    MetadataStripper.strip(file, type: MediaType(type))
  }

  @Test("Joined recordings keep the audio after the tags of the first one", arguments: tags.indices)
  func joined(index: Int) {
    let (tag, audio) = (Self.tags[index], Self.audio)
    for between in [tag, tag + Self.tags[0], tag + Self.zeros(30), Self.tags[4] + tag] {
      let isWhole = strip(audio + between + audio + tag) == audio + audio
      #expect(isWhole, "\(String(decoding: between.prefix(12), as: UTF8.self)), \(between.count) bytes")
    }
  }

  @Test("The letters of a tag before the first frame drop nothing") func lettersOfATag() {
    let isWhole = strip(Self.text("xxTAGxx") + Self.audio) == Self.audio
    #expect(isWhole)
  }

  @Test("A tag without its end gives nil, because audio may follow in it")
  func cutTags() {
    let ape = Self.ape(flags: 0xA0, size: 200) + Self.text("secret")
    for tag in [ape, Self.text("LYRICSBEGINsecret"), Self.text("ID3") + [4, 0, 0, 0x7F, 0x7F, 0x7F, 0x7F]] {
      let stripped = strip(Self.audio + tag + Self.audio)
      #expect(stripped == nil, "\(String(decoding: tag.prefix(12), as: UTF8.self))")
    }
  }

  @Test("A damaged frame in the middle of AMR gives nil, a few bytes at its end are dropped", arguments: [false, true])
  func damagedAMR(isWideband: Bool) {
    let type = isWideband ? "audio/amr-wb" : "audio/amr"
    let head = Self.text(isWideband ? "#!AMR-WB\n" : "#!AMR\n")
    let frame: [UInt8] = (isWideband ? [0x44] : [0x3C]) + Self.zeros(isWideband ? 60 : 31)
    let speech = (0..<100).flatMap { _ in frame }
    #expect(strip(head + speech, type) == head + speech)
    #expect(strip(head + speech + Self.text("secret"), type) == head + speech)
    #expect(strip(head + speech + [0xFF] + frame.dropFirst() + speech, type) == nil)
    #expect(strip(head + speech + [0xFF] + frame.dropFirst() + frame, type) == nil)
    #expect(strip(head, type) == nil, "no frame")
    #expect(strip(head + Self.text("secret"), type) == nil, "no frame")
  }

  @Test("Joined FLAC files give nil, because the tags of the second one are between the frames") func joinedFLAC() {
    let information: [UInt8] = [0x80, 0, 0, 34] + Self.zeros(34)
    let frames: [UInt8] = [0xFF, 0xF8, 0x69, 0x18] + [UInt8](repeating: 9, count: 40)
    let first = Self.text("fLaC") + information + frames
    let second = Self.text("fLaC") + [0, 0, 0, 34] + Self.zeros(34) + [0x84, 0, 0, 6] + Self.text("secret") + frames
    #expect(strip(first, "audio/flac") == first)
    #expect(strip(first + second, "audio/flac") == nil)
    #expect(strip(first + Self.tags[2] + second, "audio/flac") == nil)
    #expect(strip(first + Self.tags[2] + Self.zeros(5), "audio/flac") == nil, "a tag that is not at the end")
  }
}
