internal import Foundation
internal import TestSupport

/// Python programs that the tests compare with, which `scripts/setup test` installs into .build/python.
enum PythonTools {
  /// The interpreter; nil, after a line that says why, if there is none.
  static func python(for purpose: String) -> Tool? {
    let path = Corpus.packageRoot.appendingPathComponent(".build/python/bin/python")
    let isReady = FileManager.default.fileExists(
      atPath: Corpus.packageRoot.appendingPathComponent(".build/python/ready").path)
    guard isReady, FileManager.default.isExecutableFile(atPath: path.path) else {
      // Not a failure of the server: the packages come from a network that a machine may lack.
      print("\(purpose) is not tested: .build/python is missing or not complete; `scripts/setup test` installs it")
      return nil
    }
    return Tool(executable: path)
  }

  /// Runs a program on a thread of its own: the server runs on those of Swift's pool.
  static func run(_ tool: Tool, _ arguments: [String]) async throws -> Tool.Output {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        // As long as a busy machine may need.
        continuation.resume(with: Result { try tool.run(arguments, seconds: 3_600) })
      }
    }
  }
}
