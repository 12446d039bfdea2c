internal import AttachmentPolicy
internal import MediaLibrary
internal import MediaModel
internal import PhotoTray

extension FolderTray {
  /// The tray of a library: fifty rows and their pictures, however large it is. Files that have gone since they were scanned are passed over.
  init(
    _ reader: LibraryReader, rules: AttachmentRules, batch: Batch, engine: FileEngine, requests: [RenditionRequest],
    draft: Bool
  ) throws {
    var found: [RecentFiles.Entry] = []
    var after: CatalogueCursor?
    do throws(LibraryError) {
      repeat {
        let page = try reader.library.catalogue.newest(.photosAndVideos, in: nil, after: after, limit: Tray.capacity)
        for file in page.files where found.count < Tray.capacity {
          let input = Input(path: RawPath(file.stamp.path.bytes), content: .file)
          guard case .success(let candidate) = RecentFiles.Candidate.found(input), let info = try file.info() else {
            continue
          }
          found.append(RecentFiles.Entry(candidate: candidate, info: info))
        }
        after = page.next
      } while after != nil && found.count < Tray.capacity
    } catch {
      throw error.fault
    }
    found.sort { $0.precedes($1) }
    try self.init(found, access: .full, rules: rules, batch: batch, engine: engine, requests: requests, draft: draft)
  }
}
