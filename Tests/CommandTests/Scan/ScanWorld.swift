internal import FileSupport
internal import Foundation
internal import GRDB
internal import Glibc
internal import MediaLibrary
internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import MediatoolCommand

/// A tree of files and the library that is made of it.
final class ScanWorld: Sendable {
  let scratch: Scratch
  /// The folder that is scanned.
  var tree: PathBytes { scratch("tree") }
  /// Where the library lies.
  let library: PathBytes

  /// thumbnails of the fixtures, of which a few bytes more at the end make others.
  static let image: [UInt8] = {
    let file = Corpus.packageRoot.appendingPathComponent("testdata/color/grey.jpg")
    return (try? Data(contentsOf: file)).map(Array.init) ?? []
  }()

  /// - Parameter library: Another place for the library than beside the tree.
  init(library: PathBytes? = nil) throws {
    scratch = try Scratch()
    self.library = library ?? scratch("library")
    try scratch.folder("tree")
  }

  /// Writes a file of the tree: a text, or an image, that no other number gives.
  @discardableResult
  func write(_ name: String, _ number: Int, isImage: Bool = false) throws -> String {
    let path = "\(tree.text)/\(name)"
    let bytes = isImage ? Self.image + Array("\(number)".utf8) : Array("text number \(number)\n".utf8)
    try FileManager.default.createDirectory(
      atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return path
  }

  /// The arguments of a scan of the tree into the library.
  func arguments(_ options: [PathBytes] = []) -> [PathBytes] { ["scan", tree, "--library", library] + options }

  /// Scans the tree, with a line a file.
  @discardableResult
  func scan(_ options: [PathBytes] = []) throws -> Command.Output { try Command.run(arguments(["--json"] + options)) }

  /// What lines say became of the files, by their paths below the tree.
  func states(_ output: Command.Output) throws -> [String: String] {
    var states: [String: String] = [:]
    for record in try output.records {
      let path = try #require(record["path"] as? String)
      states[String(path.dropFirst(tree.text.count + 1))] = record["state"] as? String ?? "none"
    }
    return states
  }

  /// The library, for reading.
  func open() throws -> Library {
    try Library.open(at: LibraryLocation(folder: library), for: .reading)
  }

  /// All files of a state in the library, each with what a scan can see of it.
  func kept(_ states: [CatalogueFile.State] = [.done, .failed]) throws -> [String] {
    let catalogue = try open().catalogue
    var lines: [String] = []
    var after: CatalogueFile.Cursor?
    repeat {
      let page = try catalogue.files(under: tree, after: after, limit: 500)
      for file in page.files where states.contains(file.state) {
        lines.append("\(file.stamp.path) \(file.stamp.inode) \(file.stamp.size) \(file.stamp.modified)")
      }
      after = page.next
    } while after != nil
    return lines.sorted()
  }

  /// All files of the tree, in the same words.
  func present() -> [String] {
    var lines: [String] = []
    for case let file as String in FileManager.default.enumerator(atPath: tree.text)
      ?? FileManager.DirectoryEnumerator()
    {
      var status = stat()
      let path = "\(tree.text)/\(file)"
      guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
      let modified = status.st_mtim.tv_sec * 1_000_000_000 + status.st_mtim.tv_nsec
      lines.append("\(path) \(status.st_ino) \(status.st_size) \(modified)")
    }
    return lines.sorted()
  }

  /// What SQLite says of its own file: `ok`.
  func integrity() throws -> String {
    let path = "\(library.text)/catalogue.sqlite"
    guard FileManager.default.fileExists(atPath: path) else { return "ok" }
    return try DatabaseQueue(path: path).read { db in
      try String.fetchAll(db, sql: "PRAGMA integrity_check").joined(separator: "\n")
    }
  }

  /// The command where no worker can be started: whatever comes of it did not come from a decoder.
  func commandWithoutDecoders() throws -> Tool {
    let alone = scratch("alone")
    if access(alone.text, F_OK) != 0 {
      try FileManager.default.createDirectory(atPath: alone.text, withIntermediateDirectories: true)
      // Not written by this process: another test that starts a program just then would hand the open file on, and it could not be run.
      let copied = try Tool("cp", package: "coreutils").run([Command.executable, alone.text + "/mediatool"])
      #expect(copied.status == 0, "\(copied.errors)")
    }
    return Tool(executable: URL(fileURLWithPath: alone.text + "/mediatool"))
  }
}
