internal import MediaModel
internal import Testing

@testable internal import MediaProbe

@Suite struct TypeTableTests {
  /// Every row leads from a name that is not ours to one that is.
  @Test(arguments: TypeTable.canonical.sorted { $0.key < $1.key }.map { [$0.key, $0.value] })
  func `A row maps to a type in the table`(_ row: [String]) {
    #expect(MediaType(row[0]).preferredExtension == nil, "\(row[0]) stands in our own table")
    #expect(TypeTable.ours(row[0]).rawValue == row[1])
    #expect(TypeTable.canonical[row[1]] == nil, "a row must not lead to another row")
    #expect(row[0] == row[0].lowercased())
    // Microsoft's compound files have no registered name.
    #expect(MediaType(row[1]).preferredExtension != nil || row[1] == "application/x-ole-storage")
  }

  /// The rows that are promised by name.
  @Test(arguments: [
    ("audio/x-m4a", "audio/mp4"), ("audio/x-wav", "audio/wav"), ("application/x-rar", "application/vnd.rar"),
    ("text/rtf", "application/rtf"), ("text/xml", "application/xml"), ("audio/x-hx-aac-adts", "audio/aac"),
    ("audio/x-aiff", "audio/aiff"), ("audio/x-flac", "audio/flac"), ("video/x-matroska", "video/matroska"),
    ("Image/JPG", "image/jpeg"), ("image/x-ms-bmp", "image/bmp"), ("application/x-gtar", "application/x-tar"),
    ("application/x-dosexec", "application/vnd.microsoft.portable-executable"), ("image/jpeg", "image/jpeg"),
    ("application/x-something-else", "application/x-something-else"),
  ])
  func `libmagic's names are replaced by ours`(_ other: String, _ ours: String) {
    #expect(TypeTable.ours(other).rawValue == ours)
  }

  /// Where libmagic and the container disagree: the row's name is what libmagic says of the bytes, its type what we say.
  @Test(arguments: [
    Signature("audio/x-m4a", TinyMovie(brand: "M4A ", tracks: [.audio]).bytes, "audio/mp4"),
    Signature("audio/x-wav", TinyAudio.wav(), "audio/wav"),
    Signature("video/mp4", TinyMovie(tracks: [.audio]).bytes, "audio/mp4"),
    Signature("video/3gpp", TinyMovie(brand: "3gp4", tracks: [.audio]).bytes, "audio/3gpp"),
    Signature("video/3gpp2", TinyMovie(brand: "3g2a", tracks: [.audio]).bytes, "audio/3gpp2"),
    Signature("audio/x-hx-aac-adts", TinyAudio.adts(frames: 20), "audio/aac"),
    Signature("audio/amr", TinyAudio.amr(modes: [7, 7], wideband: true), "audio/amr-wb"),
    Signature("text/rtf", Array("{\\rtf1\\ansi Hello}".utf8), "application/rtf"),
    Signature("application/x-rar", Array("Rar!".utf8) + [0x1A, 7, 1, 0], "application/vnd.rar"),
  ])
  func `Where libmagic and the content disagree, the table decides`(_ file: Signature) throws {
    #expect(MagicCookie.current?.type(of: file.bytes) == file.name)
    #expect(MediaProber().facts(of: try MediaInput(bytes: file.bytes)).type.rawValue == file.type)
  }

  /// A container keeps or changes its name by what is in it.
  @Test(arguments: TypeTable.withoutVideo.map { [$0.key, $0.value] } + TypeTable.withVideo.map { [$0.value, $0.key] })
  func `A container without video has an audio type`(_ pair: [MediaType]) {
    #expect(pair[0].topLevel == "video")
    #expect(pair[0].kind == .video)
    #expect(pair[1].topLevel == "audio")
    #expect(pair[1].kind == .audio)
  }
}
