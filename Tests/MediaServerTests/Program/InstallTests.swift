internal import Foundation
internal import Glibc
internal import RawHTTP
internal import TestSupport
internal import Testing

@Suite("What `make install` installs, and how README starts it") struct InstallTests {
  @Test("Installed below any prefix, the programs have no symbols, decode and serve, with a manual page")
  func installed() async throws {
    let folder = try TemporaryFolder()
    let prefix = folder.path("a prefix")
    let built = URL(fileURLWithPath: BuiltProduct.path("mediatool")).deletingLastPathComponent().path
    let script = Corpus.packageRoot.appendingPathComponent("scripts/install")
    let output = try await onThread {
      try Tool(executable: script).run([prefix, built], seconds: 3_600)
    }
    #expect(output.status == 0, "\(output.errors)")
    let mediatool = Tool(executable: URL(fileURLWithPath: "\(prefix)/bin/mediatool"))
    let photo = Fixture.path("camera-roll/IMG_0001.jpg")
    let facts = try await onThread { try mediatool.run(["probe", "--json", photo], seconds: 3_600) }
    #expect(facts.status == 0, "\(facts.errors)")
    #expect(facts.text.contains("\"image/jpeg\""))
    let readelf = try Tool("readelf", package: "binutils")
    let libexec = ["mediatool-worker", "mediatool-server", "mediatool-remote"].map {
      "\(prefix)/libexec/mediatool/\($0)"
    }
    for program in ["\(prefix)/bin/mediatool"] + libexec {
      let sections = try await onThread { try readelf.run(["--sections", "--wide", program], seconds: 3_600) }
      #expect(sections.text.contains(".text"), "\(program)")
      #expect(!sections.text.contains(".symtab"), "\(program)")
      #expect(!sections.text.contains(".debug_info"), "\(program)")
    }
    let page = try String(contentsOfFile: "\(prefix)/share/man/man1/mediatool.1", encoding: .utf8)
    #expect(page.contains(".TH"))
    for file in ["bash-completion/completions/mediatool", "zsh/site-functions/_mediatool"] {
      #expect(FileManager.default.fileExists(atPath: "\(prefix)/share/\(file)"), "\(file)")
    }
    let arguments = ["--listen", "0", "--library", folder.path("library"), "--free-bytes", "0", "--workers", "1"]
    let server = ServerProgram(live: try LiveProgram(["\(prefix)/bin/mediatool", "serve"] + arguments))
    let connection = try await RawConnection(port: try await server.port())
    let upload = try await connection.request(
      "POST", "/v1/attachments", ["Content-Type": "image/jpeg"], body: try Fixture.bytes("camera-roll/IMG_0001.jpg"))
    #expect(upload.status == 201, "\(upload.text)")
    connection.close()
    #expect(await server.stop().status == 0)
  }

  @Test("Each `mediatool serve` of README has settings that exist") func examples() async throws {
    let folder = try TemporaryFolder()
    let keys = try folder.write(Array(StartTests.keys.utf8), to: "keys.json")
    let readme = try String(contentsOf: Corpus.packageRoot.appendingPathComponent("README.md"), encoding: .utf8)
    let lines = readme.split(separator: "\n").filter { $0.hasPrefix("mediatool serve ") }
    #expect(lines.count >= 2)
    for line in lines {
      let words = line.split(separator: " ").dropFirst(2).map { word -> String in
        switch word {
        case "~/media", "/srv/media": folder.path("library")
        case "/etc/mediatool/keys.json": keys
        default: String(word)
        }
      }
      let ending = try await ServerProgram.run(words + ["--print-config"])
      #expect(ending.status == 0, "\(line): \(ending.errors)")
      #expect(ending.output.contains(folder.path("library")), "\(line)")
    }
  }

  @Test("`make serve` builds the programs, and starts the one that was built") func makeServe() async throws {
    let make = try Tool("make", package: "make")
    let root = Corpus.packageRoot.path
    let plan = try await onThread { try make.run(["-n", "-C", root, "serve"], seconds: 3_600) }
    #expect(plan.status == 0, "\(plan.errors)")
    let lines = plan.text.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("make") }
    #expect(lines == ["scripts/setup", "scripts/build", ".build/release/mediatool serve"])
    // The end of `make run` names it.
    let run = try String(contentsOf: Corpus.packageRoot.appendingPathComponent("scripts/run"), encoding: .utf8)
    #expect(run.split(separator: "\n").suffix(10).contains { $0.hasPrefix("  make serve ") })
  }
}
