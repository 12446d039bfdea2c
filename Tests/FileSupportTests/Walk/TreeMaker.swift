internal import Foundation
internal import Glibc
internal import TestSupport

@testable internal import FileSupport

/// Random trees on disk, and what a walk sees of them.
enum TreeMaker {
  /// Makes folders and empty files below a folder: names that repeat, names that are not UTF-8, hidden ones.
  static func make(_ root: String, _ random: inout SeededGenerator, files: Int = 60) {
    var folders: [[UInt8]] = [Array(root.utf8)]
    for _ in 0..<files {
      let folder = folders[random.below(folders.count)]
      let path = folder + [0x2F] + name(&random)
      if random.below(3) == 0 {
        if withPath(path, { mkdir($0, 0o755) }) == 0 { folders.append(path) }
      } else {
        let descriptor = withPath(path) { open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644) }
        if descriptor >= 0 { close(descriptor) }
      }
    }
  }

  /// A name out of few, so that patterns describe some.
  static func name(_ random: inout SeededGenerator) -> [UInt8] {
    let words = ["a", "b", "ab", "abc", "a.b", "x", "x-1", "[a]", "a b", "A", "photo", ".a", ".b", "a*", "1", "~", " "]
    let word = Array(words[random.below(words.count)].utf8)
    switch random.below(12) {
    case 0: return word + [0xE9]
    case 1: return word + [UInt8(truncatingIfNeeded: 0x61 + random.below(4))]
    case 2: return word + Array(".jpg".utf8)
    default: return word
    }
  }

  static func withPath<Result>(_ path: [UInt8], _ body: (UnsafePointer<CChar>) -> Result) -> Result {
    (path.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return "".withCString(body) }
      return body(start)
    }
  }
}

/// All events of a walk.
struct WalkRecord {
  var files: [[UInt8]] = []
  var folders: [[UInt8]] = []
  var problems: [FolderWalk.Problem] = []
  var skipped = FolderWalk.Skipped()
  var statuses: [FileStatus] = []

  /// Walks to the end.
  /// - Parameter visit: Called with every event.
  init(_ walk: consuming FolderWalk, visit: (FolderWalk.Event) -> Void = { _ in }) {
    var walk = walk
    var folder: [UInt8] = []
    while let event = walk.next() {
      visit(event)
      switch event {
      case .entered(let entered):
        folder = entered.path
        folders.append(folder)
      case .file(let file):
        files.append((folder.last == 0x2F ? folder : folder + [0x2F]) + file.name)
        statuses.append(file.status)
      case .filesEnded: break
      case .problem(let problem): problems.append(problem)
      }
    }
    skipped = walk.skipped
  }
}

/// Bytes as a sorted list of words, for comparing and for messages.
func words(_ paths: [[UInt8]]) -> [String] {
  paths.sorted { $0.lexicographicallyPrecedes($1) }.map { String(decoding: $0, as: UTF8.self) }
}
