internal import Foundation

/// Files that rows are measured with: made once, when the first row that needs them is measured, and kept.
struct InputSet {
  /// The folder or file.
  var path: String
  /// Sets that it is made of.
  var needs: [InputSet] = []
  /// Makes it at the path that it is given, which is empty.
  var make: (_ beside: String) throws -> Void

  private var name: String { (path as NSString).lastPathComponent }

  /// Makes what is missing. Made beside and renamed, so that an interrupted run leaves nothing that looks finished.
  func prepare() throws {
    guard !FileManager.default.fileExists(atPath: path) else { return }
    for set in needs { try set.prepare() }
    Bench.complain("making \(name)")
    // The extension stays: ffmpeg goes by it.
    let beside = (path as NSString).deletingLastPathComponent + "/making-" + name
    try? FileManager.default.removeItem(atPath: beside)
    try make(beside)
    try FileManager.default.moveItem(atPath: beside, toPath: path)
  }

  /// A set that a program makes; `arguments` are given the path to make.
  static func made(at path: String, output: String, by arguments: @escaping (_ beside: String) -> [String]) -> InputSet
  {
    InputSet(path: path) { beside in
      _ = try Command(arguments: arguments(beside), folder: "\(output)/making").run()
    }
  }

  /// Photos, videos and other files as a phone has them, out of the corpus that lies beside a development checkout; nil where neither is there.
  static func roll(at path: String, files: Int, _ words: [String] = [], output: String) -> InputSet? {
    let shared = "../shared"
    let maker = "\(shared)/tools/make-library.py"
    let exists = [path, maker].contains { FileManager.default.fileExists(atPath: $0) }
    guard exists else {
      Bench.complain("rows about \(files) files of a phone are left out: there is no corpus beside this checkout")
      return nil
    }
    return made(at: path, output: output) { ["python3", maker, "\(shared)/corpus", $0, "\(files)"] + words }
  }
}
