internal import AttachmentPolicy
internal import FileSupport
internal import MediaEngine
internal import MediaModel
internal import PhotoTray

/// The tray of folders: the most recent files, their thumbnails, and the selection.
struct FolderTray {
  /// The fifty files, by their asset ids.
  private(set) var entries: [AssetID: RecentFiles.Entry] = [:]
  /// Their images, by the same ids.
  private(set) var images: [AssetID: ThumbnailResult]
  private(set) var tray: Tray
  /// Inputs that do not exist.
  private(set) var missing: [PathBytes] = []
  /// Inputs that exist and cannot be read.
  private(set) var unreadable: [(path: PathBytes, failure: MediaFailure)] = []
  /// Selected files that were refused, with their names.
  private(set) var refused: [(name: String, reasons: [Verdict.Reason])] = []
  /// Selected files that the tray does not show.
  private var picked: Set<FileIdentity> = []
  /// Sizes that several files have, which may therefore have the same content.
  private let sharedSizes: Set<Int>
  private var picks = 0
  /// The rows of a library that were skipped because they are damaged.
  var damaged = DamagedRows()
  /// The files that were read or may have been: none of them is replaced by an output.
  private(set) var sources: Set<FileIdentity> = []

  /// A photo library with the files that were found; it never has more.
  private struct Found: PhotoSource {
    let items: [Tray.Item]
    func newest(_ count: Int) -> [Tray.Item] { Array(items.prefix(count)) }
    func missing(among assets: [AssetID]) -> Set<AssetID> { [] }
  }

  init(
    _ source: consuming sending InputSource, rules: AttachmentRules, choosing chosen: [PathBytes],
    batch: Batch, engine: FileEngine, requests: [RenditionRequest], draft: Bool
  ) throws {
    var source = source
    var candidates: [RecentFiles.Candidate] = []
    var missing: [PathBytes] = []
    var unreadable: [(path: PathBytes, failure: MediaFailure)] = []
    while !batch.stop.isRequested, let input = try source.next() {
      if case .failed(let failure) = input.content {
        if failure.code == .notFound { missing.append(input.path) } else { unreadable.append((input.path, failure)) }
        continue
      }
      do throws(FileError) { candidates.append(try RecentFiles.Candidate(input)) } catch {
        if error.isNotFound { missing.append(input.path) } else { unreadable.append((input.path, .opening(error))) }
      }
    }
    batch.report(skipped: source.skipped)

    let found = try RecentFiles.newest(Tray.capacity, of: candidates, batch: batch, engine: engine)
    // Unreadable folders correspond to photos to which a system denies access.
    try self.init(
      found, access: unreadable.isEmpty ? .full : candidates.isEmpty ? .denied : .limited, rules: rules,
      choosing: chosen,
      batch: batch, engine: engine, requests: requests, draft: draft)
    (self.missing, self.unreadable) = (missing, unreadable)
    sources.formUnion(candidates.map(\.identity))
  }

  /// A tray of the most recent files.
  ///
  /// - Parameter chosen: The files that will be selected, for which ``select(_:engine:)`` is called later.
  init(
    _ newest: [RecentFiles.Entry], access: Tray.LibraryAccess, rules: AttachmentRules, choosing chosen: [PathBytes],
    batch: Batch, engine: FileEngine, requests: [RenditionRequest], draft: Bool
  ) throws {
    sharedSizes = rules.refusesSameContent ? Self.sharedSizes(of: newest, and: chosen) : []
    let found = try Self.digested(newest, sizes: sharedSizes, batch: batch, engine: engine)
    let queue = Locked(found[...])
    var made: [AssetID: ThumbnailResult] = [:]
    try batch.each(
      next: { queue.withLock { $0.popFirst() } }, path: \.candidate.input.path,
      work: { entry throws(Fault) in
        try engine.images(of: entry.candidate.input, info: entry.info, requests: requests, draft: draft)
      },
      deliver: { made[$0.asset] = $1 })

    for entry in found { entries[entry.asset] = entry }
    sources = Set(found.map(\.candidate.identity))
    tray = Tray(access: access, rules: rules)
    _ = tray.load(from: Found(items: found.map { Self.item($0, made[$0.asset]) }))
    images = made
  }

  private static func item(_ entry: RecentFiles.Entry, _ made: ThumbnailResult?) -> Tray.Item {
    Tray.Item(
      id: entry.asset, time: entry.time, name: String(decoding: entry.candidate.input.name, as: UTF8.self),
      info: entry.info, placeholder: made?.placeholder)
  }

  /// Selects a file in the tray, or outside of it as with the system's picker. Does nothing if it is already selected.
  mutating func select(_ path: PathBytes, engine: FileEngine) throws(Fault) {
    let input = Input(path: path, content: .file)
    let name = String(decoding: path.lastComponent, as: UTF8.self)
    let candidate = try? RecentFiles.Candidate(input)
    if let candidate { sources.insert(candidate.identity) }
    let shown = entries.first { $0.value.candidate.identity == candidate?.identity }?.key
    let events: [Tray.Event]
    if let shown {
      events = tray.select(shown)
    } else {
      if let candidate, !picked.insert(candidate.identity).inserted { return }
      // Identified by number, because no other attachment has that id, and two paths may look the same.
      picks += 1
      let attachment = MediaAttachment(
        id: MediaAttachment.ID("\0picked \(picks)"), name: name, info: try info(of: input, engine: engine))
      events = tray.add(picked: [attachment])
    }
    for event in events {
      if case .draft(.refused(_, let reasons)) = event { refused.append((name, reasons)) }
    }
  }

  /// The facts of a file that the tray does not show, with the digest if another file has its size.
  private func info(of input: Input, engine: FileEngine) throws(Fault) -> MediaInfo {
    var info = try engine.info(of: input)
    if info.sha256 == nil, sharedSizes.contains(info.bytes) {
      info.sha256 = try engine.info(of: input, digest: true).sha256
    }
    return info
  }

  /// What failed: inputs that cannot be read, and photos and videos whose facts or thumbnails are missing, in the order of the tray.
  var failures: [(path: PathBytes, failure: MediaFailure)] {
    unreadable
      + tray.items.compactMap { item in
        guard let entry = entries[item.id], let failure = entry.info.error ?? images[item.id]?.error else { return nil }
        return (entry.candidate.input.path, failure)
      }
  }

  /// The rendition with this name of an item.
  func rendition(_ name: String, of asset: AssetID) -> Rendition? {
    images[asset]?.renditions.first { $0.name == name }
  }
}
