internal import FileSupport
internal import Foundation
internal import Glibc
internal import LibraryScanner
internal import MediaEngine
internal import MediaLibrary
internal import MediaModel
internal import TestSupport

/// A folder of files, the library into which it is scanned, and the events of the last scan.
struct ScannedTree {
  let folder: TemporaryFolder
  let library: Library
  let executor: ContentExecutor
  let engine: MediaEngine
  var options = MediaScanner.Options()
  /// The events of the last scan that are about a file, in order.
  private(set) var files: [MediaScan.Event.File] = []
  /// The totals of the last scan.
  private(set) var totals: MediaScan.Totals?
  /// Whether the last scan saw everything.
  private(set) var isComplete = false

  init() throws {
    folder = try TemporaryFolder()
    library = try Library.open(at: LibraryLocation(folder: PathBytes(folder.path("library"))), for: .creating)
    executor = ContentExecutor()
    engine = try executor.engine()
    try FileManager.default.createDirectory(atPath: folder.path("tree"), withIntermediateDirectories: true)
  }

  /// The folder that is scanned.
  var root: String { folder.path("tree") }

  var scanner: MediaScanner { MediaScanner(library: library, engine: engine) }

  /// A scan of the folder, not begun.
  var scan: MediaScan { scanner.scan([PathBytes(root)], options: options) }

  /// The path of a file in the folder.
  func path(_ name: String) -> PathBytes { PathBytes(root).appending(name.utf8) }

  @discardableResult
  func write(_ text: String, to name: String) throws -> String {
    try folder.write(Array(text.utf8), to: "tree/" + name)
  }

  /// Scans the folder to its end.
  mutating func run() async throws {
    (files, totals, isComplete) = ([], nil, false)
    for try await event in scan {
      switch event {
      case .file(let file): files.append(file)
      case .finished(let totals, let isComplete): (self.totals, self.isComplete) = (totals, isComplete)
      case .problem, .progress, .watching: break
      }
    }
  }

  /// A file's path below the folder.
  func name(_ file: MediaScan.Event.File) -> String { String(file.path.description.dropFirst(root.count + 1)) }

  /// The files that were examined, in order.
  var examined: [String] {
    files.filter { [.new, .changed, .retried, .completed].contains($0.state) }.map(name)
  }

  /// The results of the files that were not examined.
  var notices: [MediaScan.Event.File.State] {
    files.map(\.state).filter { [.moved, .linked, .returned, .vanished].contains($0) }
  }

  /// Every file of the library with its content.
  func kept() throws -> [String] {
    var lines: [String] = []
    var after: CatalogueFile.Cursor?
    repeat {
      let page = try library.catalogue.files(under: PathBytes(root), after: after, limit: 100)
      for file in page.files where file.state == .done {
        lines.append("\(file.stamp.path) \(file.stamp.inode) \(try file.info()?.title ?? "")")
      }
      after = page.next
    } while after != nil
    return lines.sorted()
  }

  /// Every file of the folder with its content.
  func present() -> [String] {
    (FileManager.default.subpaths(atPath: root) ?? []).compactMap { name in
      var status = stat()
      let path = "\(root)/\(name)"
      guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
      let content = FileManager.default.contents(atPath: path) ?? Data()
      return "\(path) \(status.st_ino) \(String(decoding: content, as: UTF8.self))"
    }.sorted()
  }
}
