internal import FileSupport
internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import MediatoolCommand

@Suite("The names of outputs") struct OutputNamesTests {
  private func names(_ inputs: String...) -> [String] {
    var names = OutputNames()
    return inputs.map { input in
      let slash = input.utf8.lastIndex(of: PathBytes.slash)
      let folders = slash.map { Array(input.utf8[..<$0]) } ?? []
      return names.claim(file: slash.map { input.utf8[input.utf8.index(after: $0)...] } ?? input.utf8[...], in: folders)
    }
  }

  @Test func `A name is that of the file without its extension, below its folders`() {
    #expect(
      names("photo.jpg", "2018/07/photo.jpg", "a.b.jpg", "Photos") == ["photo", "2018/07/photo", "a.b", "Photos"])
    #expect(names(".jpg", "dot.", ".hidden.png") == [".jpg", "dot", ".hidden"])
  }

  @Test func `Files of the same name are numbered; those of another kind keep their extension`() {
    #expect(names("a.jpg", "a.jpg", "a.jpg") == ["a", "a-2", "a-3"])
    #expect(names("a.jpg", "a.png", "a.png", "a.gif") == ["a", "a.png", "a-2", "a.gif"])
    #expect(names("a", "a.jpg", "a") == ["a", "a.jpg", "a-2"])
  }

  @Test func `A number that is taken is skipped`() {
    #expect(names("a-2.jpg", "a.jpg", "a.jpg", "a-2.jpg") == ["a-2", "a", "a-3", "a-2-2"])
    #expect(names("a.png.jpg", "a.jpg", "a.png") == ["a.png", "a", "a-2"])
  }

  @Test("past the limit a name has the position of its input, and none is used twice") func limited() {
    var names = OutputNames(limit: 3)
    let claimed = ["a.jpg", "a-4.jpg", "b.jpg", "a.jpg", "b.jpg", "b-5.jpg", "c.jpg"].map {
      names.claim(file: Array($0.utf8))
    }
    #expect(claimed == ["a", "a-4", "b", "a-4-4", "b-5", "b-5-6", "c-7"])
    #expect(Set(claimed).count == claimed.count)
  }

  @Test func `Names that are one file on some disks are two names`() {
    #expect(names("IMG.jpg", "img.jpg", "IMG.JPG") == ["IMG", "img-2", "IMG-3"])
    #expect(names("caf\u{E9}.jpg", "cafe\u{301}.jpg") == ["caf\u{E9}", "cafe\u{301}-2"])
    #expect(names("A/x.jpg", "a/x.jpg") == ["A/x", "a/x-2"])
  }

  @Test func `No name leads out of the folder`() {
    var names = OutputNames()
    #expect(names.claim(file: Array("..".utf8), in: Array("../..".utf8)) == "_/_/_")
    #expect(names.claim(file: Array("a/b\0c\nd\u{1B}[31m\u{85}".utf8)) == "a_b_c_d_[31m_")
    #expect(names.claim(file: [], in: Array("/etc//x/./".utf8)) == "etc/x/_/_")
    // Bytes that are not UTF-8: what is in the JSON is the whole name.
    #expect(names.claim(file: [0x63, 0xE9, 0xFF]) == "c__")
  }

  @Test func `Long names are cut between characters and stay distinct`() {
    let family = "👨‍👩‍👧‍👦"
    let long = String(repeating: family, count: 10)
    var names = OutputNames()
    let claimed = (0..<3).map { names.claim(file: Array("\(long)\($0).jpg".utf8)) }
    #expect(Set(claimed).count == 3)
    for name in claimed {
      #expect(name.utf8.count <= 190)
      #expect(name.hasPrefix(family))
      #expect(!name.unicodeScalars.contains("\u{FFFD}"))
    }
  }

  @Test(arguments: 1...30)
  func `No two inputs share an output, and no output is outside the folder`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    // Few letters, so that names often clash, and everything that could lead out of a folder.
    let pieces = [
      "a", "A", "b", ".", "..", "-2", "-3", ".jpg", ".png", "é", "e\u{301}", "\0", "\n", "\\", " ", "~", "\u{2028}",
    ]
    func name() -> [UInt8] {
      var bytes = (0...Int.random(in: 0...3, using: &generator)).flatMap { _ in
        Array((pieces.randomElement(using: &generator) ?? "").utf8)
      }
      if Int.random(in: 0..<10, using: &generator) == 0 { bytes.append(.random(in: 0x80...0xFF, using: &generator)) }
      if Int.random(in: 0..<20, using: &generator) == 0 { bytes += Array(repeating: 0x61, count: 250) }
      // No file system has longer names than these.
      return Array(bytes.filter { $0 != PathBytes.slash }.prefix(255))
    }
    let inputs = (0..<600).map { _ in
      (
        file: name(),
        folders: Array((0..<Int.random(in: 0...2, using: &generator)).map { _ in name() }.joined(separator: [0x2F]))
      )
    }
    var (names, again) = (OutputNames(), OutputNames())
    let claimed = inputs.map { names.claim(file: $0.file, in: $0.folders) }
    #expect(claimed == inputs.map { again.claim(file: $0.file, in: $0.folders) })

    let root = "/out"
    var seen: Set<String> = []
    for claim in claimed {
      for suffix in ["grid.webp", "256x192.jpg"] {
        let output = "\(claim).\(suffix)"
        // As the strictest of disks sees it: neither case nor the spelling of é counts.
        #expect(seen.insert(output.lowercased().precomposedStringWithCanonicalMapping).inserted, "\(output)")
        #expect(URL(fileURLWithPath: "\(root)/\(output)").standardizedFileURL.path.hasPrefix(root + "/"))
        for component in output.split(separator: "/", omittingEmptySubsequences: false) {
          #expect(!component.isEmpty)
          #expect(component != ".")
          #expect(component != "..")
          #expect(component.utf8.count <= 255)
          #expect(component.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
        }
      }
    }
  }

  @Test func `Many files of one name do not take forever`() {
    var names = OutputNames()
    var last = ""
    for _ in 0..<20_000 { last = names.claim(file: Array("cover.jpg".utf8)) }
    #expect(last == "cover-20000")
  }
}
