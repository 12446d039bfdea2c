internal import MediaModel

/// Signatures of ZIP (PKWARE APPNOTE 6.3) and ZIP-based document formats.
enum ZipSignatures {
  static func type(of reader: ByteReader) -> MediaType {
    if let declared = mimetypeEntry(reader) { return declared }
    var names = Names()
    forEachName(reader) { names.add($0) }
    return names.type
  }

  /// EPUB (OCF 3.3, 4.3) and OpenDocument (1.3, part 2, 3.3): the first entry is "mimetype", is not compressed and
  /// holds the type.
  private static func mimetypeEntry(_ reader: ByteReader) -> MediaType? {
    guard reader.u32be(0) == 0x504B_0304, reader.u16le(8) == 0, reader.u16le(26) == 8, reader.has("mimetype", at: 30),
      let extra = reader.u16le(28), let size = reader.u32le(18), size > 0, size <= 128,
      let content = reader.slice(38 + Int(extra), Int(size))
    else { return nil }
    let type = MediaType(String(decoding: content, as: UTF8.self))
    // Only known types: an arbitrary declared type is not passed on.
    return type.preferredExtension != nil && type.kind == .document ? type : nil
  }

  /// What the entry names imply.
  private struct Names {
    private var found: Set<String> = []
    private var folders: Set<String> = []

    mutating func add(_ name: String) {
      if let slash = name.firstIndex(of: "/") { folders.insert(String(name[..<slash])) }
      switch name {
      case "[Content_Types].xml", "AndroidManifest.xml", "META-INF/MANIFEST.MF", "doc.kml": found.insert(name)
      case _ where name.hasSuffix("/vbaProject.bin"): found.insert("macros")
      default: break
      }
    }

    var type: MediaType {
      // ECMA-376 part 2, 7.2.3: every package has this part; the folder identifies the application.
      if found.contains("[Content_Types].xml") {
        let macros = found.contains("macros")
        if folders.contains("word") { return macros ? .docm : .docx }
        if folders.contains("xl") { return macros ? .xlsm : .xlsx }
        if folders.contains("ppt") { return macros ? .pptm : .pptx }
      }
      if found.contains("AndroidManifest.xml") { return .apk }
      if found.contains("META-INF/MANIFEST.MF") { return .jar }
      return found.contains("doc.kml") ? .kmz : .zip
    }
  }

  /// Calls a closure for each name in the central directory, or in the local headers if a truncated file lacks the
  /// directory.
  private static func forEachName(_ reader: ByteReader, _ body: (String) -> Void) {
    // 4,096 entries are more than any document has.
    if var offset = centralDirectory(reader) {
      for _ in 0..<4_096 {
        guard reader.u32be(offset) == 0x504B_0102, let name = reader.u16le(offset + 28),
          let extra = reader.u16le(offset + 30), let comment = reader.u16le(offset + 32)
        else { return }
        body(String(decoding: reader.bytes(offset + 46, min(256, Int(name))), as: UTF8.self))
        offset += 46 + Int(name) + Int(extra) + Int(comment)
      }
      return
    }
    var offset = 0
    for _ in 0..<256 {
      guard reader.u32be(offset) == 0x504B_0304, let flags = reader.u16le(offset + 6),
        let size = reader.u32le(offset + 18), let name = reader.u16le(offset + 26),
        let extra = reader.u16le(offset + 28)
      else { return }
      body(String(decoding: reader.bytes(offset + 30, min(256, Int(name))), as: UTF8.self))
      // Bit 3: the size follows the content, so the next header cannot be located.
      if flags & 8 != 0 && size == 0 { return }
      offset += 30 + Int(name) + Int(extra) + Int(size)
    }
  }

  /// Offset of the central directory. The end record is in the last 22 bytes plus at most 65,535 of comment (4.3.16).
  static func centralDirectory(_ reader: ByteReader) -> Int? {
    let length = min(reader.count, 22 + 65_535)
    // Most archives have no comment: search the last kilobyte before the last 64.
    for length in [min(length, 1_024), length] {
      let start = reader.count - length
      let tail = reader.bytes(start, length)
      var index = tail.count - 22
      while index >= 0 {
        if tail[index] == 0x50, tail[index + 1] == 0x4B, tail[index + 2] == 5, tail[index + 3] == 6 {
          let fields = ByteReader(Array(tail[index...]))
          guard let size = fields.u32le(12), let offset = fields.u32le(16) else { return nil }
          // A self-extracting archive has a program before it, which the offset does not count.
          let counted = start + index - Int(size)
          return reader.u32be(counted) == 0x504B_0102 ? counted : Int(offset)
        }
        index -= 1
      }
    }
    return nil
  }
}
