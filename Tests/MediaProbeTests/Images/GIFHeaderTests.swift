internal import MediaModel
internal import Testing

@testable internal import MediaProbe

@Suite struct GIFHeaderTests {
  private struct Frame {
    var x = 0, y = 0, width = 8, height = 6
    var delay: Int?
    var isTransparent = false
  }

  private func gif(_ frames: [Frame], screen: (Int, Int) = (8, 6), end: [UInt8] = [0x3B]) -> [UInt8] {
    var bytes = joined(ascii("GIF89a"), le16(screen.0), le16(screen.1), [0x80, 0, 0], [0, 0, 0, 255, 255, 255])
    for frame in frames {
      if frame.delay != nil || frame.isTransparent {
        bytes += joined([0x21, 0xF9, 4, frame.isTransparent ? 1 : 0], le16(frame.delay ?? 0), [0, 0])
      }
      bytes += joined([0x2C], le16(frame.x), le16(frame.y), le16(frame.width), le16(frame.height), [0])
      bytes += [2, 2, 0x44, 1, 1, 0xFF, 0]
    }
    return bytes + end
  }

  private func facts(_ bytes: [UInt8]) -> MediaInfo { stillFacts(bytes, as: .gif) }

  @Test func `Delays are summed as stated`() {
    let info = facts(gif([Frame(delay: 0), Frame(delay: 7), Frame(delay: 150)]))
    #expect(info.frames == 3)
    #expect(info.animated == true)
    #expect(info.duration == 1.57)
    #expect(info.displaySize == PixelSize(width: 8, height: 6))
    #expect(info.error == nil)
  }

  @Test func `One frame has no duration`() {
    let info = facts(gif([Frame(delay: 50)]))
    #expect(info.frames == 1)
    #expect(info.animated == false)
    #expect(info.duration == nil)
    #expect(facts(gif([Frame(delay: 0), Frame(delay: 0)])).duration == nil)
  }

  @Test func `Alpha is a flag or an uncovered canvas`() {
    #expect(facts(gif([Frame()])).alpha == false)
    #expect(facts(gif([Frame(), Frame(isTransparent: true)])).alpha == true)
    #expect(facts(gif([Frame(x: 1, width: 7)])).alpha == true)
  }

  @Test func `The canvas holds the first frame`() {
    #expect(facts(gif([Frame(width: 20, height: 30)])).displaySize == PixelSize(width: 20, height: 30))
    #expect(facts(gif([Frame(x: 4, y: 4, width: 8, height: 6)])).displaySize == PixelSize(width: 12, height: 10))
    #expect(facts(gif([Frame(), Frame(width: 20, height: 30)])).displaySize == PixelSize(width: 8, height: 6))
    #expect(facts(gif([Frame(width: 65_535, height: 65_535)], screen: (0, 0))).width == 65_535)
  }

  @Test func `A truncated block is detected`() {
    let whole = gif([Frame(delay: 5), Frame(delay: 5)])
    #expect(facts(Array(whole.dropLast(2))).error?.code == .truncated)
    #expect(facts(Array(whole.dropLast(8))).error?.code == .truncated)
    #expect(facts(Array(whole.dropLast(8))).frames == 2)
    #expect(facts(Array(whole.prefix(10))).error?.code == .truncated)
    // A forgotten trailer is no fault of the image.
    #expect(facts(Array(whole.dropLast(1))).error == nil)
  }

  @Test func `An image without pixels is corrupt`() {
    #expect(facts(gif([])).error?.code == .corrupt)
    #expect(facts(gif([Frame(width: 0, height: 0)], screen: (0, 0))).error?.code == .corrupt)
    #expect(facts(gif([Frame()], end: [0x99])).error?.code == .corrupt)
    #expect(facts(ascii("BIF89a")).error?.code == .corrupt)
  }
}
