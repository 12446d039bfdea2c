internal import Foundation
internal import Glibc
public import MediaModel

extension MediaSource {
  /// Reads the whole file without decoding it, and without blocking a thread of Swift's pool.
  /// - Parameter limit: Maximum size in bytes; a larger file is `tooLarge`.
  /// - Throws: The failure to open or read it.
  public func contents(limit: Int) async throws(MediaFailure) -> [UInt8] {
    if case .bytes(let bytes) = content, bytes.count <= limit { return bytes }
    let result = await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        do throws(MediaFailure) {
          continuation.resume(returning: Result<[UInt8], MediaFailure>.success(try read(limit: limit)))
        } catch {
          continuation.resume(returning: .failure(error))
        }
      }
    }
    return try result.get()
  }

  private func read(limit: Int) throws(MediaFailure) -> [UInt8] {
    let file = try opened(limit: limit)
    guard file.size <= limit else {
      let (size, most) = HumanNumbers.sizes(file.size, limit: limit)
      throw MediaFailure(.tooLarge, "The file is \(size); the limit is \(most).")
    }
    var failed = false
    let bytes = [UInt8](unsafeUninitializedCapacity: max(0, file.size)) { buffer, filled in
      while filled < buffer.count, let start = buffer.baseAddress {
        let count = pread(file.descriptor, start + filled, buffer.count - filled, off_t(filled))
        if count < 0, errno == EINTR { continue }
        guard count > 0 else {
          failed = count < 0
          return
        }
        filled += count
      }
    }
    guard !failed, bytes.count == file.size else { throw .readFailed }
    return bytes
  }

  private func opened(limit: Int) throws(MediaFailure) -> OpenedFile {
    if case .ranges(let source) = content { return try OpenedFile(whole: source, limit: limit) }
    return try OpenedFile(self)
  }
}
