internal import TestSupport
internal import Testing

@testable internal import MediaProbe

@Suite struct APETagTests {
  private func le(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }

  private func item(_ key: String, _ value: [UInt8], flags: Int = 2) -> [UInt8] {
    le(value.count) + le(flags) + Array(key.utf8) + [0] + value
  }

  private func tag(_ items: [[UInt8]], count: Int? = nil, size: Int? = nil) -> [UInt8] {
    let body = items.flatMap { $0 }
    return body + Array("APETAGEX".utf8) + le(2_000) + le(size ?? body.count + 32) + le(count ?? items.count)
      + le(0) + [UInt8](repeating: 0, count: 8)
  }

  private func cover(_ bytes: [UInt8]) -> [UInt8]? {
    APETag(ByteReader(bytes))?.cover.map { Array(bytes[$0]) }
  }

  private let audio = [UInt8](repeating: 7, count: 100)

  @Test func `The front cover is preferred in any position`() {
    let items = [
      item("Title", Array("A".utf8), flags: 0), item("Cover Art (Back)", [120, 0, 1]),
      item("COVER ART (FRONT)", [120, 121, 0, 2, 3]),
    ]
    #expect(cover(audio + tag(items)) == [2, 3])
    #expect(cover(audio + tag(Array(items.prefix(2)))) == [1])
    #expect(cover(audio + tag(Array(items.prefix(1)))) == nil)
  }

  @Test func `An ID3 tag may follow`() {
    let id3 = Array("TAG".utf8) + [UInt8](repeating: 0, count: 125)
    #expect(cover(audio + tag([item("Cover Art (Front)", [0, 5])]) + id3) == [5])
  }

  @Test func `A linked cover is ignored`() {
    #expect(
      cover(audio + tag([item("Cover Art (Front)", Array("http://192.0.2.1/x".utf8) + [0, 1], flags: 4)])) == nil)
    #expect(cover(audio + tag([item("Cover Art (Front)", [1, 2, 3])])) == nil)
    #expect(cover(audio + tag([item("Cover Art (Front)", [1, 2, 0])])) == nil)
  }

  @Test func `Inconsistent sizes give no cover`() {
    let front = item("Cover Art (Front)", [0, 5])
    #expect(cover(audio + tag([front], size: 0xFFFF_FFFF)) == nil)
    #expect(cover(audio + tag([front], size: 0)) == nil)
    #expect(cover(audio + tag([front], count: 0xFFFF_FFFF)) == [5])
    #expect(cover(audio + tag([front], count: 0)) == nil)
    var long = front
    long.replaceSubrange(0..<4, with: [0xFF, 0xFF, 0xFF, 0xFF])
    #expect(cover(audio + tag([long])) == nil)
    #expect(cover([]) == nil)
    #expect(cover(Array("APETAGEX".utf8)) == nil)
  }
}
