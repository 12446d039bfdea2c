internal import MediaModel
internal import Testing

@testable internal import MediaProbe

@Suite struct SignatureTests {
  @Test(arguments: images + boxes + audiosAndVideos + archivesAndDocuments) func `The type is detected`(
    _ file: Signature
  ) {
    #expect(TypeDecider.type(of: ByteReader(file.bytes))?.rawValue == file.type)
  }

  @Test(arguments: images + boxes + audiosAndVideos + archivesAndDocuments)
  func `Every type is in the table`(_ file: Signature) {
    #expect(MediaType(file.type).preferredExtension != nil)
  }

  /// The same beginnings with one condition unmet.
  @Test(arguments: [
    Signature("PNG after a text-mode transfer", [0x89] + Bytes.ascii("PNG\n\u{1A}\n") + Bytes.zeros(8), "image/png"),
    Signature("GIF of a third version", Bytes.ascii("GIF88a") + Bytes.zeros(8), "image/gif"),
    Signature("BM and no bitmap", Bytes.ascii("BM") + Bytes.zeros(30), "image/bmp"),
    Signature("an icon without entries", Bytes.be32(0x100) + Bytes.zeros(30), "image/vnd.microsoft.icon"),
    Signature("RIFF of no known form", Bytes.ascii("RIFF") + Bytes.le32(4) + Bytes.ascii("XXXX"), "audio/wav"),
    Signature("WEBP without image", Bytes.ascii("RIFF") + Bytes.le32(8) + Bytes.ascii("WEBPXXXX"), "image/webp"),
    Signature("one frame and noise", [0xFF, 0xFB, 0x90, 0x00] + Bytes.zeros(1_000), "audio/mpeg"),
    Signature("a sync byte every 188, reserved", .init(repeating: 0x47, count: 1_880), "video/mp2t"),
    Signature("gzip with reserved flags", [0x1F, 0x8B, 8, 0xE0] + Bytes.zeros(20), "application/gzip"),
    Signature("7z cut", [0x37, 0x7A, 0xBC, 0xAF, 0, 0] + Bytes.zeros(20), "application/x-7z-compressed"),
    Signature("MThd of format 9", Bytes.ascii("MThd") + Bytes.be32(6) + Bytes.be16(9), "audio/midi"),
    Signature("wvpk of version 3", Bytes.ascii("wvpk") + Bytes.le32(40) + Bytes.le16(0x300), "audio/x-wavpack"),
    Signature("FLV of version 2", Bytes.ascii("FLV\u{2}") + [5] + Bytes.be32(9), "video/x-flv"),
    Signature("a tar with a wrong sum", Array(tar("a").dropLast()) + [1], "application/x-tar"),
    Signature("a message of no type", [0x8C, 0x70, 0x98, 0x41, 0], "application/vnd.wap.mms-message"),
    Signature("a word in letters where a box would be", Bytes.ascii("The free lunch is over."), "video/quicktime"),
  ])
  func `An almost matching signature is not accepted`(_ file: Signature) {
    #expect(TypeDecider.bySignature(ByteReader(file.bytes))?.rawValue != file.type)
  }

  /// A signature at the very end of a file must not read past it.
  @Test(arguments: images + boxes + audiosAndVideos + archivesAndDocuments) func `Every prefix is tolerated`(
    _ file: Signature
  ) {
    for length in 0...min(600, file.bytes.count) {
      _ = TypeDecider.type(of: ByteReader(Array(file.bytes.prefix(length))))
    }
  }

  @Test func `Unknown content is unrecognized`() throws {
    let noise = (0..<200).map { UInt8(truncatingIfNeeded: ($0 &* 167) ^ ($0 >> 3) ^ 0x95) }
    let info = MediaProber().facts(of: try MediaInput(bytes: [0x00, 0x9D, 0xFE] + noise))
    #expect(info.type == .octetStream)
    #expect(info.kind == .other)
    #expect(info.extension == nil)
    #expect(info.error?.code == .unrecognized)
  }

  @Test func `libmagic detects types that our signatures lack`() {
    // A Targa: no signature, but a header that libmagic weighs.
    let targa: [UInt8] = [0, 0, 2] + Bytes.zeros(9) + Bytes.le16(4) + Bytes.le16(4) + [24, 0x20] + Bytes.zeros(48)
    #expect(TypeDecider.type(of: ByteReader(targa))?.rawValue == "image/x-tga")
    let sqlite = Bytes.ascii("SQLite format 3\0") + Bytes.be16(4_096) + [1, 1, 0, 64, 32, 32] + Bytes.zeros(200)
    #expect(TypeDecider.type(of: ByteReader(sqlite))?.rawValue == "application/vnd.sqlite3")
  }

  @Test func `A photo costs one read of its first bytes`() throws {
    let input = try MediaInput(bytes: [0xFF, 0xD8, 0xFF, 0xE0] + Bytes.zeros(5_000_000))
    #expect(TypeDecider.type(of: input.reader()) == .jpeg)
    #expect(input.bytesRead <= ByteReader.windowSize)
  }

  @Test func `Every thread has its own cookie`() async {
    let bytes = Bytes.ascii("SQLite format 3\0") + Bytes.be16(4_096) + [1, 1, 0, 64, 32, 32] + Bytes.zeros(200)
    let names = await withTaskGroup(of: String?.self, returning: Set<String?>.self) { group in
      for _ in 0..<32 { group.addTask { MagicCookie.current?.type(of: bytes) } }
      return await group.reduce(into: []) { $0.insert($1) }
    }
    #expect(names == ["application/vnd.sqlite3"] || names == ["application/x-sqlite3"])
    #expect(MagicCookie.current === MagicCookie.current)
  }

  static let images = [
    Signature("JPEG", [0xFF, 0xD8, 0xFF, 0xDB, 0, 4], "image/jpeg"),
    Signature("PNG", [0x89] + Bytes.ascii("PNG\r\n\u{1A}\n") + Bytes.be32(13) + Bytes.ascii("IHDR"), "image/png"),
    Signature("GIF87a", Bytes.ascii("GIF87a"), "image/gif"),
    Signature("GIF89a", Bytes.ascii("GIF89a") + Bytes.zeros(8), "image/gif"),
    Signature("WebP, lossy", Bytes.ascii("RIFF") + Bytes.le32(20) + Bytes.ascii("WEBPVP8 "), "image/webp"),
    Signature("WebP, lossless", Bytes.ascii("RIFF") + Bytes.le32(20) + Bytes.ascii("WEBPVP8L"), "image/webp"),
    Signature("WebP, extended", Bytes.ascii("RIFF") + Bytes.le32(20) + Bytes.ascii("WEBPVP8X"), "image/webp"),
    Signature("BMP", Bytes.ascii("BM") + Bytes.zeros(12) + Bytes.le32(40) + Bytes.zeros(36), "image/bmp"),
    Signature("BMP of OS/2", Bytes.ascii("BM") + Bytes.zeros(12) + Bytes.le32(12) + Bytes.zeros(8), "image/bmp"),
    Signature(
      "ICO",
      Bytes.be32(0x100) + Bytes.le16(1) + [16, 16, 0, 0] + Bytes.le16(1) + Bytes.le16(32) + Bytes.le32(40)
        + Bytes.le32(22),
      "image/vnd.microsoft.icon"),
    Signature("PSD", Bytes.ascii("8BPS") + Bytes.be16(1), "image/vnd.adobe.photoshop"),
    Signature("PSB", Bytes.ascii("8BPS") + Bytes.be16(2), "image/vnd.adobe.photoshop"),
    Signature("QOI", Bytes.ascii("qoif") + Bytes.be32(4) + Bytes.be32(4) + [4, 0], "image/x-qoi"),
    Signature("JPEG 2000 codestream", [0xFF, 0x4F, 0xFF, 0x51, 0, 41], "image/j2c"),
    Signature("JPEG XL codestream", [0xFF, 0x0A, 0x10, 0x20], "image/jxl"),
    Signature(
      "Netpbm pixmap", Bytes.ascii("P6\n# made here\n4 4\n255\n") + [0xFF, 0x00, 0x10], "image/x-portable-pixmap"),
    Signature("Netpbm greymap in letters", Bytes.ascii("P2 2 2 15 0 1 2 3\n"), "image/x-portable-graymap"),
    Signature("Netpbm bitmap", Bytes.ascii("P4\n8 1\n") + [0xAA], "image/x-portable-bitmap"),
    Signature("TIFF, little end first", tiff([]), "image/tiff"),
    Signature("TIFF, big end first", Bytes.be32(0x4D4D_002A) + Bytes.be32(8) + Bytes.be16(0), "image/tiff"),
    Signature("BigTIFF", Bytes.be32(0x4949_2B00) + Bytes.le16(8) + Bytes.le16(0), "image/tiff"),
    Signature("BigTIFF, big end first", Bytes.be32(0x4D4D_002B) + Bytes.be16(8) + Bytes.be16(0), "image/tiff"),
    Signature("DNG", tiff([(0xC612, 1, 4, 1)]), "image/x-adobe-dng"),
    Signature(
      "CR2", Bytes.be32(0x4949_2A00) + Bytes.le32(16) + Bytes.ascii("CR") + [2, 0] + Bytes.zeros(8), "image/x-canon-cr2"
    ),
    Signature(
      "NEF", tiff([(0xFE, 4, 1, 1), (0x10F, 2, 18, 200), (0x14A, 4, 1, 0)], text: "NIKON CORPORATION\0"),
      "image/x-nikon-nef"),
    Signature(
      "ARW", tiff([(0xFE, 4, 1, 1), (0x10F, 2, 5, 200), (0x14A, 4, 1, 0)], text: "SONY\0"), "image/x-sony-arw"),
    Signature("a TIFF from Nikon's software", tiff([(0x10F, 2, 18, 200)], text: "NIKON CORPORATION\0"), "image/tiff"),
    Signature(
      "a TIFF with a sub-directory, large image first",
      tiff([(0xFE, 4, 1, 0), (0x10F, 2, 18, 200), (0x14A, 4, 1, 0)], text: "NIKON CORPORATION\0"), "image/tiff"),
    Signature("SVG", Bytes.ascii("<svg xmlns=\"http://www.w3.org/2000/svg\"/>"), "image/svg+xml"),
  ]

  static let boxes = [
    Signature("JPEG XL container", Bytes.box("JXL ", Bytes.be32(0x0D0A_870A)) + ftyp("jxl "), "image/jxl"),
    Signature("JPEG 2000", Bytes.box("jP  ", Bytes.be32(0x0D0A_870A)) + ftyp("jp2 "), "image/jp2"),
    Signature("JPX", Bytes.box("jP  ", Bytes.be32(0x0D0A_870A)) + ftyp("jpx "), "image/jpx"),
    Signature("JPM", Bytes.box("jP  ", Bytes.be32(0x0D0A_870A)) + ftyp("jpm "), "image/jpm"),
    Signature("Motion JPEG 2000", Bytes.box("jP  ", Bytes.be32(0x0D0A_870A)) + ftyp("mjp2"), "video/mj2"),
    Signature("HEIC", ftyp("heic", ["mif1", "heic"]), "image/heic"),
    Signature("HEIC by its compatible brand", ftyp("mif1", ["mif1", "heic"]), "image/heic"),
    Signature("HEIC burst", ftyp("hevc", ["msf1"]), "image/heic-sequence"),
    Signature("HEIC burst by its compatible brand", ftyp("msf1", ["hevc"]), "image/heic-sequence"),
    Signature("HEIF of another coding", ftyp("mif1", ["mif1"]), "image/heif"),
    Signature("HEIF burst of another coding", ftyp("msf1", ["msf1"]), "image/heif-sequence"),
    Signature("AVIF", ftyp("avif", ["mif1", "miaf"]), "image/avif"),
    Signature("AVIF, moving", ftyp("avis", ["avif", "msf1"]), "image/avif"),
    Signature("AVIF by its compatible brand", ftyp("mif1", ["mif1", "avif"]), "image/avif"),
    Signature("CR3", ftyp("crx ", ["isom"]), "image/x-canon-cr3"),
    Signature("MP4", ftyp("isom", ["avc1"]), "video/mp4"),
    Signature("MP4 by its compatible brand", ftyp("XAVC", ["mp42"]), "video/mp4"),
    Signature("MP4 of an unknown brand", ftyp("????", ["!!!!"]), "video/mp4"),
    Signature("a segment", Bytes.box("styp", Bytes.ascii("msdh"), Bytes.be32(0), Bytes.ascii("iso6")), "video/mp4"),
    Signature("M4A", ftyp("M4A ", ["mp42"]), "audio/mp4"),
    Signature("M4B", ftyp("M4B ", ["mp42"]), "audio/mp4"),
    Signature("M4V", ftyp("M4V ", ["mp42"]), "video/mp4"),
    Signature("QuickTime", ftyp("qt  "), "video/quicktime"),
    Signature("3GP", ftyp("3gp4", ["isom"]), "video/3gpp"),
    Signature("3GP by its compatible brand", ftyp("mmsx", ["3gp5"]), "video/3gpp"),
    Signature("3G2", ftyp("3g2a", ["isom"]), "video/3gpp2"),
    Signature("QuickTime without a brand", Bytes.box("wide") + Bytes.box("mdat", Bytes.zeros(8)), "video/quicktime"),
    Signature("QuickTime, the movie first", Bytes.box("moov", Bytes.box("mvhd", Bytes.zeros(100))), "video/quicktime"),
  ]

  static let audiosAndVideos = [
    Signature("WAV", TinyAudio.wav(), "audio/wav"),
    Signature("RF64", Bytes.ascii("RF64") + Bytes.be32(-1) + Bytes.ascii("WAVEds64"), "audio/wav"),
    Signature("AVI", Bytes.ascii("RIFF") + Bytes.le32(100) + Bytes.ascii("AVI LIST"), "video/x-msvideo"),
    Signature("AIFF", Bytes.ascii("FORM") + Bytes.be32(100) + Bytes.ascii("AIFFCOMM"), "audio/aiff"),
    Signature("AIFF-C", Bytes.ascii("FORM") + Bytes.be32(100) + Bytes.ascii("AIFCFVER"), "audio/aiff"),
    Signature("MIDI in RIFF", Bytes.ascii("RIFF") + Bytes.le32(100) + Bytes.ascii("RMIDdata"), "audio/midi"),
    Signature(
      "Wave64", Bytes.ascii("riff") + [0x2E, 0x91, 0xCF, 0x11, 0xA5, 0xD6, 0x28, 0xDB, 0x04, 0xC1, 0, 0], "audio/x-w64"),
    Signature("Core Audio", Bytes.ascii("caff") + Bytes.be16(1) + Bytes.be16(0), "audio/x-caf"),
    Signature("Sun audio", Bytes.ascii(".snd") + Bytes.be32(24) + Bytes.be32(-1) + Bytes.be32(1), "audio/basic"),
    Signature("WebM", TinyAudio.webm(clusters: 1), "video/webm"),
    Signature("Matroska", TinyAudio.webm(clusters: 1, type: "matroska"), "video/matroska"),
    Signature("Ogg Vorbis", ogg(["\u{1}vorbis"]), "audio/ogg"),
    Signature("Ogg Opus", ogg(["OpusHead"]), "audio/ogg"),
    Signature("Ogg FLAC", ogg(["\u{7F}FLAC"]), "audio/ogg"),
    Signature("Ogg Speex", ogg(["Speex   "]), "audio/ogg"),
    Signature("Ogg Theora", ogg(["\u{1}vorbis"], first: [0x80] + Bytes.ascii("theora")), "video/ogg"),
    Signature("Ogg with audio before images", ogg(["fishead\0", "\u{1}vorbis", "BBCD\0"]), "video/ogg"),
    Signature("Ogg of something else", ogg(["???"]), "application/ogg"),
    Signature("MP3", TinyAudio.mp3(bitRates: [9, 9, 9]), "audio/mpeg"),
    Signature("MP3 of one frame", TinyAudio.mp3(bitRates: [9]), "audio/mpeg"),
    Signature(
      "MP3 behind a tag",
      Bytes.ascii("ID3") + [4, 0, 0, 0, 0, 0, 20] + Bytes.zeros(20) + TinyAudio.mp3(bitRates: [9, 9, 9]), "audio/mpeg"),
    Signature(
      "FLAC behind a tag", Bytes.ascii("ID3") + [4, 0, 0, 0, 0, 0, 20] + Bytes.zeros(20) + Bytes.ascii("fLaC"),
      "audio/flac"),
    Signature(
      "AAC behind a tag", Bytes.ascii("ID3") + [4, 0, 0, 0, 0, 0, 20] + Bytes.zeros(20) + TinyAudio.adts(frames: 3),
      "audio/aac"),
    Signature("a tag alone", Bytes.ascii("ID3") + [4, 0, 0, 0, 0, 2, 0], "audio/mpeg"),
    Signature("AAC", TinyAudio.adts(frames: 3), "audio/aac"),
    Signature("WavPack", Bytes.ascii("wvpk") + Bytes.le32(40) + Bytes.le16(0x410) + Bytes.zeros(38), "audio/x-wavpack"),
    Signature("FLAC", Bytes.ascii("fLaC") + Bytes.be32(34) + Bytes.zeros(34), "audio/flac"),
    Signature("AMR", TinyAudio.amr(modes: [7]), "audio/amr"),
    Signature("AMR-WB", TinyAudio.amr(modes: [7], wideband: true), "audio/amr-wb"),
    Signature("MIDI", Bytes.ascii("MThd") + Bytes.be32(6) + Bytes.be16(1) + Bytes.be32(1), "audio/midi"),
    Signature("E-AC-3", eac3() + eac3(), "audio/eac3"),
    Signature("MPEG-TS", transport(188, lead: 0), "video/mp2t"),
    Signature("MPEG-TS of a camera", transport(192, lead: 4), "video/mp2t"),
    Signature("MPEG-TS with error correction", transport(204, lead: 0), "video/mp2t"),
    Signature("MPEG-2 program stream", Bytes.be32(0x1BA) + [0x44, 0, 4, 0, 4, 1], "video/mpeg"),
    Signature("MPEG-1 program stream", Bytes.be32(0x1BA) + [0x21, 0, 1, 0, 1], "video/mpeg"),
    Signature("MPEG video", Bytes.be32(0x1B3) + [0x14, 0x00, 0xF0, 0x13], "video/mpeg"),
    Signature("FLV", Bytes.ascii("FLV\u{1}") + [5] + Bytes.be32(9) + Bytes.be32(0), "video/x-flv"),
    Signature(
      "ASF", [0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11, 0xA6, 0xD9, 0x00, 0xAA, 0x00, 0x62, 0xCE, 0x6C],
      "video/x-ms-asf"),
  ]

  static let archivesAndDocuments = [
    Signature("gzip", [0x1F, 0x8B, 8, 0] + Bytes.zeros(8), "application/gzip"),
    Signature("bzip2", Bytes.ascii("BZh9") + Bytes.be32(0x3141_5926), "application/x-bzip2"),
    Signature("bzip2 of nothing", Bytes.ascii("BZh9") + Bytes.be32(0x1772_4538), "application/x-bzip2"),
    Signature("xz", [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], "application/x-xz"),
    Signature("Zstandard", Bytes.be32(0x28B5_2FFD), "application/zstd"),
    Signature("7z", [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C, 0, 4], "application/x-7z-compressed"),
    Signature("RAR 4", Bytes.ascii("Rar!") + [0x1A, 7, 0], "application/vnd.rar"),
    Signature("RAR 5", Bytes.ascii("Rar!") + [0x1A, 7, 1, 0], "application/vnd.rar"),
    Signature("tar", tar("ustar"), "application/x-tar"),
    Signature("tar before POSIX", tar(""), "application/x-tar"),
    Signature("an ELF program", [0x7F] + Bytes.ascii("ELF") + [2, 1, 1], "application/x-executable"),
    Signature(
      "a Windows program", Bytes.ascii("MZ") + Bytes.zeros(58) + Bytes.le32(64) + Bytes.ascii("PE\0\0"),
      "application/vnd.microsoft.portable-executable"),
    Signature("an MMS", [0x8C, 0x84, 0x98] + Bytes.ascii("id\0") + [0x8D, 0x92], "application/vnd.wap.mms-message"),
    Signature("an MMS without a name", [0x8C, 0x80, 0x8D, 0x90], "application/vnd.wap.mms-message"),
    Signature(
      "an MMS with the version first", [0x8D, 0x92, 0x8C, 0x84, 0x98, 0x41, 0], "application/vnd.wap.mms-message"),
    Signature(
      "an MMS with the transaction first", [0x98] + Bytes.ascii("id\0") + [0x8D, 0x90, 0x8C, 0x82, 0x83],
      "application/vnd.wap.mms-message"),
    Signature("PDF", Bytes.ascii("%PDF-1.7\n"), "application/pdf"),
    Signature("PDF behind a mark and a line", [0xEF, 0xBB, 0xBF, 0x0A] + Bytes.ascii("%PDF-1.4\n"), "application/pdf"),
    Signature("PDF behind a header line", Bytes.ascii("HTTP junk\r\n%PDF-1.4\n1 0 obj\n%%EOF\n"), "application/pdf"),
    Signature("a text about PDF", Bytes.ascii("A file begins\n%PDF-1.4 and then goes on.\n"), "text/plain"),
    Signature("RTF", Bytes.ascii("{\\rtf1\\ansi Hello}"), "application/rtf"),
    Signature("PostScript", Bytes.ascii("%!PS-Adobe-3.0\n"), "application/postscript"),
    Signature("EPS with a preview", Bytes.be32(0xC5D0_D3C6) + Bytes.zeros(26), "application/postscript"),
  ]

  static func ftyp(_ major: String, _ compatible: [String] = []) -> [UInt8] {
    Bytes.box("ftyp", Bytes.ascii(major), Bytes.be32(0), compatible.flatMap { Bytes.ascii($0) })
  }

  /// A little-endian TIFF whose first directory has these entries (tag, type, count, value); `text` stands at offset 200.
  private static func tiff(_ entries: [(Int, Int, Int, Int)], text: String = "") -> [UInt8] {
    let directory = entries.flatMap { Bytes.le16($0.0) + Bytes.le16($0.1) + Bytes.le32($0.2) + Bytes.le32($0.3) }
    let head = Bytes.be32(0x4949_2A00) + Bytes.le32(8) + Bytes.le16(entries.count) + directory
    return head + Bytes.zeros(200 - head.count) + Bytes.ascii(text)
  }

  /// Opening pages, one a stream.
  private static func ogg(_ packets: [String], first: [UInt8]? = nil) -> [UInt8] {
    let all = (first.map { [$0] } ?? []) + packets.map { Bytes.ascii($0) }
    return all.flatMap { packet in
      Bytes.join(Bytes.ascii("OggS"), [0, 2], Bytes.zeros(20), [1, UInt8(packet.count)], packet)
    }
  }

  private static func transport(_ size: Int, lead: Int) -> [UInt8] {
    (0..<6).flatMap { index in
      Bytes.join(Bytes.zeros(lead), [0x47, 0x40, 0, 0x10 | UInt8(index)], Bytes.zeros(size - lead - 4))
    }
  }

  private static func eac3() -> [UInt8] { [0x0B, 0x77, 0, 31, 0, 16 << 3] + Bytes.zeros(58) }

  private static func tar(_ magic: String) -> [UInt8] {
    var block = Bytes.ascii("name.txt") + Bytes.zeros(504)
    block.replaceSubrange(257..<257 + magic.utf8.count, with: Bytes.ascii(magic))
    let sum = block.reduce(8 * 32) { $0 + Int($1) }
    block.replaceSubrange(148..<156, with: Bytes.ascii("0" + String(sum, radix: 8).padded(5) + "\0 "))
    return block
  }
}

extension String {
  fileprivate func padded(_ width: Int) -> String { String(repeating: "0", count: max(0, width - count)) + self }
}
