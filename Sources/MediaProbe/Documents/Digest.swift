internal import Crypto
internal import FileSupport
internal import MediaModel

/// The SHA-256 of a whole file.
enum Digest {
  /// Bytes per read.
  private static let step = 1_048_576

  /// The digest in lower-case hexadecimal.
  static func sha256(of input: borrowing MediaInput) throws(MediaFailure) -> String {
    var hash = SHA256()
    var offset = 0
    while offset < input.size {
      let bytes = try input.read(at: offset, count: step)
      // The file was truncated after it was opened.
      if bytes.isEmpty { throw .readFailed }
      hash.update(data: bytes)
      offset += bytes.count
    }
    return Hexadecimal.encode(hash.finalize())
  }
}
