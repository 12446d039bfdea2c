internal import Foundation
internal import TestSupport
internal import Testing

/// The section of README.md on embedding, taken as a reader would: its manifest and its examples are a package of their own.
///
/// By default the manifest is loaded, and the sources are type-checked against the modules that were built with these tests.
/// `MEDIATOOL_FULL=1` builds the package, which takes minutes.
@Suite("README's embedding section is a package that builds") struct EmbeddingTests {
  private static let isFull = ProcessInfo.processInfo.environment["MEDIATOOL_FULL"] == "1"
  private static let root = Corpus.packageRoot.path

  /// What surrounds each example: the values that the text of the section introduces.
  private static let surroundings: [(name: String, marker: String, head: String)] = [
    ("Probing", "MediaProber()", "func probe(path: String, folder: URL) throws"),
    (
      "Serving", "MediaEngine.start",
      "func serve(path: String, folder: URL, configuration: MediaEngine.Configuration) async throws"
    ),
    (
      "Fitting", "MessageFitter(",
      """
      func fit(
        _ composition: MessageComposition, files: [MediaAttachment.ID: MediaSource], engine: MediaEngine, folder: URL
      ) async throws
      """
    ),
  ]

  private func examples() throws -> [[String]] {
    let text = try String(contentsOfFile: "\(Self.root)/README.md", encoding: .utf8)
    return PagesTests.Page(name: "README.md", text: text).examples
  }

  /// Writes the package: the manifest with this checkout in place of the address, and a file for each example.
  private func write(to folder: TemporaryFolder) throws {
    let examples = try examples()
    let manifest = try #require(examples.first { $0.first?.hasPrefix("// swift-tools-version") == true })
    let address = #".package(url: "https://example.org/mediatool.git", branch: "main")"#
    #expect(manifest.filter { $0.contains(address) }.count == 1)
    let local = manifest.joined(separator: "\n")
      .replacing(address, with: ".package(name: \"mediatool\", path: \"\(Self.root)\")")
    try folder.write(Array(local.utf8), to: "Package.swift")
    for (name, marker, head) in Self.surroundings {
      let example = try #require(examples.first { $0.contains { $0.contains(marker) } }, "\(name)")
      let imports = Array(example.prefix { $0.hasPrefix("import ") || $0.isEmpty })
      let body: [String] = example.dropFirst(imports.count).map { $0.isEmpty ? "" : "  \($0)" }
      let lines: [String] = imports + ["\(head) {"] + body + ["}", ""]
      try folder.write(Array(lines.joined(separator: "\n").utf8), to: "Sources/attachments/\(name).swift")
    }
    try folder.write(Array("print(\"ready\")\n".utf8), to: "Sources/attachments/main.swift")
    #expect(examples.count == Self.surroundings.count + 1, "an example is not built")
  }

  @Test("The manifest names this package and its products") func manifest() throws {
    let folder = try TemporaryFolder()
    try write(to: folder)
    let output = try Tool("swift", package: "swift").output(
      ["package", "--package-path", folder.url.path, "dump-package"], seconds: 3_600)
    let dump = try #require(try JSONSerialization.jsonObject(with: Data(output)) as? [String: Any])
    let targets = try #require(dump["targets"] as? [[String: Any]])
    #expect(targets.map { $0["name"] as? String } == ["attachments"])
    #expect((targets.first?["dependencies"] as? [Any])?.count == 8)
  }

  @Test("Every example compiles with the imports that it shows, and with the products of the manifest")
  func sources() throws {
    let folder = try TemporaryFolder()
    try write(to: folder)
    let sources = Self.surroundings.map { folder.path("Sources/attachments/\($0.name).swift") }
    let manifest = try String(contentsOfFile: folder.path("Package.swift"), encoding: .utf8)
    for source in sources {
      let text = try String(contentsOfFile: source, encoding: .utf8)
      for line in text.split(separator: "\n") where line.hasPrefix("import ") && line != "import Foundation" {
        let module = line.dropFirst("import ".count)
        #expect(manifest.contains("name: \"\(module)\""), "\(module) is not a product of the manifest")
      }
    }
    let arguments = ["-typecheck", "-swift-version", "6", "-warnings-as-errors"]
    // The strictest reader: a member needs the import of its module.
    let strict = ["-enable-upcoming-feature", "MemberImportVisibility"]
    _ = try Tool("swiftc", package: "swift").output(arguments + strict + modules() + sources, seconds: 3_600)
  }

  /// The flags by which a compiler finds the modules of this build, and the C modules that these use.
  private func modules() throws -> [String] {
    let build = URL(fileURLWithPath: BuiltProduct.path("mediatool-worker")).deletingLastPathComponent().path
    var flags = ["-I", "\(build)/Modules"]
    for name in try FileManager.default.contentsOfDirectory(atPath: build).sorted() where name.hasSuffix(".build") {
      let map = "\(build)/\(name)/module.modulemap"
      if FileManager.default.fileExists(atPath: map) { flags += ["-Xcc", "-fmodule-map-file=\(map)"] }
    }
    for name in try FileManager.default.contentsOfDirectory(atPath: "\(Self.root)/Sources").sorted() {
      let folder = "\(Self.root)/Sources/\(name)"
      if FileManager.default.fileExists(atPath: "\(folder)/module.modulemap") { flags += ["-I", folder] }
    }
    let packages = ["vips", "libavformat", "libavcodec", "libswscale", "libswresample", "libavutil"]
    let headers = try Tool("pkg-config", package: "pkg-config").run(["--cflags"] + packages).text
    return flags + headers.split(whereSeparator: \.isWhitespace).flatMap { ["-Xcc", String($0)] }
  }

  @Test("The package builds, links and runs", .enabled(if: isFull, "takes minutes; MEDIATOOL_FULL=1 runs it"))
  func build() throws {
    let folder = try TemporaryFolder()
    try write(to: folder)
    let swift = try Tool("swift", package: "swift")
    let output = try swift.run(["run", "--package-path", folder.url.path, "attachments"], seconds: 3_600)
    #expect(output.status == 0, "\(output.errors.suffix(4_000))")
    #expect(output.text.hasSuffix("ready\n"))
  }
}
