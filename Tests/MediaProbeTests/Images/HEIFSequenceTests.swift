internal import MediaModel
internal import Testing

@testable internal import MediaProbe

@Suite struct HEIFSequenceTests {
  private func track(
    handler: String = "pict", samples: [Int], times: [(count: Int, delta: Int)], count: Int? = nil, sampleSize: Int = 0,
    matrix: [Int] = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x4000_0000], scale: Int = 1_000
  ) -> [UInt8] {
    let head = fullBox(
      "tkhd", Array(repeating: 0, count: 36), matrix.flatMap(be32), be32(64 << 16), be32(48 << 16))
    let sizes = fullBox("stsz", be32(sampleSize), be32(count ?? samples.count), samples.flatMap(be32))
    let stts = fullBox("stts", be32(times.count), times.flatMap { joined(be32($0.count), be32($0.delta)) })
    let colour = box("colr", ascii("nclx"), be16(9), be16(16), be16(9), [0])
    let description = fullBox("stsd", be32(1), box("av01", Array(repeating: 0, count: 78), colour))
    let media = box(
      "mdia", fullBox("mdhd", be32(0), be32(0), be32(scale), be32(0), be32(0)),
      fullBox("hdlr", be32(0), ascii(handler), Array(repeating: 0, count: 13)),
      box("minf", box("stbl", description, sizes, stts)))
    return box("trak", head, media)
  }

  private func facts(_ tracks: [UInt8]...) -> MediaInfo {
    let bytes = joined(box("ftyp", ascii("avis"), be32(0)), box("moov", tracks.flatMap { $0 }), box("mdat", [1, 2, 3]))
    return stillFacts(bytes, as: .avif)
  }

  @Test func `Frames and duration are those of the image track`() {
    let info = facts(track(samples: [1, 1, 1], times: [(2, 100), (1, 300)]))
    #expect(info.frames == 3)
    #expect(info.animated == true)
    #expect(info.duration == 0.5)
    #expect(info.displaySize == PixelSize(width: 64, height: 48))
    #expect(info.alpha == false)
    #expect(info.hdr == .pq)
    #expect(info.colorPrimaries == .bt2020)
    #expect(info.error == nil)
  }

  @Test func `An auxiliary track is alpha and adds no images`() {
    let info = facts(
      track(handler: "auxv", samples: [1, 1, 1, 1], times: [(4, 100)]), track(samples: [1, 1], times: [(2, 100)]))
    #expect(info.alpha == true)
    #expect(info.frames == 2)
    #expect(facts(track(handler: "soun", samples: [1, 1], times: [(2, 100)])).frames == nil)
  }

  @Test func `A quarter turn of the track swaps the sides`() {
    let turned = [0, 0x10000, 0, -0x10000, 0, 0, 0, 0, 0x4000_0000]
    #expect(
      facts(track(samples: [1, 1], times: [(2, 100)], matrix: turned)).displaySize == PixelSize(width: 48, height: 64))
  }

  @Test func `Counts are reduced to the entries that exist`() {
    #expect(facts(track(samples: [1, 1], times: [(2, 100)], count: 0x7FFF_FFFF)).frames == 2)
    // Samples of one size have no table; no more of them than fit into the file.
    let uniform = facts(track(samples: [], times: [(2, 100)], count: 0x7FFF_FFFF, sampleSize: 100))
    #expect(uniform.frames == uniform.bytes / 100)
    #expect(facts(track(samples: [1, 1], times: [(2, 100)], scale: 0)).duration == nil)
    #expect(facts(track(samples: [1, 1], times: [(0xFFFF_FFFF, 0xFFFF_FFFF)])).frames == 2)
  }
}
