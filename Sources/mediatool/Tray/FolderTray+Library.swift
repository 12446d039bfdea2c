internal import AttachmentPolicy
internal import MediaLibrary
internal import MediaModel
internal import PhotoTray

extension FolderTray {
  /// The tray of a library: fifty rows and their images, however large it is. Files that have gone since they were scanned are
  /// passed over, and those that were written to since are looked into.
  init(
    _ reader: LibraryReader, rules: AttachmentRules, batch: Batch, engine: FileEngine, requests: [RenditionRequest],
    draft: Bool
  ) throws {
    var found: [RecentFiles.Entry] = []
    var after: CatalogueCursor?
    do {
      repeat {
        let page = try reader.library.catalogue.newest(.photosAndVideos, after: after, limit: Tray.capacity)
        for file in page.files where found.count < Tray.capacity {
          let input = Input(path: file.stamp.path, content: .file)
          // A link that has taken its place is not followed, as a scan follows none.
          guard let stamp = FileStamp(at: file.stamp.path),
            let candidate = try? RecentFiles.Candidate(input),
            let info = try stamp.sameContent(as: file.stamp) ? file.info() : engine.info(of: input),
            info.kind == .image || info.kind == .video
          else { continue }
          found.append(RecentFiles.Entry(candidate: candidate, info: info))
        }
        after = page.next
      } while after != nil && found.count < Tray.capacity
    } catch let error as LibraryError {
      throw error.fault
    }
    found.sort { $0.precedes($1) }
    try self.init(found, access: .full, rules: rules, batch: batch, engine: engine, requests: requests, draft: draft)
  }
}
