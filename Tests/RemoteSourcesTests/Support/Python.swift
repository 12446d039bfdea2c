internal import Foundation
internal import TestSupport

/// A Python program that the tests compare with.
struct Python {
  private let tool: Tool

  /// The interpreter of `scripts/setup test` with a package; nil, after a line that says why, if there is none.
  static func withPackage(_ package: String, for purpose: String) -> Python? {
    let path = Corpus.packageRoot.appendingPathComponent(".build/python/bin/python")
    let tool = Tool(executable: path)
    guard FileManager.default.isExecutableFile(atPath: path.path),
      (try? tool.output(["-c", "import \(package)"])) != nil
    else {
      print("\(purpose): not tested, because .build/python has no \(package); `scripts/setup test` installs it")
      return nil
    }
    return Python(tool: tool)
  }

  /// A script beside these tests.
  static func peer(_ name: String) -> String {
    Corpus.packageRoot.appendingPathComponent("Tests/RemoteSourcesTests/Peers/\(name)").path
  }

  func run(_ arguments: [String], input: String = "") throws -> String {
    String(decoding: try tool.output(arguments, input: Array(input.utf8), seconds: 600), as: UTF8.self)
  }
}
