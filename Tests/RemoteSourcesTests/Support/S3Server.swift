internal import Foundation
internal import TestSupport

/// OpenStack Swift with its S3 layer, on loopback, for as long as this value lives. Its objects are in the bucket `media`.
final class S3Server: @unchecked Sendable {
  // All of them are set once, before the value is shared, which is what makes the class Sendable.
  let port: Int
  private let folder: URL
  private let process: Process
  private let input: Pipe

  static let accessKey = "media:tool"
  static let secretKey = "secretsecretsecret"

  /// Starts it; nil, after a line that says why, if it cannot run here.
  /// - Parameter objects: Keys with the files to store.
  init?(objects: [(key: String, path: String)]) throws {
    guard Python.withPackage("swift.proxy.server", for: "S3 on OpenStack Swift") != nil else { return nil }
    // Not in /tmp, which may lack the extended attributes that it needs.
    let folder = Corpus.packageRoot.appendingPathComponent(".build/s3-server-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let process = Process()
    let input = Pipe()
    process.executableURL = Corpus.packageRoot.appendingPathComponent(".build/python/bin/python")
    process.arguments = [Python.peer("s3_server.py"), folder.path] + objects.map { "\($0.key)=\($0.path)" }
    process.standardInput = input
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    var line: [UInt8] = []
    while let byte = try output.fileHandleForReading.read(upToCount: 1)?.first, byte != 10 { line.append(byte) }
    let words = String(decoding: line, as: UTF8.self).split(separator: " ")
    guard words.first == "ready", let last = words.last, let port = Int(last) else {
      print("S3 on OpenStack Swift: not tested: \(String(decoding: line, as: UTF8.self))")
      process.terminate()
      try? FileManager.default.removeItem(at: folder)
      return nil
    }
    (self.port, self.folder, self.process, self.input) = (port, folder, process, input)
  }

  deinit {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
    try? FileManager.default.removeItem(at: folder)
  }
}
