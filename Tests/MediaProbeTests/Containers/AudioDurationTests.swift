internal import MediaModel
internal import Testing

@testable internal import MediaProbe

@Suite struct AudioDurationTests {
  @Test func `Frames of a constant bit rate are counted`() throws {
    let audio = try #require(duration(TinyAudio.mp3(bitRates: .init(repeating: 9, count: 100)), .mpegAudio))
    #expect(abs(audio.seconds - 100 * 1_152 / 44_100) < 1e-6)
    #expect(!audio.isTruncated)
  }

  @Test func `Frames of a variable bit rate are counted`() throws {
    // By the first frames' bit rate this would be four times too long.
    let rates = [Int](repeating: 1, count: 20) + [Int](repeating: 13, count: 80)
    let audio = try #require(duration(TinyAudio.mp3(bitRates: rates), .mpegAudio))
    #expect(abs(audio.seconds - 100 * 1_152 / 44_100) < 1e-6)
  }

  @Test func `The Xing header is used`() throws {
    var bytes = TinyAudio.mp3(bitRates: [9, 9, 9])
    let xing = Bytes.ascii("Xing") + Bytes.be32(3) + Bytes.be32(1_000) + Bytes.be32(417 * 3)
    bytes.replaceSubrange(36..<36 + xing.count, with: xing)
    let whole = try #require(duration(bytes, .mpegAudio))
    #expect(abs(whole.seconds - 1_000 * 1_152 / 44_100) < 1e-6)
    #expect(!whole.isTruncated)
    #expect(try #require(duration(bytes.dropLast(10), .mpegAudio)).isTruncated)
  }

  @Test func `A Xing header for part of the file is ignored`() throws {
    // Two recordings one after the other: the first says how long it is itself.
    var bytes = TinyAudio.mp3(bitRates: [9, 9, 9])
    let xing = Bytes.ascii("Xing") + Bytes.be32(3) + Bytes.be32(3) + Bytes.be32(417 * 3)
    bytes.replaceSubrange(36..<36 + xing.count, with: xing)
    let both = try #require(duration(bytes + TinyAudio.mp3(bitRates: .init(repeating: 9, count: 100)), .mpegAudio))
    #expect(abs(both.seconds - 103 * 1_152 / 44_100) < 1e-6)
  }

  @Test func `Tags at both ends are not counted`() throws {
    let frames = TinyAudio.mp3(bitRates: [9, 9, 9, 9])
    let head = Bytes.ascii("ID3") + [3, 0, 0, 0, 0, 1, 0] + Bytes.zeros(128 + 7)
    let tail = Bytes.ascii("TAG") + Bytes.zeros(125)
    let audio = try #require(duration(head + frames + tail, .mpegAudio))
    #expect(abs(audio.seconds - 4 * 1_152 / 44_100) < 1e-6)
  }

  @Test func `A truncated frame is detected`() throws {
    #expect(try #require(duration(TinyAudio.mp3(bitRates: [9, 9, 9]).dropLast(1), .mpegAudio)).isTruncated)
    #expect(try #require(duration(TinyAudio.adts(frames: 10).dropLast(1), .adts)).isTruncated)
    #expect(try #require(duration(TinyAudio.amr(modes: [7, 7]).dropLast(1), .amr)).isTruncated)
  }

  @Test func `Frames of ADTS are counted`() throws {
    let audio = try #require(duration(TinyAudio.adts(frames: 50), .adts))
    #expect(abs(audio.seconds - 50 * 1_024 / 44_100) < 1e-6)
  }

  @Test func `Frames of AMR are counted, whatever their mode`() throws {
    #expect(abs(try #require(duration(TinyAudio.amr(modes: [0, 7, 8, 15, 15, 7]), .amr)).seconds - 0.12) < 1e-9)
    let wide = TinyAudio.amr(modes: [0, 8, 9, 14, 15], wideband: true)
    #expect(abs(try #require(duration(wide, .amrWideband)).seconds - 0.1) < 1e-9)
  }

  @Test func `The rest of a long file is extrapolated`() throws {
    let frames = TinyAudio.mp3(bitRates: .init(repeating: 13, count: 8_000))
    let input = try MediaInput(bytes: frames)
    let audio = try #require(AudioDuration(of: .mpegAudio, input.reader()))
    #expect(abs(audio.seconds - 8_000 * 1_152 / 44_100) < 0.1)
    #expect(input.bytesRead < frames.count)
  }

  @Test func `Bytes without frames have no duration`() {
    #expect(duration(Bytes.zeros(1_000), .mpegAudio) == nil)
    #expect(duration(Bytes.ascii("#!AMR\n") + [0xFF], .amr) == nil)
    #expect(duration(TinyAudio.mp3(bitRates: [9]), .wav) == nil)
  }

  private func duration(_ bytes: some Sequence<UInt8>, _ type: MediaType) -> AudioDuration? {
    AudioDuration(of: type, ByteReader(Array(bytes)))
  }
}
