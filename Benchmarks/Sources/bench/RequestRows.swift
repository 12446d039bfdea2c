internal import Foundation

/// The rows of the speed table that concern requests of engines: one JSON object a line.
struct RequestRows {
  /// mediatool in release.
  var tool: String
  /// Where outputs go.
  var output: String
  /// Where the requests lie.
  var folder: String
  var photos: PhotoSets
  /// 100,000 small texts.
  var texts: InputSet
  var cores: Int

  static let texts = 100_000
  /// How often the texts are asked for, for memory.
  static let rounds = 10

  private var photoRequests: InputSet {
    InputSet(path: "\(folder)/photo-requests.ndjson", needs: [photos.manySet]) {
      try Self.write(photos.many.enumerated().map { Self.request($0, $1) }, to: $0)
    }
  }

  private var textPaths: InputSet {
    InputSet(path: "\(folder)/text-paths.txt", needs: [texts]) { beside in
      let files = FileManager.default.enumerator(atPath: texts.path)?.compactMap { $0 as? String } ?? []
      try Self.write(files.filter { $0.hasSuffix(".txt") }.sorted().map { "\(texts.path)/\($0)" }, to: beside)
    }
  }

  private var textRequests: InputSet {
    InputSet(path: "\(folder)/text-requests.ndjson", needs: [textPaths]) { beside in
      let paths = try String(contentsOfFile: textPaths.path, encoding: .utf8).split(separator: "\n")
      try Self.write(paths.enumerated().map { Self.request($0, String($1)) }, to: beside)
    }
  }

  private static func request(_ id: Int, _ path: String) -> String { "{\"id\":\(id),\"source\":\"\(path)\"}" }

  private static func write(_ lines: [String], to path: String) throws {
    try (lines.joined(separator: "\n") + "\n").write(toFile: path, atomically: true, encoding: .utf8)
  }

  private func thumbnails(_ arguments: [String], as name: String) -> Command {
    let target = "\(output)/\(name)"
    return Command(
      arguments: [tool, "thumbnail", "--size", "256", "-o", target, "--jobs", String(cores), "--json"] + arguments,
      folder: target, files: photos.many.count, lines: photos.many.count)
  }

  private func probe(_ arguments: [String], as name: String) -> Command {
    Command(
      arguments: [tool, "probe", "--json", "--jobs", String(cores)] + arguments, folder: "\(output)/\(name)",
      lines: Self.texts)
  }

  var all: [Row] {
    let again = Command(
      arguments: [
        "sh", "-c", "for round in $(seq \(Self.rounds)); do cat \"$1\"; done | \"$0\" probe --json --requests -", tool,
        textRequests.path,
      ], folder: "\(output)/requests-again", lines: Self.rounds * Self.texts)
    return [
      Row(
        work: "1,000 photos of 1 MP to 256 px, --requests",
        ours: thumbnails(["--requests", photoRequests.path], as: "requests"), peerName: "the same files as arguments",
        peer: thumbnails(photos.many, as: "requests-plain"), requirement: .speed(atLeast: 0.97), needs: [photoRequests]),
      Row(
        work: "probing 100,000 small texts, --requests",
        ours: probe(["--requests", textRequests.path], as: "requests-texts"), peerName: "--files-from",
        peer: probe(["--files-from", textPaths.path], as: "requests-paths"), requirement: .speed(atLeast: 0.9),
        needs: [textRequests]),
      Row(
        work: "peak memory of the command, 1,000,000 requests", ours: again, requirement: .memory(below: 300),
        needs: [textRequests]),
    ]
  }
}
