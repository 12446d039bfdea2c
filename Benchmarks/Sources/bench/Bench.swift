internal import Foundation

/// bench --tool mediatool --sets FOLDER --output FOLDER [--runs 5] [--only TEXT] [--sets-only] [--growth 10000,100000]
@main
struct Bench {
  static func main() {
    do { try run() } catch {
      complain("\(error)")
      exit(1)
    }
  }

  static func run() throws {
    var options = ["--runs": "5", "--only": ""]
    var flags: Set<String> = []
    var arguments = CommandLine.arguments.dropFirst()
    while let name = arguments.popFirst() {
      if name == "--sets-only" {
        flags.insert(name)
      } else if ["--tool", "--sets", "--output", "--runs", "--only", "--growth"].contains(name),
        let value = arguments.popFirst()
      {
        options[name] = value
      } else {
        throw BenchError(description: "there is no option \(name), or it lacks its value")
      }
    }
    // vipsthumbnail takes a relative output for one beside its input, so everything is absolute.
    guard let tool = options["--tool"].map(absolute), let folder = options["--sets"].map(absolute),
      let output = options["--output"].map(absolute),
      let runs = options["--runs"].flatMap(Int.init), runs >= 1, let only = options["--only"]
    else {
      throw BenchError(description: "needed: --tool mediatool --sets FOLDER --output FOLDER, and --runs 1 or more")
    }

    // The other programs lie beside this one.
    let programs = (try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") as NSString)
      .deletingLastPathComponent
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try FileManager.default.createDirectory(atPath: output, withIntermediateDirectories: true)
    let sizes = options["--growth"].map { $0.split(separator: ",").compactMap { Int($0) } }
    let rows = try all(tool: tool, programs: programs, folder: folder, output: output, growth: sizes)
      .filter { only.isEmpty || "\($0.work) \($0.peerName)".contains(only) }
    if flags.contains("--sets-only") {
      for set in rows.flatMap(\.needs) { try set.prepare() }
      return
    }

    var results: [RowResult] = []
    var failures = 0
    for row in rows {
      // A row that cannot be measured does not take the others with it, but the run has failed.
      do {
        for set in row.needs { try set.prepare() }
        results.append(try RowResult.measure(row, runs: runs, progress: complain))
      } catch {
        complain("\(row.work), \(row.peerName): \(error)")
        failures += 1
      }
    }
    print(Report(results: results, machine: machine(runs: runs)).text)
    if failures > 0 { throw BenchError(description: "\(failures) rows could not be measured") }
  }

  /// Every row. Making the list makes no file but lists of names: a row's sets are made when it is asked for.
  static func all(tool: String, programs: String, folder: String, output: String, growth: [Int]?) throws -> [Row] {
    let photos = PhotoSets(folder: folder, photoMaker: "\(programs)/photo-maker")
    let videos = VideoSets(folder: folder, output: output)
    let list = "\(output)/large.txt"
    try photos.large.joined(separator: "\n").write(toFile: list, atomically: true, encoding: .utf8)
    let cores = ProcessInfo.processInfo.activeProcessorCount

    let photoRows = Rows(
      tool: tool, plainLoop: "\(programs)/plain-vips-loop", domainLoop: "\(programs)/domain-loop", output: output,
      largeList: list, sets: photos, cores: cores)
    let startRows = StartRows(tool: tool, output: output, photos: photos, videos: videos)
    let videoRows = VideoRows(tool: tool, output: output, sets: videos, cores: cores)
    let audioRows = AudioRows(tool: tool, output: output, folder: folder)
    let trayRows = TrayRows(tool: tool, rulesLoop: "\(programs)/rules-loop", output: output, folder: folder)
    let scanRows = ScanRows(tool: tool, output: output, folder: folder, sizes: growth)
    let textRows = TextRows(tool: tool, loop: "\(programs)/text-loop", output: output, folder: folder)
    let mailRows = try MailRows(
      tool: tool, loop: "\(programs)/mail-loop", gmime: absolute(".build-bench/gmime-list"),
      maker: absolute("Benchmarks/Peers/make-mails.py"), output: output, folder: folder)
    let messageRows = MessageRows(
      loop: "\(programs)/pdu-loop", venv: absolute(".build-bench/venv"), peers: absolute("Benchmarks/Peers"),
      output: output, folder: folder)
    let libraryRows = LibraryRows(loop: "\(programs)/library-loop", output: output, folder: folder)
    let storeRows = MessageStoreRows(loop: "\(programs)/message-loop", output: output, folder: folder)

    let requestRows = scanRows.trees[RequestRows.texts].map {
      RequestRows(tool: tool, output: output, folder: folder, photos: photos, texts: $0, cores: cores)
    }

    let decoded = photoRows.all + startRows.all + (try videoRows.all()) + audioRows.all + trayRows.all
    return decoded + scanRows.all + textRows.all + mailRows.all + messageRows.all + libraryRows.all + storeRows.all
      + (requestRows?.all ?? [])
  }

  static func absolute(_ path: String) -> String {
    path.hasPrefix("/") ? path : "\(FileManager.default.currentDirectoryPath)/\(path)"
  }

  static func complain(_ text: String) { FileHandle.standardError.write(Data("\(text)\n".utf8)) }

  static func machine(runs: Int) -> String {
    let information = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
    let model =
      information.split(separator: "\n").first { $0.hasPrefix("model name") }?.split(separator: ":").last ?? "unknown"
    let cores = ProcessInfo.processInfo.activeProcessorCount
    return "Medians of \(runs) runs a side, by turns, on \(cores) cores of\(model); the files were in the page cache."
  }
}
