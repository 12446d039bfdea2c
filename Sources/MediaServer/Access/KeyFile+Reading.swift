internal import FileSupport
internal import Foundation
internal import MediaService

extension KeyFile {
  /// Reads a file. Blocking.
  /// - Throws: ``KeyFile/Failure``, which never repeats a secret.
  init(path: String) throws(Failure) {
    let stamp = Self.stamp(of: path)
    let bytes: Data
    do { bytes = try Data(contentsOf: URL(fileURLWithPath: path)) } catch {
      throw Failure("it cannot be read; check its name and permissions")
    }
    try self.init(json: Array(bytes))
    self.stamp = stamp
  }

  /// What a file is. Links are followed: Kubernetes replaces a link, of which the path need not be the last part.
  static func stamp(of file: String) -> FileStatus? { try? FileStatus(at: PathBytes(file)) }

  /// The keys of signed URLs; nil if there are no ``addresses``.
  /// - Throws: ``KeyFile/Failure`` for a name that a URL cannot have.
  func signingKeys() throws(Failure) -> SigningKeys? {
    guard !addresses.isEmpty else { return nil }
    guard let keys = SigningKeys(addresses.map { SigningKeys.Key(id: $0.id, secret: $0.secret) }) else {
      throw Failure("the id of each key in \"addresses\" must have 1 to 32 characters of A-Z, a-z, 0-9, _ and -")
    }
    return keys
  }
}
