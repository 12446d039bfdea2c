internal import FileSupport
internal import Foundation
internal import Testing

@testable internal import MediatoolCommand

@Suite("Help and version") struct HelpTests {
  /// The help texts as last reviewed. `MEDIATOOL_RECORD=1` records them again, but never in CI.
  private static let goldens = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
    "Golden")

  @Test(arguments: [
    [], ["probe"], ["thumbnail"], ["batch"], ["check"], ["tray"], ["compose"], ["modules"], ["mail"], ["messages"],
    ["scan"],
    ["find"],
    ["locations"], ["set"], ["moments"], ["trip"], ["moderate"],
    ["verify"], ["erase"], ["serve"], ["text"], ["doctor"],
  ])
  func `The help of every command equals its golden file`(verb: [String]) throws {
    let result = try Command.run(verb.map { PathBytes($0) } + ["--help"], environment: ["COLUMNS": "80"])
    #expect(result.status == 0)
    #expect(result.errors == "")
    let golden = Self.goldens.appendingPathComponent("help\(verb.map { "-" + $0 }.joined()).txt")
    let environment = ProcessInfo.processInfo.environment
    if environment["MEDIATOOL_RECORD"] == "1", environment["CI"] == nil {
      try result.output.write(to: golden, atomically: true, encoding: .utf8)
    }
    #expect(try result.output == String(contentsOf: golden, encoding: .utf8))
  }

  @Test(
    "--version is that of the program, before and after a command", arguments: [["--version"], ["probe", "--version"]])
  func version(arguments: [PathBytes]) throws {
    let result = try Command.run(arguments)
    #expect(result.status == 0)
    #expect(result.output == "mediatool 0.1.0\n")
    #expect(result.errors == "")
  }

  @Test(
    "Former names of commands still work, and neither help nor completion lists them",
    arguments: [("places", "locations"), ("forget", "erase")])
  func formerVerbs(former: PathBytes, present: PathBytes) throws {
    let help = try Command.run([present, "--help"])
    for arguments: [PathBytes] in [[former, "--help"], ["help", former]] {
      let result = try Command.run(arguments)
      #expect(result.status == 0)
      #expect(result.output == help.output)
    }
    #expect(try !Command.run(["--help"]).output.contains(former.text))
    #expect(try !Command.run(["--generate-completion-script", "bash"]).output.contains(former.text))
  }

  @Test func `The doctor's status follows from what it finds`() throws {
    let result = try Command.run(["doctor", "--json"])
    let report = try #require(try result.records.first)
    let written = try #require(report["written"] as? [[String: Any]])
    #expect(Set(written.compactMap { $0["name"] as? String }) == ["webp", "jpeg", "png", "avif"])
    #expect(result.status == (written.allSatisfy { $0["writes"] as? Bool == true } ? 0 : 1))
    let engines = try #require(report["engines"] as? [[String: String]])
    #expect(engines.allSatisfy { $0["version"]?.isEmpty == false })
    // Debian's libraries have all of these; the names would give nothing if they were not the libraries' own.
    for key in ["pictures", "containers"] {
      let formats = try #require(report[key] as? [[String: Any]])
      #expect(formats.count >= 10)
      #expect(formats.allSatisfy { $0["reads"] as? Bool == true })
    }
    #expect(try Command.run(["doctor"]).output.contains("libvips"))
  }

  @Test("The doctor lists and counts the libraries that workers skip; without workers, none")
  func skippedLibraries() throws {
    let report = try #require(try Command.run(["doctor", "--json"]).records.first)
    let libraries = try #require(report["skippedLibraries"] as? [[String: Any]])
    let byAllWorkers = Dictionary(
      uniqueKeysWithValues: libraries.compactMap { library in
        (library["name"] as? String).flatMap { name in (library["byAllWorkers"] as? Bool).map { (name, $0) } }
      })
    #expect(byAllWorkers.count == libraries.count)
    // Debian's: TLS of FFmpeg's network protocols, and what draws SVG and text.
    #expect(byAllWorkers["libgnutls.so.30"] == true)
    #expect(byAllWorkers["libcairo.so.2"] == false)
    let lines = try Command.run(["doctor"]).output.split(separator: "\n")
    let heading = try #require(lines.firstIndex { $0.hasPrefix("Libraries that workers skip: ") })
    #expect(lines[heading] == "Libraries that workers skip: \(libraries.count)")
    let rows = lines[(heading + 1)...].map { $0.split(separator: " ", maxSplits: 1).map(String.init) }
    let expected = byAllWorkers.sorted { $0.key < $1.key }.map { [$0.key, $0.value ? "all workers" : "some workers"] }
    #expect(rows.map { $0.map { $0.trimmingCharacters(in: .whitespaces) } } == expected)
  }
}
