public import Foundation

/// A folder of its own for one test, gone with everything in it when this value is.
public final class TemporaryFolder: Sendable {
  /// Where it lies.
  public let url: URL

  /// Makes a folder that no other test and no other run has.
  public init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("mediatool-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// The path of a file or folder in it; nothing is made.
  public func path(_ name: String) -> String { url.appendingPathComponent(name).path }

  /// Writes a file and returns its path; folders in the name are made.
  @discardableResult
  public func write(_ bytes: [UInt8], to name: String) throws -> String {
    let file = url.appendingPathComponent(name)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: file)
    return file.path
  }

  /// The names of all files below it that contain some bytes.
  public func files(containing bytes: [UInt8]) throws -> [String] {
    (FileManager.default.subpaths(atPath: url.path) ?? []).sorted().filter { name in
      let data = FileManager.default.contents(atPath: url.appendingPathComponent(name).path)
      return data?.range(of: Data(bytes)) != nil
    }
  }
}
