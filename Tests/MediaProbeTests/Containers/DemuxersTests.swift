internal import MediaModel
internal import Testing

@testable internal import MediaProbe

@Suite struct DemuxersTests {
  @Test func `Every type in the table is known and unique`() {
    let types = Demuxers.table.flatMap(\.types)
    #expect(Set(types).count == types.count)
    for type in types {
      #expect([.video, .audio].contains(type.kind) || type == .ogg, "\(type)")
      #expect(type.preferredExtension != nil, "\(type)")
    }
  }

  @Test func `Every type has the demuxer of its row`() {
    let programStream = ByteReader([0, 0, 1, 0xBA])
    for row in Demuxers.table {
      for type in row.types { #expect(Demuxers.name(for: type, programStream) == row.demuxer) }
    }
    #expect(Demuxers.name(for: .mpegVideo, ByteReader([0, 0, 1, 0xB3])) == "mpegvideo")
    #expect(Demuxers.name(for: .playlist, programStream) == nil)
  }

  /// Debian's FFmpeg has them all; a misspelt name it has not.
  @Test func `Every container of the table is supported here`() {
    let support = MediaProber.containerSupport
    #expect(support.map(\.name) == Demuxers.table.map(\.format))
    for format in support { #expect(format.reads, "\(format.name)") }
  }
}
