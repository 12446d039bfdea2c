internal import Foundation

/// The rows of the speed table that concern scans into a library.
struct ScanRows {
  /// mediatool in release.
  var tool: String
  /// Where outputs go.
  var output: String
  /// 20,000 photos, videos and other files, as a phone has them; nil where what makes them is not there.
  var roll: String?
  /// Small files by their number, in folders of 800.
  var trees: [Int: String] = [:]
  /// The numbers of files of the growth table.
  var sizes: [Int]

  /// Files of the rescan.
  static let many = 100_000

  /// Makes what is missing below `folder`.
  /// - Parameter sizes: Numbers of files for the growth table; nil for 10,000 and 100,000. A million takes a while, and four gigabytes.
  init(tool: String, output: String, folder: String, sizes: [Int]?) throws {
    (self.tool, self.output) = (tool, output)
    self.sizes = sizes ?? [10_000, Self.many]
    roll = try Self.makeRoll("\(folder)/scan-20000", output: output)
    for size in Set(self.sizes + [Self.many]) {
      trees[size] = try Self.makeTree("\(folder)/scan-texts-\(size)", files: size)
    }
  }

  private static func makeRoll(_ target: String, output: String) throws -> String? {
    let shared = "../shared"
    guard !FileManager.default.fileExists(atPath: target) else { return target }
    guard FileManager.default.fileExists(atPath: "\(shared)/tools/make-library.py") else {
      Bench.complain("the first scan of 20,000 files is not measured: there is no corpus beside this checkout")
      return nil
    }
    Bench.complain("making 20,000 files")
    let beside = "\(target).new"
    try? FileManager.default.removeItem(atPath: beside)
    let words = ["\(shared)/tools/make-library.py", "\(shared)/corpus", beside, "20000", "--max-bytes", "60000"]
    _ = try Command(arguments: ["python3"] + words, folder: "\(output)/scan-roll").run()
    try FileManager.default.moveItem(atPath: beside, toPath: target)
    return target
  }

  /// Texts of a line, each another one: what a rescan costs does not depend on what is in the files.
  private static func makeTree(_ target: String, files: Int) throws -> String {
    guard !FileManager.default.fileExists(atPath: target) else { return target }
    Bench.complain("making \(files) small files")
    let beside = "\(target).new"
    try? FileManager.default.removeItem(atPath: beside)
    for number in 0..<files {
      let folder = "\(beside)/\(number / 80_000)/\(number / 800)"
      if number % 800 == 0 {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      }
      let path = "\(folder)/IMG_\(20_000_000 + number)_picture.txt"
      guard FileManager.default.createFile(atPath: path, contents: Data("number \(number)\n".utf8)) else {
        throw BenchError(description: "cannot write \(path)")
      }
    }
    try FileManager.default.moveItem(atPath: beside, toPath: target)
    return target
  }

  /// A script that may end as a run over some broken files does.
  private func script(_ text: String, _ arguments: [String], as name: String, lines: Int? = nil) -> Command {
    Command(
      arguments: ["sh", "-c", "\(text) || test $? = 1", tool] + arguments, folder: "\(output)/\(name)", lines: lines)
  }

  var all: [Row] {
    var rows: [Row] = []
    if let roll {
      rows.append(
        Row(
          work: "first scan of 20,000 files, facts only",
          ours: script(
            "\"$0\" scan --table \"$1\" --library \"$2\"", [roll, "\(output)/scan-first/library"], as: "scan-first"),
          peerName: "mediatool probe of the same files",
          peer: script("\"$0\" probe --json \"$1\"", [roll], as: "scan-probe", lines: 20_000),
          requirement: .speed(atLeast: 0.85)))
    }
    if let tree = trees[Self.many] {
      // Made once, by whichever run comes first; the warming round pays for it.
      let library = "\(output)/scan-kept-\(Self.many)"
      rows += [
        Row(
          work: "rescan of 100,000 files, nothing changed",
          ours: script("\"$0\" scan --table \"$1\" --library \"$2\"", [tree, library], as: "scan-again"),
          peerName: "find -printf of the same files", peer: find(tree), requirement: .time(atMost: 2)),
        Row(
          work: "rescan of 100,000 files with 100 new ones",
          ours: script(
            Self.hundredNew + "\"$0\" scan --table \"$1\" --library \"$2\"", [tree, library], as: "scan-new"),
          peerName: "find -printf, and probing the 100",
          peer: script(
            Self.hundredNew + "find \"$1\" -printf '%i %s %T@ %p\\n' && \"$0\" probe --json \"$1/new\"", [tree],
            as: "scan-new-find"),
          requirement: .time(atMost: 2)),
      ]
    }
    return rows + growth
  }

  /// What each file costs, and the memory, by how many there are.
  private var growth: [Row] {
    sizes.flatMap { size -> [Row] in
      guard let tree = trees[size] else { return [] }
      let fresh = script(
        "\"$0\" scan --in-process --table \"$1\" --library \"$2\"", [tree, "\(output)/scan-growth/library"],
        as: "scan-growth")
      let again = script(
        "\"$0\" scan --in-process --table \"$1\" --library \"$2\"", [tree, "\(output)/scan-kept-\(size)"],
        as: "scan-growth-again")
      return [
        Row(work: "growth: first scan, each of \(size) files", ours: fresh, requirement: .each(below: 0.001, of: size)),
        Row(work: "growth: rescan, each of \(size) files", ours: again, requirement: .each(below: 0.000_02, of: size)),
        Row(work: "peak memory, first scan of \(size) files", ours: fresh, requirement: .memory(below: 250)),
        Row(work: "peak memory, rescan of \(size) files", ours: again, requirement: .memory(below: 250)),
      ]
    }
  }

  private func find(_ tree: String) -> Command {
    Command(arguments: ["find", tree, "-printf", "%i %s %T@ %p\\n"], folder: "\(output)/scan-find")
  }

  /// A folder of a hundred files in place of the hundred of the run before.
  private static let hundredNew = """
    rm -rf "$1/new" && mkdir "$1/new" && i=0 && while [ $i -lt 100 ]; do echo "$i $$" >"$1/new/$i.txt"; i=$((i + 1)); done && 
    """
}
