internal import Crypto
internal import Foundation

extension Upload {
  /// The digest of the body of one request: the checksum extension of tus, and `Content-Digest` of RFC 9530.
  public struct Checksum: Hashable, Sendable {
    /// A digest algorithm.
    public enum Algorithm: String, Hashable, Sendable, CaseIterable {
      /// SHA-1, which the specification demands. It guards against errors of the transfer, not against attacks.
      case sha1
      /// SHA-256, which also guards against attacks.
      case sha256
    }

    /// Bytes that a request with a checksum may have: 16 MiB.
    public static let maxBytes = 16_777_216

    /// The hash function that the client chose.
    public let algorithm: Algorithm
    /// The digest that the body must have.
    public let digest: [UInt8]

    /// - Parameter digest: 20 bytes for SHA-1, 32 for SHA-256.
    public init(_ algorithm: Algorithm, _ digest: [UInt8]) { (self.algorithm, self.digest) = (algorithm, digest) }

    /// The value of the field `Upload-Checksum`: an algorithm and a digest in base64.
    /// - Throws: `invalidRequest` for another algorithm and for a text that is not a digest.
    public init(field: String) throws(ServiceError) {
      let parts = field.split(separator: " ")
      guard parts.count == 2, let algorithm = Algorithm(rawValue: parts[0].lowercased()),
        let digest = Data(base64Encoded: String(parts[1])), digest.count == (algorithm == .sha1 ? 20 : 32)
      else {
        throw ServiceError(
          .invalidRequest, "The checksum must be `sha1` or `sha256`, a space, and the digest in base64.")
      }
      self.init(algorithm, [UInt8](digest))
    }
  }
}

/// Computes a ``Upload/Checksum`` of bytes as they arrive.
struct RunningChecksum: Sendable {
  private var sha1 = Insecure.SHA1()
  private var sha256 = SHA256()
  private let expected: Upload.Checksum

  init(_ expected: Upload.Checksum) { self.expected = expected }

  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    switch expected.algorithm {
    case .sha1: sha1.update(bufferPointer: bytes)
    case .sha256: sha256.update(bufferPointer: bytes)
    }
  }

  /// Whether the bytes have the expected digest.
  var matches: Bool {
    switch expected.algorithm {
    case .sha1: Array(sha1.finalize()) == expected.digest
    case .sha256: Array(sha256.finalize()) == expected.digest
    }
  }
}
