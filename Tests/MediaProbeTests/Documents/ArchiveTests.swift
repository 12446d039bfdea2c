internal import MediaModel
internal import Testing

@testable internal import MediaProbe

@Suite struct ArchiveTests {
  @Test(
    arguments: [
      ([("a.txt", "")], "application/zip"), ([], "application/zip"),
      (
        [("[Content_Types].xml", ""), ("word/document.xml", "")],
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
      ),
      (
        [("docProps/app.xml", ""), ("xl/workbook.xml", ""), ("[Content_Types].xml", "")],
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
      ),
      (
        [("[Content_Types].xml", ""), ("ppt/presentation.xml", "")],
        "application/vnd.openxmlformats-officedocument.presentationml.presentation"
      ),
      (
        [("[Content_Types].xml", ""), ("word/document.xml", ""), ("word/vbaProject.bin", "")],
        "application/vnd.ms-word.document.macroenabled.12"
      ),
      ([("[Content_Types].xml", ""), ("3D/3dmodel.model", "")], "application/zip"),
      ([("word/document.xml", "")], "application/zip"),
      ([("META-INF/MANIFEST.MF", "")], "application/java-archive"),
      ([("META-INF/MANIFEST.MF", ""), ("AndroidManifest.xml", "")], "application/vnd.android.package-archive"),
      ([("doc.kml", "")], "application/vnd.google-earth.kmz"),
      ([("mimetype", "application/epub+zip"), ("META-INF/container.xml", "")], "application/epub+zip"),
      (
        [("mimetype", "application/vnd.oasis.opendocument.text"), ("content.xml", "")],
        "application/vnd.oasis.opendocument.text"
      ),
      // What a file says of itself is believed only when it is a document's name.
      (
        [("mimetype", "application/vnd.oasis.opendocument.text-template"), ("content.xml", "")],
        "application/vnd.oasis.opendocument.text-template"
      ),
      (
        [("mimetype", "application/vnd.oasis.opendocument.presentation-template"), ("content.xml", "")],
        "application/vnd.oasis.opendocument.presentation-template"
      ),
      ([("mimetype", "text/html"), ("content.xml", "")], "application/zip"),
      ([("mimetype", "image/jpeg\r\nX: y")], "application/zip"),
    ] as [([(String, String)], String)])
  func `The entries determine the type of the document`(_ entries: [(String, String)], _ type: String) throws {
    let info = MediaProber().facts(of: try MediaInput(bytes: TinyZip.archive(entries)))
    #expect(info.type.rawValue == type)
    #expect(info.error == nil)
  }

  @Test func `A comment or a prepended program does not hide the directory`() throws {
    let entries = [("[Content_Types].xml", ""), ("word/document.xml", "")]
    let commented = TinyZip.archive(entries, comment: String(repeating: "c", count: 3_000))
    #expect(MediaProber().facts(of: try MediaInput(bytes: commented)).type == .docx)
    #expect(MediaProber().facts(of: try MediaInput(bytes: commented)).error == nil)
  }

  @Test func `An archive without its end is truncated`() throws {
    let whole = TinyZip.archive([("[Content_Types].xml", "<x/>"), ("word/document.xml", "<y/>")])
    for length in [whole.count - 1, whole.count - 30, 90] {
      let info = MediaProber().facts(of: try MediaInput(bytes: Array(whole.prefix(length))))
      #expect(info.error?.code == .truncated, "\(length)")
    }
    // The local headers still name the parts.
    #expect(MediaProber().facts(of: try MediaInput(bytes: Array(whole.dropLast(1)))).type == .docx)
  }

  @Test(arguments: [
    ("WordDocument", "application/msword"), ("Workbook", "application/vnd.ms-excel"),
    ("Book", "application/vnd.ms-excel"),
    ("PowerPoint Document", "application/vnd.ms-powerpoint"), ("__properties_version1.0", "application/vnd.ms-outlook"),
  ])
  func `The stream names determine the old document type`(_ stream: String, _ type: String) throws {
    let info = MediaProber().facts(of: try MediaInput(bytes: TinyCompoundFile.file(stream: stream)))
    #expect(info.type.rawValue == type)
    #expect(info.error == nil)
  }

  @Test func `An encrypted document is reported`() throws {
    let info = MediaProber().facts(of: try MediaInput(bytes: TinyCompoundFile.file(stream: "EncryptedPackage")))
    #expect(info.error?.code == .encrypted)
  }

  @Test func `A cyclic directory ends`() {
    var bytes = TinyCompoundFile.file(stream: "Nothing")
    // The directory's sector names itself as the next.
    bytes.replaceSubrange(1_024..<1_028, with: Bytes.le32(0))
    bytes.replaceSubrange(1_024 + 4..<1_024 + 8, with: Bytes.le32(0))
    #expect(CompoundFile.type(of: ByteReader(bytes)) == nil)
  }
}

/// A ZIP of entries that are not compressed.
enum TinyZip {
  static func archive(_ entries: [(String, String)], comment: String = "") -> [UInt8] {
    var local: [UInt8] = []
    var central: [UInt8] = []
    for (name, content) in entries {
      let fields =
        Bytes.le16(20) + Bytes.zeros(8) + Bytes.le32(0) + Bytes.le32(content.utf8.count)
        + Bytes.le32(content.utf8.count)
        + Bytes.le16(name.utf8.count) + Bytes.le16(0)
      central +=
        Bytes.be32(0x504B_0102) + Bytes.le16(20) + fields + Bytes.zeros(10) + Bytes.le32(local.count) + Array(name.utf8)
      local += Bytes.be32(0x504B_0304) + fields + Array(name.utf8) + Array(content.utf8)
    }
    let end =
      Bytes.be32(0x504B_0506) + Bytes.zeros(4) + Bytes.le16(entries.count) + Bytes.le16(entries.count)
      + Bytes.le32(central.count) + Bytes.le32(local.count) + Bytes.le16(comment.utf8.count) + Array(comment.utf8)
    return local + central + end
  }
}

/// A compound file with a directory of two entries.
enum TinyCompoundFile {
  static func file(stream: String) -> [UInt8] {
    var header = Bytes.be64(Int(bitPattern: 0xD0CF_11E0_A1B1_1AE1)) + Bytes.zeros(504)
    header.replaceSubrange(24..<32, with: Bytes.le16(0x3E) + Bytes.le16(3) + Bytes.le16(0xFFFE) + Bytes.le16(9))
    header.replaceSubrange(48..<52, with: Bytes.le32(0))
    header.replaceSubrange(76..<80, with: Bytes.le32(1))
    let directory = entry("Root Entry") + entry(stream) + Bytes.zeros(256)
    let table = Bytes.le32(0xFFFF_FFFE) + Bytes.le32(0xFFFF_FFFD) + [UInt8](repeating: 0xFF, count: 504)
    return header + directory + table
  }

  private static func entry(_ name: String) -> [UInt8] {
    let units = name.utf16.flatMap { Bytes.le16(Int($0)) }
    return units + Bytes.zeros(64 - units.count) + Bytes.le16(units.count + 2) + Bytes.zeros(62)
  }
}
