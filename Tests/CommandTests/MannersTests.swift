internal import FileSupport
internal import Foundation
internal import Glibc
internal import TestSupport
internal import Testing

@testable internal import MediatoolCommand

@Suite("What is typed, and what is answered") struct MannersTests {
  let scratch: Scratch
  init() throws { scratch = try Scratch() }

  private func photo(_ name: String) throws {
    try scratch.file(name, "")
    _ = unlink(scratch(name).text)
    try FileManager.default.copyItem(atPath: Fixture.path("color/grey.jpg"), toPath: scratch(name).text)
  }

  // MARK: Names that begin with a dash

  @Test(
    "A file name that is an option is a usage error that says how to write it",
    arguments: [
      (["probe", "-h", "a"], ["-h"]), (["probe", "--help"], ["--help"]), (["probe", "--json", "a"], ["--json"]),
      (["probe", "-x.jpg"], ["-x.jpg"]), (["probe", "--in-process", "--table"], ["--in-process", "--table"]),
      (["thumbnail", "a", "--version"], ["--version"]), (["probe", "-nowhere", "a"], []),
    ] as [([String], [String])])
  func dashes(arguments: [String], files: [String]) throws {
    for name in files + ["a"] { try scratch.file(name) }
    let result = try Command.run(arguments.map { PathBytes($0) }, folder: scratch.path)
    #expect(result.status == 64)
    #expect(result.output == "")
    #expect(result.errors.contains("as ./"), "\(result.errors)")
    #expect(result.errors.contains("-- before"), "\(result.errors)")
  }

  @Test("Behind -- and with ./ such a name is a file, and an option beside such a file is an option")
  func dashesAsMeant() throws {
    for name in ["-h", "--json", "a"] { try scratch.file(name) }
    let result = try Command.run(["probe", "./-h", "--", "-h", "--json"], folder: scratch.path)
    #expect(result.status == 0)
    #expect(try result.records.map { $0["path"] as? String } == ["./-h", "-h", "--json"])
    // Nobody can stop a scan of a folder by putting a file with an option's name where it is started.
    let scan = try Command.run(["scan", ".", "--json", "--no-library"], folder: scratch.path)
    #expect(scan.status == 0)
    #expect(try scan.records.count == 3)
  }

  // MARK: Suggestions

  @Test(
    "A name that does not exist is a usage error with the closest one",
    arguments: [
      (["prob", "a"], "Did you mean 'probe'"), (["thumb", "a"], "Did you mean 'thumbnail'"),
      (["tumbnail", "a"], "Did you mean 'thumbnail'"), (["help", "sacn"], "Did you mean 'scan'"),
      (["help", "nonsense"], "not a command"), (["nonsense"], "not a command"), (["a"], "mediatool probe a"),
      (["thumbnail", "-s", "gird", "a"], "Did you mean 'grid'"),
      (["thumbnail", "--fit", "covr", "a"], "Did you mean 'cover'"),
      (["thumbnail", "--format", "jpg", "a"], "Did you mean 'jpeg'"),
      (["find", "--kind", "vido"], "Did you mean 'video'"),
      (["check", "--policy", "matermost", "a"], "Did you mean 'mattermost'"),
      (["compose", "--profile", "mms-300", "--dry-run", "a"], "Did you mean 'mms-300k'"),
      (["text", "--national", "turkisch"], "Did you mean 'turkish'"),
    ] as [([String], String)])
  func suggestions(arguments: [String], hint: String) throws {
    try scratch.file("a")
    let result = try Command.run(arguments.map { PathBytes($0) }, folder: scratch.path)
    #expect(result.status == 64)
    #expect(result.output == "")
    #expect(result.errors.contains(hint), "\(result.errors)")
  }

  @Test(
    "An unknown option is named even if a file is missing too",
    arguments: ["probe", "thumbnail", "check", "tray", "modules", "mail", "scan", "compose"])
  func unknownOption(verb: String) throws {
    try scratch.file("--foo.jpg")
    for option in ["-x", "--bar", "--foo.jpg", "-photo"] {
      let result = try Command.run([PathBytes(verb), PathBytes(option)], folder: scratch.path)
      #expect(result.status == 64)
      #expect(result.errors.contains("Unknown option '\(option.prefix(2))"), "\(result.errors)")
      let hint = "Write a file name that begins with a dash"
      #expect(result.errors.split(separator: hint).count == 2, "\(result.errors)")
      #expect(!result.errors.contains("Missing input"), "\(result.errors)")
      #expect(!result.errors.contains("Missing output"), "\(result.errors)")
    }
    let none = try Command.run([PathBytes(verb)], folder: scratch.path)
    #expect(none.errors.contains("Missing"))
  }

  @Test func `A suggestion is the closest name, and never a distant one`() {
    let names = ["probe", "thumbnail", "scan", "compose"]
    for (typed, meant) in [
      ("prbe", "probe"), ("Probe", "probe"), ("rpobe", "probe"), ("com", "compose"), ("xyz", nil), ("", nil),
      (String(repeating: "a", count: 100_000), nil), ("scna", "scan"), ("s", nil),
    ] { #expect(Suggestion.closest(to: typed, among: names) == meant, "\(typed.prefix(20))") }
  }

  // MARK: Standard error

  @Test("Failures are on standard error too when the results are not on the terminal; -q mutes, -v explains")
  func failures() throws {
    try photo("a.jpg")
    try scratch.file("broken.jpg", "\u{FF}\u{D8}")
    let arguments: [PathBytes] = ["probe", "a.jpg", "none"]
    let usual = try Command.run(arguments, folder: scratch.path)
    #expect(usual.status == 1)
    #expect(usual.errors == "mediatool: none: notFound: The file does not exist.\n")
    for flag in ["-q", "--quiet"] as [PathBytes] {
      let quiet = try Command.run(arguments + [flag], folder: scratch.path)
      #expect(quiet.status == 1)
      #expect(quiet.errors == "")
      #expect(quiet.output == usual.output)
    }
    let verbose = try Command.run(arguments + ["-v"], folder: scratch.path)
    #expect(verbose.errors.contains("mediatool: none: notFound"))
    #expect(verbose.errors.contains("2 files, 1 failed"))
    #expect(verbose.errors.contains("worker"))
    #expect(try Command.run(arguments + ["-q", "-v"], folder: scratch.path).status == 64)
    // What ends the run is printed all the same.
    #expect(try Command.run(["probe", "-q", "--files-from", "none"], folder: scratch.path).errors.contains("none"))
  }

  @Test(
    "Every command with results names its failures", arguments: ["thumbnail", "check", "modules", "compose", "scan"])
  func failuresOfVerbs(verb: String) throws {
    try scratch.file("IN/broken.jpg", "")
    var arguments: [PathBytes] = [PathBytes(verb), "IN"]
    if verb == "compose" { arguments += ["--dry-run", "--to", "+15551234567"] }
    if verb == "scan" { arguments.append("--no-library") }
    let result = try Command.run(arguments, folder: scratch.path)
    #expect(result.status != 0)
    #expect(result.errors.contains("broken.jpg"), "\(result.errors)")
    #expect(try Command.run(arguments + ["-q"], folder: scratch.path).errors == "")
  }

  @Test("A tray names the photos that cannot be decoded, unless --quiet is given") func failuresOfTray() throws {
    try FileManager.default.copyItem(
      atPath: Fixture.path("camera-roll/IMG_0010.jpg"), toPath: scratch("damaged.jpg").text)
    let result = try Command.run(["tray", "damaged.jpg"], folder: scratch.path)
    #expect(result.status == 0)
    #expect(result.errors.contains("damaged.jpg: "), "\(result.errors)")
    #expect(try Command.run(["tray", "damaged.jpg", "-q"], folder: scratch.path).errors == "")
  }

  @Test("Lines of `text` that are refused are named by their numbers, unless --quiet is given")
  func failuresOfText() throws {
    let input = Array("\"a\"\nnull\n".utf8)
    let result = try Command.run(["text"], input: input)
    #expect(result.status == 1)
    #expect(result.errors == "mediatool: line 2: corrupt: The line is not a JSON string.\n")
    let quiet = try Command.run(["text", "-q"], input: input)
    #expect(quiet.status == 1)
    #expect(quiet.errors == "")
  }

  @Test("--quiet mutes what was skipped in a library") func quietLibrary() throws {
    try photo("IN/a.jpg")
    #expect(try Command.run(["scan", "IN", "--library", "LIB", "-q"], folder: scratch.path).status == 0)
    for verb in [["set", "--caption", "c", "none.jpg"], ["erase", "--file", "none.jpg"]] as [[PathBytes]] {
      let arguments = verb + ["--library", "LIB"]
      #expect(try Command.run(arguments, folder: scratch.path).errors.contains("none.jpg is not in the library"))
      #expect(try Command.run(arguments + ["-q"], folder: scratch.path).errors == "", "\(verb)")
    }
  }

  @Test("Short flags: -j, -s, -o, -0") func shortFlags() throws {
    try photo("a.jpg")
    let result = try Command.run(
      ["thumbnail", "-j", "1", "-s", "16", "-s", "grid", "-o", "OUT", "-0", "--files-from", "-"],
      input: Array("a.jpg\0".utf8), folder: scratch.path)
    #expect(result.status == 0)
    #expect(scratch.files(below: "OUT") == ["a.16.webp", "a.grid.webp"])
  }

  // MARK: Where images go

  @Test("-o - is standard output for one file and one size") func standardOutput() throws {
    try photo("a.jpg")
    let result = try Command.run(
      ["thumbnail", "a.jpg", "-s", "16", "-o", "-"], output: .file(scratch.file("image", "").text),
      folder: scratch.path)
    #expect(result.status == 0)
    #expect(result.errors == "")
    #expect(FileManager.default.contents(atPath: scratch("image").text)?.prefix(4) == Data("RIFF".utf8))
    #expect(scratch.files() == ["a.jpg", "image"])
    let none = try Command.run(["thumbnail", "image.txt", "-o", "-"], folder: scratch.path)
    #expect(none.status == 1)
    #expect(none.errors.contains("image.txt: notFound"))
    #expect(none.output == "")
  }

  @Test(
    arguments: [
      (["a.jpg", "b.jpg", "-o", "-"], "one file"), (["a.jpg", "-o", "-", "-s", "16", "-s", "32"], "one --size"),
      ([".", "-o", "-"], "one file"), (["--files-from", "-", "-o", "-"], "one file"),
      (["a.jpg", "-o", "-", "--storyboard", "2"], "--storyboard"), (["a.jpg", "-o", "-", "--json"], "--json"),
      (["a.jpg", "-o", "%s%s.webp"], "one %s"), (["a.jpg", "-o", "x_%s.gif"], "avif"),
      (["a.jpg", "-o", "x_%s.png", "--format", "webp"], "--format"),
      (["a.jpg", "-o", "x_%s.jpg", "--animated"], "--animated"),
    ] as [([String], String)])
  func `Combinations of outputs that make no sense are refused`(arguments: [String], hint: String) throws {
    try photo("a.jpg")
    let result = try Command.run(["thumbnail"] + arguments.map { PathBytes($0) }, folder: scratch.path)
    #expect(result.status == 64)
    #expect(result.errors.contains(hint), "\(result.errors)")
    #expect(scratch.files() == ["a.jpg"])
  }

  @Test("A template names the images, and its extension is their format") func template() throws {
    try photo("IN/2018/a.jpg")
    try photo("IN/a.jpg")
    var result = try Command.run(["thumbnail", "IN", "-o", "OUT/tn_%s.png"], folder: scratch.path)
    #expect(result.status == 0, "\(result.errors)")
    #expect(scratch.files(below: "OUT") == ["2018/tn_a.png", "tn_a.png"])
    #expect(
      FileManager.default.contents(atPath: scratch("OUT/tn_a.png").text)?.dropFirst().prefix(3) == Data("PNG".utf8))
    result = try Command.run(["thumbnail", "IN/a.jpg", "-o", "%s-x", "-s", "16", "-s", "grid"], folder: scratch.path)
    #expect(result.status == 0)
    #expect(scratch.files().filter { $0.contains("-x") } == ["a-x.16.webp", "a-x.grid.webp"])
  }

  @Test("A template never puts an image in the place of its file") func templateOverItself() throws {
    try photo("a.jpg")
    let before = FileManager.default.contents(atPath: scratch("a.jpg").text)
    let result = try Command.run(["thumbnail", "a.jpg", "-o", "%s.jpg"], folder: scratch.path)
    #expect(result.status == 1)
    #expect(result.errors.contains("replace its source file"))
    #expect(FileManager.default.contents(atPath: scratch("a.jpg").text) == before)
  }

  @Test("No output folder is made that was not asked for and gets no image") func noFolder() throws {
    try scratch.file("a.txt")
    #expect(try Command.run(["thumbnail", "a.txt"], folder: scratch.path).status == 0)
    #expect(try Command.run(["thumbnail", "none"], folder: scratch.path).status == 1)
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path.text) == ["a.txt"])
    #expect(try Command.run(["tray", ".", "-o", "-"], folder: scratch.path).status == 64)
  }

  // MARK: Pages

  @Test("A page that is asked for alone is all the answer", arguments: ["tray", "modules"]) func page(verb: String)
    throws
  {
    try photo("a.jpg")
    let arguments: [PathBytes] = [PathBytes(verb), "a.jpg", "--html", "page.html"]
    let alone = try Command.run(arguments, folder: scratch.path)
    #expect(alone.status == 0)
    #expect(alone.output == "")
    #expect(scratch.files() == ["a.jpg", "page.html"])
    #expect(try Command.run(arguments + ["--json"], folder: scratch.path).records.count == 1)
  }

  // MARK: Lists

  @Test("A list is a regular file, a pipe or standard input, and a line of it has an end") func lists() throws {
    try scratch.link("zero", to: "/dev/zero")
    for name in ["/dev/null", "/dev/zero", "zero"] as [PathBytes] {
      let result = try Command.run(["probe", "--files-from", name], folder: scratch.path)
      #expect(result.status == 64)
      #expect(result.errors.contains("device"))
    }
    let endless = try Command(["probe", "--files-from", "-"], input: .file("/dev/zero")).finish()
    #expect(endless.status == 64)
    #expect(endless.errors.contains("--null"))
    let empty = try Command.run(["probe", "--files-from", "/dev/stdin"], input: [])
    #expect(empty.status == 0)
  }
}
