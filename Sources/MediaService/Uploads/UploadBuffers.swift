internal import MediaEngine

/// Shares a bounded amount of memory among uploads for the bytes that they collect before a write: large writes while there are few, and small ones
/// while there are thousands, each of which may keep its buffer for as long as its client is silent.
final class UploadBuffers: Sendable {
  /// The memory of one buffer. Free for others when nobody has this any more.
  final class Share: Sendable {
    /// Its size in bytes.
    let bytes: Int
    private let buffers: UploadBuffers

    fileprivate init(_ bytes: Int, _ buffers: UploadBuffers) { (self.bytes, self.buffers) = (bytes, buffers) }

    deinit { buffers.taken.withLock { [bytes] in $0 -= bytes } }
  }

  /// Bytes of the smallest buffer, which an upload gets in any case, and of the largest, beyond which a write gets no cheaper.
  static let sizes = 16_384...262_144

  private let total: Int
  private let taken = Locked(0)

  /// - Parameter total: Bytes of all buffers together, without those that are given beyond it: the smallest ones, and what a piece needs. Default 32 MiB.
  init(total: Int = 32 << 20) { self.total = total }

  /// Bytes of all shares.
  var takenBytes: Int { taken.withLock { $0 } }

  /// A share for one buffer: a sixteenth of what is free, so that there is something for the next ones.
  /// - Parameter needed: What the buffer needs at least, whatever is free.
  func share(atLeast needed: Int = 0) -> Share {
    let bytes = taken.withLock { taken in
      let bytes = max(needed, min(max((total - taken) / 16, Self.sizes.lowerBound), Self.sizes.upperBound))
      taken += bytes
      return bytes
    }
    return Share(bytes, self)
  }
}
