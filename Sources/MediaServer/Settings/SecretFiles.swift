internal import Foundation

/// Variables that name a file with a secret instead of having it, such as `MEDIATOOL_ACCESS_TOKEN_FILE`: as Docker and Kubernetes mount secrets.
enum SecretFiles {
  /// Bytes of a secret that are read; more are another file.
  static let maxBytes = 65_536

  /// The variables that may name a file.
  static let variables: [String: ServeSetting] = Dictionary(
    uniqueKeysWithValues: ServeSetting.all.filter(\.isSecret).map { ("\($0.variable)_FILE", $0) })

  /// The variables of an environment with the contents of these files in place of their names.
  ///
  /// A line break at the end of a file is not part of its secret: editors and `echo` write one.
  /// - Throws: ``ServeFailure`` for a file that cannot be read, and for a secret that is given twice. No message has a secret.
  static func resolve(_ environment: [String: String]) throws(ServeFailure) -> [String: String] {
    var resolved = environment
    for (name, setting) in variables.sorted(by: { $0.key < $1.key }) {
      guard let path = resolved.removeValue(forKey: name) else { continue }
      guard environment[setting.variable] == nil else {
        throw .usage("there are two values of \(setting.name); give either \(setting.variable) or \(name)")
      }
      resolved[setting.variable] = try contents(of: path, name)
    }
    return resolved
  }

  private static func contents(of path: String, _ name: String) throws(ServeFailure) -> String {
    let wrong = ServeFailure.usage("the file of \(name), \(path), cannot be read; check its name and permissions")
    guard let handle = FileHandle(forReadingAtPath: path) else { throw wrong }
    defer { try? handle.close() }
    let bytes: Data
    do { bytes = try handle.read(upToCount: maxBytes + 1) ?? Data() } catch { throw wrong }
    guard bytes.count <= maxBytes, var text = String(validating: bytes, as: UTF8.self) else {
      throw .usage("the file of \(name), \(path), is not UTF-8 text of at most \(maxBytes) bytes")
    }
    if text.hasSuffix("\r\n") || text.hasSuffix("\n") { text.removeLast() }
    guard !text.isEmpty else { throw .usage("the file of \(name), \(path), is empty") }
    return text
  }
}
