internal import Foundation
internal import TestSupport
internal import Testing

@Suite("What packaging/ ships") struct PackagingTests {
  private static func text(_ name: String) throws -> String {
    try String(contentsOf: Corpus.packageRoot.appendingPathComponent("packaging/\(name)"), encoding: .utf8)
  }

  @Test("systemd finds no mistake in the unit, and calls its exposure at most medium")
  func unit() async throws {
    guard let analyze = try? Tool("systemd-analyze", package: "systemd") else {
      print("skipped: there is no systemd-analyze; install it with: apt-get install systemd")
      return
    }
    let folder = try TemporaryFolder()
    let unit = try Self.text("mediatool.service")
      .replacingOccurrences(of: "/usr/local/bin/mediatool", with: BuiltProduct.path("mediatool"))
    let file = try folder.write(Array(unit.utf8), to: "mediatool.service")
    let verified = try await onThread { try analyze.run(["verify", file], seconds: 3_600) }
    #expect(verified.status == 0, "\(verified.errors)")
    #expect(!verified.errors.contains("mediatool.service"), "\(verified.errors)")
    // Ends with another status above the threshold, which is ten times the number that it prints.
    let rated = try await onThread {
      try analyze.run(["security", "--offline=true", "--threshold=50", "--no-pager", file], seconds: 3_600)
    }
    #expect(rated.status == 0, "\(rated.text)")
  }

  @Test("systemd finds no mistake in the timer of the verification and its unit, whose options the command has")
  func verification() async throws {
    let unit = try Self.text("mediatool-verify.service")
    let help = String(
      decoding: try Tool(executable: URL(fileURLWithPath: BuiltProduct.path("mediatool"))).output(["verify", "--help"]),
      as: UTF8.self)
    let start = try #require(unit.split(separator: "\n").first { $0.hasPrefix("ExecStart=") })
    let options = start.split(separator: " ").filter { $0.hasPrefix("--") }
    #expect(options.count == 2)
    for option in options { #expect(help.contains("\(option) <"), "\(option)") }
    guard let analyze = try? Tool("systemd-analyze", package: "systemd") else {
      print("skipped: there is no systemd-analyze; install it with: apt-get install systemd")
      return
    }
    let folder = try TemporaryFolder()
    let service = try folder.write(
      Array(
        unit.replacingOccurrences(of: "/usr/local/bin/mediatool", with: BuiltProduct.path("mediatool")).utf8),
      to: "mediatool-verify.service")
    let timer = try folder.write(Array(try Self.text("mediatool-verify.timer").utf8), to: "mediatool-verify.timer")
    let verified = try await onThread { try analyze.run(["verify", service, timer], seconds: 3_600) }
    #expect(verified.status == 0, "\(verified.errors)")
    #expect(!verified.errors.contains("mediatool-verify"), "\(verified.errors)")
  }

  @Test("The image has what `make install` installs, and does not run as root") func image() throws {
    let lines = try Self.text("Dockerfile").split(separator: "\n").map(String.init)
    #expect(lines.filter { $0.hasPrefix("COPY ") } == ["COPY .build/image/ /usr/local/"])
    #expect(lines.contains { $0.hasPrefix("#") && $0.hasSuffix("make install PREFIX=$PWD/.build/image") })
    #expect(lines.contains { $0.hasPrefix("USER ") && !$0.contains("root") && $0 != "USER 0" })
    // It listens on every address of the container, so it needs keys.
    #expect(lines.contains { $0.hasPrefix("CMD ") && $0.contains("\"--keys\"") })
    #expect(lines.contains { $0.hasPrefix("ENTRYPOINT ") && $0.contains("\"/usr/local/bin/mediatool\"") })
  }
}
