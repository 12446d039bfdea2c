internal import Foundation

/// The rows of the speed table that concern scans into a library.
struct ScanRows {
  /// mediatool in release.
  var tool: String
  /// Where outputs go.
  var output: String
  /// 20,000 photos, videos and other files, as a phone has them; nil where what makes them is not there.
  var roll: InputSet?
  /// Small files by their number, in folders of 800.
  var trees: [Int: InputSet] = [:]
  /// The numbers of files of the growth table.
  var sizes: [Int]

  /// Numbers of files of the rescans, and what is allowed beside `find`. With few of them it is the start of the command.
  static let rescans: [(files: Int, requirement: Row.Requirement)] = [
    (few, .added(atMost: 15, files: 1)), (20_000, .time(atMost: 1.3)), (many, .time(atMost: 1)),
  ]
  static let few = 400
  static let many = 100_000

  /// - Parameter sizes: Numbers of files for the growth table; nil for 10,000 and 100,000. A million takes a while, and four gigabytes.
  init(tool: String, output: String, folder: String, sizes: [Int]?) {
    (self.tool, self.output) = (tool, output)
    self.sizes = sizes ?? [10_000, Self.many]
    roll = .roll(at: "\(folder)/scan-20000", files: 20_000, ["--max-bytes", "60000"], output: output)
    for size in Set(self.sizes + Self.rescans.map(\.files)) {
      trees[size] = InputSet(path: "\(folder)/scan-texts-\(size)") { try Self.makeTree($0, files: size) }
    }
  }

  /// Texts of a line, each another one: what a rescan costs does not depend on what is in the files.
  private static func makeTree(_ target: String, files: Int) throws {
    for number in 0..<files {
      let folder = "\(target)/\(number / 80_000)/\(number / 800)"
      if number % 800 == 0 {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      }
      let path = "\(folder)/IMG_\(20_000_000 + number)_picture.txt"
      guard FileManager.default.createFile(atPath: path, contents: Data("number \(number)\n".utf8)) else {
        throw BenchError(description: "cannot write \(path)")
      }
    }
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
            "\"$0\" scan --table \"$1\" --library \"$2\"", [roll.path, "\(output)/scan-first/library"],
            as: "scan-first"),
          peerName: "mediatool probe of the same files",
          peer: script("\"$0\" probe --json \"$1\"", [roll.path], as: "scan-probe", lines: 20_000),
          requirement: .speed(atLeast: 0.85), needs: [roll]))
    }
    for (files, requirement) in Self.rescans {
      guard let tree = trees[files] else { continue }
      rows.append(
        Row(
          work: "rescan of \(files.formatted(.number.locale(Locale(identifier: "en")))) files, nothing changed",
          ours: rescan(tree, files), peerName: "find -printf of the same files", peer: find(tree.path),
          requirement: requirement, needs: [tree]))
    }
    if let tree = trees[Self.many] {
      rows.append(
        Row(
          work: "rescan of 100,000 files with 100 new ones",
          ours: rescan(tree, Self.many, after: Self.hundredNew, as: "scan-new"),
          peerName: "find -printf, and probing the 100",
          peer: script(
            Self.hundredNew + "find \"$1\" -printf '%i %s %T@ %p\\n' && \"$0\" probe --json \"$1/new\"", [tree.path],
            as: "scan-new-find"),
          requirement: .time(atMost: 2), needs: [tree]))
    }
    return rows + failure + growth
  }

  /// Rescans of files of which one had failed: the decoders are those that it had failed with.
  private var failure: [Row] {
    guard let tree = trees[Self.few] else { return [] }
    let library = "\(output)/scan-kept-failure"
    let again = script(
      "\"$0\" scan --table \"$1\" \"$2\" --library \"$3\"", [tree.path, broken.path, library], as: "scan-failure")
    let found = Command(
      arguments: ["find", tree.path, broken.path, "-printf", "%i %s %T@ %p\\n"], folder: "\(output)/scan-failure-find")
    return [
      Row(
        work: "rescan of \(Self.few) files and one that had failed", ours: again,
        peerName: "find -printf of the same files", peer: found, requirement: .added(atMost: 15, files: 1),
        needs: [tree, broken]),
      Row(
        work: "workers of a rescan of \(Self.few) files and one that had failed", ours: again.watching(.largest),
        requirement: .workers(atMost: 0), needs: [tree, broken]),
    ]
  }

  /// A folder with the beginning of a JPEG.
  private var broken: InputSet {
    InputSet(path: "\(output)/scan-broken") { beside in
      try FileManager.default.createDirectory(atPath: beside, withIntermediateDirectories: true)
      let start: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 0, 16] + Array("JFIF".utf8) + [0, 1, 1, 0]
      guard FileManager.default.createFile(atPath: "\(beside)/broken.jpg", contents: Data(start)) else {
        throw BenchError(description: "cannot write \(beside)/broken.jpg")
      }
    }
  }

  /// The library is made once, by whichever run comes first; the warming round pays for it.
  private func rescan(
    _ tree: InputSet, _ files: Int, _ options: String = "", after change: String = "", as name: String = "scan-again"
  ) -> Command {
    script(
      change + "\"$0\" scan \(options) --table \"$1\" --library \"$2\"", [tree.path, "\(output)/scan-kept-\(files)"],
      as: name)
  }

  /// What each file costs, and the memory, by how many there are.
  private var growth: [Row] {
    sizes.flatMap { size -> [Row] in
      guard let tree = trees[size] else { return [] }
      let fresh = script(
        "\"$0\" scan --in-process --table \"$1\" --library \"$2\"", [tree.path, "\(output)/scan-growth/library"],
        as: "scan-growth")
      let again = rescan(tree, size, "--in-process", as: "scan-growth-again")
      return [
        Row(
          work: "growth: first scan, each of \(size) files", ours: fresh, requirement: .each(below: 0.001, of: size),
          needs: [tree]),
        Row(
          work: "growth: rescan, each of \(size) files", ours: again, requirement: .each(below: 0.000_02, of: size),
          needs: [tree]),
        Row(
          work: "peak memory, first scan of \(size) files", ours: fresh, requirement: .memory(below: 250),
          needs: [tree]),
        Row(
          work: "peak memory, rescan of \(size) files", ours: again, requirement: .memory(below: 250), needs: [tree]),
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
