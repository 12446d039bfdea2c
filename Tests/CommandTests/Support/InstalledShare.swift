internal import FileSupport
internal import Foundation
internal import TestSupport
internal import Testing

/// The share folder of an installation.
enum InstalledShare {
  /// Everything that `make install` puts below the share folder, made by the command that was built with these tests.
  static func make() throws -> Scratch {
    let scratch = try Scratch()
    let script = Corpus.packageRoot.appendingPathComponent("scripts/manuals").path
    let made = try Tool("bash", package: "bash").run([script, Command.executable, scratch.path.text])
    #expect(made.status == 0, "\(made.errors)")
    return scratch
  }
}
