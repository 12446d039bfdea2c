internal import FileSupport
internal import GRDB
internal import MediaLibrary

/// The bytes of unfinished uploads: one file each in the folder `uploads` of the library's data, named by the upload's id.
///
/// A file may be longer than the offset that is recorded for it, never shorter: bytes are synced before their number is recorded. A start cuts the
/// files back to what is recorded, and removes those without a row.
final class UploadStore: Sendable {
  /// The folder of the files.
  let folder: PathBytes
  let registry: UploadRegistry
  /// Threads for the bytes.
  let threads: BlockingThreads
  /// Memory for the bytes that are not written yet.
  let buffers = UploadBuffers()
  let syncing: PartWriter.Syncing
  private let database: ServiceDatabase

  init(
    folder: PathBytes, database: ServiceDatabase, registry: UploadRegistry = UploadRegistry(),
    syncing: PartWriter.Syncing = PartWriter.Syncing(),
    threads: BlockingThreads = BlockingThreads(limit: 8, maxWaiting: 4_096)
  ) {
    self.registry = registry
    (self.folder, self.database, self.syncing, self.threads) = (folder, database, syncing, threads)
  }

  /// The file with the bytes that have arrived so far, named by the id.
  func path(of id: Upload.ID) -> PathBytes { folder.appending(id.rawValue.utf8) }

  /// The bytes of an upload.
  func part(of id: Upload.ID) async throws(ServiceError) -> PartFile {
    let path = path(of: id)
    return try await ServiceError.mapping { try await threads.run { try PartFile(at: path) } }
  }

  /// The bytes of an upload, to write behind an offset. What an interrupted request left there is removed.
  /// - Throws: `gone` if bytes that were acknowledged are missing: a file with a hole would be accepted as another file.
  func part(of id: Upload.ID, cutTo offset: Int) async throws(ServiceError) -> PartFile {
    let (part, folder) = (try await part(of: id), folder)
    try await threads.uncancelled {
      let size = try part.size()
      guard size >= offset else {
        throw ServiceError(
          .gone, "Some bytes of the upload are lost; upload the file again.",
          detail: "\(part.path): \(size) of \(offset)")
      }
      if size > offset { try part.cut(to: offset) }
      // Its name, before any of its bytes is acknowledged.
      if offset == 0 { try FileSystem.syncFolder(folder) }
    }
    return part
  }

  /// Removes the bytes of an upload, and what is reserved for it.
  func remove(_ id: Upload.ID) async {
    await removeBytes(of: id)
    registry.unreserve(id)
  }

  /// Removes the bytes of an upload, also while a request writes them.
  func removeBytes(of id: Upload.ID) async {
    let path = path(of: id)
    _ = try? await threads.uncancelled { try FileSystem.removeFile(path) }
  }

  /// Bytes that can still be written to the disk; nil if the system does not say. A disk may take its time to answer.
  func availableBytes() async throws(ServiceError) -> Int? {
    let folder = folder
    return try await threads.uncancelled { FileSystem.availableBytes(in: folder) }
  }

  // MARK: Rows

  /// The upload of an id, if the caller may know of it.
  /// - Throws: `notFound` for unknown ids and those of others alike.
  func upload(_ id: Upload.ID, for caller: Caller) async throws(ServiceError) -> Upload {
    let upload = try await ServiceError.mapping { try await database.read { try UploadRows.read(id, $0) } }
    guard let upload, caller.isOwner(upload.owner) else { throw .notFound }
    return upload
  }

  /// Adds a row. On the disk when it returns.
  func add(_ upload: Upload) async throws(ServiceError) {
    try await uncancelled { try UploadRows.add(upload, $0) }
  }

  /// Changes a row. On the disk when it returns.
  /// - Throws: `notFound` if it was erased meanwhile.
  func write(_ upload: Upload) async throws(ServiceError) {
    try await uncancelled { db in
      guard try UploadRows.write(upload, db) else { throw ServiceError.notFound }
    }
  }

  /// Records what an examination found, unless the upload was ended meanwhile. If the attachment was erased meanwhile, the upload is forgotten with it.
  /// On the disk when it returns.
  /// - Throws: `notFound` if nothing was recorded.
  func conclude(_ upload: Upload) async throws(ServiceError) {
    try await uncancelled { db in
      if let file = upload.attachment?.id, try AttachmentRecord.read(file, db).isErased {
        return try UploadRows.remove(upload.id, db)
      }
      guard try UploadRows.write(upload, ifOpen: true, db) else { throw ServiceError.notFound }
    }
  }

  /// Records the number of bytes that are on the disk. On the disk when it returns.
  func record(_ upload: Upload) async throws(ServiceError) {
    try await uncancelled { try UploadRows.record(upload, $0) }
  }

  // MARK: Starting

  /// Restores what the last process left: cuts files back, removes those without a row, and reserves what open uploads may still have; of those of
  /// unknown length what they have.
  func restore() async throws(ServiceError) {
    let uploads = try await ServiceError.mapping { try await database.read { try UploadRows.open($0) } }
    let folder = folder
    let offsets = Dictionary(uploads.map { ($0.id, $0.offset) }) { first, _ in first }
    try await ServiceError.mapping {
      try await threads.run {
        try FileSystem.makeFolder(folder, permissions: .userOnly)
        for name in try FileSystem.names(in: folder) {
          let path = folder.appending(name)
          // Such as `lost+found`.
          guard let status = try? FileStatus(at: path, followsLinks: false), status.kind == .file else { continue }
          guard let id = Upload.ID(rawValue: String(decoding: name, as: UTF8.self)), let offset = offsets[id] else {
            try FileSystem.removeFile(path)
            continue
          }
          let part = try PartFile(at: path)
          // Only back: a file that is shorter was damaged from outside, and its upload fails when it is continued.
          if try part.size() > offset { try part.cut(to: offset) }
        }
      }
    }
    for upload in uploads {
      try registry.reserve(for: upload.id, owner: upload.owner) { _, _ throws(ServiceError) in
        upload.length ?? upload.offset
      }
    }
  }

  private func uncancelled(_ body: @escaping @Sendable (Database) throws -> Void) async throws(ServiceError) {
    let database = database
    try await ServiceError.mapping { try await Task { try await database.write(body) }.value }
  }
}
