internal import FileSupport
internal import Glibc
public import MediaLibrary
public import MediaModel
internal import MetadataStripping

extension MediaService {
  /// An open original. It stays readable while it is open, even if it is erased meanwhile.
  public final class OriginalFile: Sendable {
    /// Size in bytes.
    public let bytes: Int
    /// The media type, by content.
    public let type: MediaType
    /// The sender's name of the file, unchanged; nil if it stated none.
    public let name: String?
    /// A strong entity tag with its quotes.
    public let entityTag: String
    private let content: Content
    private let threads: BlockingThreads

    private enum Content: Sendable {
      case file(CInt)
      case memory([UInt8], StrippedOriginals.Reservation)
      /// Another original, of which some bytes are delivered with other values.
      case changed(OriginalFile, StrippingPlan, StrippedOriginals.Reservation)
    }

    init(_ path: PathBytes, file: CatalogueFile, name: String?, type: MediaType, threads: BlockingThreads) throws {
      let descriptor = try FileSystem.openFile(path)
      content = .file(descriptor)
      (self.name, self.type, self.threads) = (name, type, threads)
      let status: FileStatus
      do { status = try FileStatus(descriptor: descriptor) } catch {
        FileSystem.release(descriptor)
        throw error
      }
      bytes = status.bytes
      // The library's own originals never change; another file has a state instead.
      let state = file.digest.map { String("\($0)".prefix(32)) } ?? "\(status.bytes)-\(status.modified)-\(status.inode)"
      entityTag = "\"\(state)\""
      // A file outside the library may have been replaced since it was examined.
      if status.bytes != Int(file.stamp.size) {
        // Every property is set, so `deinit` closes the file.
        throw ServiceError(.unavailable, "The original was changed after it was examined.", detail: "\(path)")
      }
    }

    /// Bytes made of an original, with an entity tag of their own.
    init(_ bytes: [UInt8], of original: OriginalFile, reservation: StrippedOriginals.Reservation) {
      (self.bytes, content) = (bytes.count, .memory(bytes, reservation))
      (type, name, threads) = (original.type, original.name, original.threads)
      entityTag = "\"\(original.entityTag.filter { $0 != "\"" })-stripped\""
    }

    /// An original of which some bytes are delivered with other values, with an entity tag of its own.
    init(_ plan: StrippingPlan, of original: OriginalFile, reservation: StrippedOriginals.Reservation) {
      (bytes, content) = (original.bytes, .changed(original, plan, reservation))
      (type, name, threads) = (original.type, original.name, original.threads)
      entityTag = "\"\(original.entityTag.filter { $0 != "\"" })-stripped\""
    }

    /// What a copy without metadata is kept under.
    func key(of file: CatalogueFile) -> StrippedOriginals.Key {
      StrippedOriginals.Key(id: file.id, entityTag: entityTag)
    }

    /// Bytes that it takes in memory while it is kept.
    var bytesInMemory: Int {
      switch content {
      case .file: 0
      case .memory(let bytes, _): bytes.count
      case .changed: StrippedOriginals.planBytes
      }
    }

    deinit {
      if case .file(let descriptor) = content { FileSystem.release(descriptor) }
    }

    /// Reads up to so many bytes, without blocking a thread of Swift's pool; fewer only at the end of the file.
    public func read(at offset: Int, count: Int) async throws -> [UInt8] {
      try await threads.run { [self] in try readBlocking(at: offset, count: count) }
    }

    /// Reads up to so many bytes on the thread of the caller; fewer only at the end of the file.
    func readBlocking(at offset: Int, count: Int) throws -> [UInt8] {
      let descriptor: CInt
      switch content {
      case .file(let opened): descriptor = opened
      case .changed(let original, let plan, _):
        var bytes = try original.readBlocking(at: offset, count: count)
        bytes.withUnsafeMutableBytes { plan.apply(to: $0, at: offset) }
        return bytes
      case .memory(let bytes, _):
        let start = min(max(0, offset), bytes.count)
        return Array(bytes[start..<(start + min(max(0, count), bytes.count - start))])
      }
      var failure: CInt = 0
      let bytes = [UInt8](unsafeUninitializedCapacity: max(0, count)) { buffer, filled in
        while filled < buffer.count {
          let rest = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[filled...])
          let count = pread(descriptor, rest.baseAddress, rest.count, off_t(offset + filled))
          if count < 0, errno == EINTR { continue }
          if count < 0 { failure = errno }
          if count <= 0 { break }
          filled += count
        }
      }
      if failure != 0 {
        throw ServiceError(.internalError, "The original cannot be read.", detail: "pread: errno \(failure)")
      }
      return bytes
    }
  }

  /// Opens the original of an attachment, or a copy of it without metadata: while the owner's setting is `Moment.LocationSharing.none`, under the rule
  /// ``OriginalMetadata/strip``, and for readers to whom the owner shows no locations (R-MYM-27, docs/decisions/0145).
  /// - Throws: ``ServiceError/notFound``, also if the reader has no right; ``ServiceError/Code/unavailable`` if the file is no longer there, or if its
  ///   metadata cannot be removed.
  public func original(_ id: FileID, for reader: Reader) async throws(ServiceError) -> OriginalFile {
    try await ServiceError.mapping {
      let found = try await readable(id, by: reader, right: .original)
      return try await openOriginal(found, for: reader)
    }
  }

  /// Opens the original of an attachment by the rule for its metadata.
  func openOriginal(_ found: ReadableAttachment, for reader: Reader) async throws -> OriginalFile {
    let (file, threads) = (found.file, attachments.reading)
    let type = try file.info()?.type ?? .octetStream
    let original = try await threads.run {
      try Self.openOriginal(of: file, name: found.record.name, type: type, threads: threads)
    }
    guard !found.record.hasNoMetadata else { return original }
    if try await delivers(file.owner) != .keep { return try await withoutMetadata(original, of: file) }
    guard try await hidesLocation(of: found, from: reader) else { return original }
    return try await withoutLocation(original, of: file)
  }

  /// Opens the original of a file on the thread of the caller.
  static func openOriginal(
    of file: CatalogueFile, name: String?, type: MediaType, threads: BlockingThreads
  ) throws -> OriginalFile {
    do {
      return try OriginalFile(file.stamp.path, file: file, name: name, type: type, threads: threads)
    } catch let error as FileError {
      throw ServiceError(
        .unavailable, "The original no longer exists.", detail: "\(file.stamp.path): \(error)")
    }
  }
}
