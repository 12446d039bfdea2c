internal import AttachmentPolicy
internal import FileSupport
internal import MediaLibrary
internal import MediaModel
internal import PhotoTray

extension FolderTray {
  /// The tray of a library: reads fifty rows with their images, however large the library is. Skips files that have vanished since their scan, and
  /// probes those written since.
  init(
    _ reader: LibraryReader, rules: AttachmentRules, choosing chosen: [PathBytes], batch: Batch, engine: FileEngine,
    requests: [RenditionRequest], draft: Bool
  ) throws {
    var found: [RecentFiles.Entry] = []
    var after: CatalogueFile.Cursor?
    var damaged = DamagedRows()
    do {
      repeat {
        let page = try reader.library.catalogue.newest(.photosAndVideos, after: after, limit: Tray.capacity)
        for file in page.damaged { damaged.note(file) }
        for file in page.files where found.count < Tray.capacity {
          let input = Input(path: file.stamp.path, content: .file)
          // A link that has replaced the file is not followed, as in a scan.
          guard let stamp = FileStamp(at: file.stamp.path), let candidate = try? RecentFiles.Candidate(input) else {
            continue
          }
          let stored = try damaged.unlessDamaged { () throws(LibraryError) in
            stamp.sameContent(as: file.stamp) ? try file.info() : nil
          }
          let info = try stored.flatMap { $0 } ?? engine.info(of: input)
          guard info.kind == .image || info.kind == .video else { continue }
          found.append(RecentFiles.Entry(candidate: candidate, info: info))
        }
        after = page.next
      } while after != nil && found.count < Tray.capacity
    } catch let error as LibraryError {
      throw error.fault
    }
    found.sort { $0.precedes($1) }
    try self.init(
      found, access: .full, rules: rules, choosing: chosen, batch: batch, engine: engine, requests: requests,
      draft: draft)
    self.damaged = damaged
  }
}
