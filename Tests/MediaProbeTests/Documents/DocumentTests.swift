internal import MediaModel
internal import Testing

@testable internal import MediaProbe

@Suite struct PDFTests {
  @Test(arguments: [1, 2, 17]) func `Pages are counted`(_ pages: Int) throws {
    let info = try facts(TinyPDF.document(pages: pages))
    #expect(info.type == .pdf)
    #expect(info.kind == .document)
    #expect(info.pages == pages)
    #expect(info.error == nil)
  }

  @Test func `A password is reported`() throws {
    let info = try facts(TinyPDF.document(pages: 1, encrypted: true))
    #expect(info.error?.code == .encrypted)
    #expect(info.pages == nil)
    #expect(info.type == .pdf)
  }

  @Test func `A damaged document is corrupt`() throws {
    #expect(try facts(Array("%PDF-1.4\nnothing more\n".utf8)).error?.code == .corrupt)
    #expect(try facts(Array("%PDF-1.4\n".utf8) + Bytes.zeros(5_000)).error?.code == .corrupt)
  }

  @Test func `A passed deadline is reported`() throws {
    let input = try MediaInput(bytes: TinyPDF.document(pages: 1))
    input.set(deadline: .after(seconds: 0))
    var info = MediaInfo(type: .pdf, bytes: input.size)
    PDF.apply(to: &info, input: input)
    #expect(info.error?.code == .timedOut)
  }

  @Test func `Only the needed parts are read`() throws {
    // Four megabytes of a stream that no page uses.
    let input = try MediaInput(bytes: TinyPDF.document(pages: 3, padding: 4_000_000))
    #expect(MediaProber().facts(of: input).pages == 3)
    #expect(input.bytesRead < 1_000_000)
  }

  @Test func `Many documents at once have their own pages`() async {
    let results = await withTaskGroup(of: [Int?].self, returning: [[Int?]].self) { group in
      for pages in 1...24 {
        group.addTask {
          guard let input = try? MediaInput(bytes: TinyPDF.document(pages: pages)) else { return [pages, nil] }
          return [pages, MediaProber().facts(of: input).pages]
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(results.count == 24)
    #expect(results.allSatisfy { $0[0] == $0[1] })
  }

  private func facts(_ bytes: [UInt8]) throws -> MediaInfo { MediaProber().facts(of: try MediaInput(bytes: bytes)) }
}

/// A PDF of empty pages.
enum TinyPDF {
  static func document(pages: Int, encrypted: Bool = false, padding: Int = 0) -> [UInt8] {
    var objects = [
      "<< /Type /Catalog /Pages 2 0 R >>",
      "<< /Type /Pages /Count \(pages) /Kids [\((0..<pages).map { "\($0 + 4) 0 R" }.joined(separator: " "))] >>",
      // A key that no password of nothing opens.
      "<< /Filter /Standard /V 1 /R 2 /P -4 /O <\(String(repeating: "41", count: 32))> /U <\(String(repeating: "42", count: 32))> >>",
    ]
    objects += (0..<pages).map { _ in "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >>" }
    if padding > 0 {
      objects.append("<< /Length \(padding) >>\nstream\n\(String(repeating: "x", count: padding))\nendstream")
    }
    var text = "%PDF-1.4\n"
    var offsets: [Int] = []
    for (index, object) in objects.enumerated() {
      offsets.append(text.utf8.count)
      text += "\(index + 1) 0 obj\n\(object)\nendobj\n"
    }
    let table = text.utf8.count
    text += "xref\n0 \(objects.count + 1)\n0000000000 65535 f \n"
    for offset in offsets {
      let digits = String(offset)
      text += String(repeating: "0", count: 10 - digits.count) + digits + " 00000 n \n"
    }
    let secret = encrypted ? "/Encrypt 3 0 R /ID [<0102> <0102>]" : ""
    text += "trailer\n<< /Size \(objects.count + 1) /Root 1 0 R \(secret) >>\nstartxref\n\(table)\n%%EOF\n"
    return Array(text.utf8)
  }
}

@Suite struct VCardTests {
  @Test(arguments: [
    ("BEGIN:VCARD\r\nFN:Simon Perreault\r\nEND:VCARD", "Simon Perreault"),
    ("BEGIN:VCARD\nfn;language=en:Anna\nEND:VCARD", "Anna"),
    ("BEGIN:VCARD\nitem1.FN:Anna\nEND:VCARD", "Anna"),
    ("BEGIN:VCARD\nN:Doe;John\nFN:John\\, Doe\\; the\\n\\\\ 3rd\nEND:VCARD", "John, Doe; the \\ 3rd"),
    ("BEGIN:VCARD\r\nFN:A very long na\r\n me in two lines\r\nEND:VCARD", "A very long name in two lines"),
    (
      "BEGIN:VCARD\nVERSION:2.1\nFN;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:J=C3=B6rg=20M=\nüller\nEND:VCARD",
      "Jörg Müller"
    ),
    ("BEGIN:VCARD\nFN;ENCODING=QUOTED-PRINTABLE:100=\nEND:VCARD", "100END:VCARD"),
    ("BEGIN:VCARD\nFN;ENCODING=QUOTED-PRINTABLE:a=zz=4\nEND:VCARD", "a=zz=4"),
    ("BEGIN:VCARD\nFN:First\nFN:Second\nEND:VCARD", "First"),
    ("BEGIN:VCARD\nFN;X-A=\"a:b\":John Doe\nEND:VCARD", "John Doe"),
    ("BEGIN:VCARD\nVERSION:2.1\nN:Doe;John;;;\nTEL:1\nEND:VCARD", "John Doe"),
    ("BEGIN:VCARD\nFN: \nN:Doe\\;s;John;Q.;Dr.;Jr.\nEND:VCARD", "Dr. John Q. Doe;s Jr."),
    ("BEGIN:VCARD\nN;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:M=FCller;J=F6rg\nEND:VCARD", "Jörg Müller"),
    ("BEGIN:VCARD\nFN;CHARSET=\"windows-1252\";QUOTED-PRINTABLE:5 =80\nEND:VCARD", "5 €"),
    ("BEGIN:VCARD\nFN;ENCODING=QUOTED-PRINTABLE:J=F6rg\nEND:VCARD", "Jörg"),
    ("BEGIN:VCARD\nFN;CHARSET = ISO-8859-1;ENCODING = Quoted-Printable :J=F6rg\nEND:VCARD", "Jörg"),
    // A line that goes on is no property of its own.
    ("BEGIN:VCARD\nNOTE;ENCODING=\"QUOTED-PRINTABLE\"\t:a=\nFN:Eve\nFN:Ada\nEND:VCARD", "Ada"),
    ("BEGIN:VCARD\nNOTE;ENCODING=QUOTED-PRINTABLE:a=\nFN:Eve\nFN:Ada\nEND:VCARD", "Ada"),
  ])
  func `The name is read`(_ card: String, _ name: String) {
    #expect(VCard(Array(card.utf8)).name == name)
  }

  @Test(arguments: [
    "BEGIN:VCARD\nEND:VCARD", "BEGIN:VCARD\nFN:\nEND:VCARD", "BEGIN:VCARD\nFNORD:x\nEND:VCARD", "FN", ":", "\n \n",
    "BEGIN:VCARD\nN:;;;;\nEND:VCARD\nBEGIN:VCARD\nFN:Ada\nEND:VCARD",
  ])
  func `A card without name has none`(_ card: String) {
    #expect(VCard(Array(card.utf8)).name == nil)
  }

  @Test func `A card is a contact`() throws {
    let info = MediaProber().facts(of: try MediaInput(bytes: Array("BEGIN:VCARD\nFN:Anna\nEND:VCARD".utf8)))
    #expect(info.kind == .contact)
    #expect(info.title == "Anna")
  }

  @Test func `The name may follow a long photo`() throws {
    let photo = String(repeating: " AAAABBBBCCCCDDDD\n", count: 8_000)
    let card = "BEGIN:VCARD\nVERSION:3.0\nPHOTO;ENCODING=b:\n\(photo)FN:Ada\nEND:VCARD\n"
    #expect(MediaProber().facts(of: try MediaInput(bytes: Array(card.utf8))).title == "Ada")
  }
}

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

@Suite struct DigestTests {
  @Test(arguments: [
    // FIPS 180-4's own examples.
    ("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    ("", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("a", 1_000_000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
  ])
  func `The digest is SHA-256`(_ word: String, _ count: Int, _ digest: String) throws {
    let text = String(repeating: word, count: count)
    var prober = MediaProber()
    prober.options.digest = true
    #expect(prober.facts(of: try MediaInput(bytes: Array(text.utf8))).sha256 == digest)
    #expect(MediaProber().facts(of: try MediaInput(bytes: Array(text.utf8))).sha256 == nil)
  }

  @Test func `A timeout of the digest keeps the facts`() throws {
    var prober = MediaProber()
    prober.options.digest = true
    prober.options.digestSeconds = 0
    let info = prober.facts(of: try MediaInput(bytes: TinyAudio.wav()))
    #expect(info.error?.code == .timedOut)
    #expect(info.sha256 == nil)
    #expect(info.duration == 1)
  }

  @Test func `A timeout of the facts keeps the digest`() throws {
    var prober = MediaProber()
    prober.options.digest = true
    prober.options.limits.probeSeconds = 0
    let info = prober.facts(of: try MediaInput(bytes: Array("abc".utf8)))
    #expect(info.error?.code == .timedOut)
    #expect(info.sha256 == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  }
}
