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
