internal import AttachmentPolicy
internal import MediaLibrary
internal import MediaModel
internal import PhotoTray

extension MediaService {
  /// A page of the tray as JSON: `{"state","access","cells":[…],"emptyCells","remaining","limitReached","next","lastEvent"}`, the keys of
  /// `mediatool tray`. Ids and signed URLs take the place of paths and data.
  ///
  /// One query of the catalogue and one of the service's database, however large the library is (R-TRAY-2).
  /// - Parameters:
  ///   - caller: Whose photos and videos.
  ///   - select: The draft whose attachments are selected. Default nil: nothing is selected.
  ///   - before: The `next` of an earlier page. Default nil: the newest.
  /// - Throws: `notFound` for a draft that is not the caller's, `invalidRequest` for a cursor of another listing.
  public func tray(for caller: Caller, select: String? = nil, before: String? = nil) async throws(ServiceError)
    -> [UInt8]
  {
    try caller.require(.read)
    // Taken first: a change during the query is then reported once more, and never missed.
    let lastEvent = feed.latest(of: caller.owner)
    var draft = AttachmentDraft()
    if let select { draft = try await openDraft(select, of: caller).draft }
    let page = try await ServiceError.mapping {
      try await library.catalogue.newest(
        CatalogueScope(owner: caller.owner, kinds: [.image, .video]), after: before.map(CatalogueFile.Cursor.init),
        limit: Tray.capacity)
    }
    let cells = page.files.compactMap { file in self.cells.cell(of: file).map { (file.id, $0) } }
    let addresses = try await AttachmentAddresses(of: cells.map(\.0), in: self)
    let tray = Self.tray(of: cells.map(\.1.item), draft: draft, rules: configuration.rules)
    var json: [UInt8] = Array("{\"access\":\"full\",\"cells\":[".utf8)
    json += Self.join(
      cells.compactMap { id, cell in tray.cells[id.asset].map { cell.json($0, addresses: addresses, file: id) } })
    json += "],\"emptyCells\":\(tray.emptyCells),\"lastEvent\":\"\(lastEvent)\"".utf8
    json += ",\"limitReached\":\(draft.isFull(under: configuration.rules))".utf8
    if let next = page.next { json += ",\"next\":".utf8 + ((try? ServiceJSON.encode(next)) ?? []) }
    if let remaining = draft.remaining(under: configuration.rules) { json += ",\"remaining\":\(remaining)".utf8 }
    return json + ",\"state\":\"\(cells.isEmpty && before == nil ? "empty" : "grid")\"}".utf8
  }

  /// The cells of some files.
  func cells(of files: [CatalogueFile], draft: AttachmentDraft = AttachmentDraft()) async throws(ServiceError)
    -> [UInt8]
  {
    let cells = files.compactMap { file in self.cells.cell(of: file).map { (file.id, $0) } }
    let addresses = try await AttachmentAddresses(of: cells.map(\.0), in: self)
    let tray = Self.tray(of: cells.map(\.1.item), draft: draft, rules: configuration.rules)
    return Self.join(
      cells.compactMap { id, cell in tray.cells[id.asset].map { cell.json($0, addresses: addresses, file: id) } })
  }

  /// The cells of items by their ids: which are selected, and which can be.
  private static func tray(
    of items: [Tray.Item], draft: AttachmentDraft, rules: AttachmentRules
  ) -> (cells: [AssetID: Tray.Cell], emptyCells: Int) {
    var tray = Tray(access: .full, rules: rules, draft: draft)
    _ = tray.load(from: LoadedPage(items: items))
    guard case .grid(let grid) = tray.state else { return ([:], 0) }
    return (Dictionary(grid.cells.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first }), grid.emptyCells)
  }

  /// A page that was read, as the photo library of a tray. It knows of nothing that is missing: erased files leave drafts by themselves.
  private struct LoadedPage: PhotoSource {
    let items: [Tray.Item]
    func newest(_ count: Int) -> [Tray.Item] { Array(items.prefix(count)) }
    func missing(among assets: [AssetID]) -> Set<AssetID> { [] }
  }

  private static func join(_ objects: [[UInt8]]) -> [UInt8] {
    var json: [UInt8] = []
    for object in objects {
      if !json.isEmpty { json.append(UInt8(ascii: ",")) }
      json += object
    }
    return json
  }
}
