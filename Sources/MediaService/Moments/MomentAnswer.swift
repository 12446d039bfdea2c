public import MediaLibrary
public import MediaModel

extension MediaService {
  /// A moment as a reader sees it.
  public struct MomentAnswer: Encodable, Sendable {
    /// The id of the moment, which is in its path (`/v1/moments/{moment}`).
    public var id: String
    /// The name of its owner.
    public var owner: String
    /// The kind of content.
    public var kind: Moment.Kind
    /// The attachment; nil for a note.
    public var attachment: String?
    /// The title that the owner gave it; nil for none.
    public var title: String?
    /// The caption, or the text of a note.
    public var caption: String?
    /// Its time in seconds since 1970; local time without ``utcOffset``.
    public var time: Int
    /// Seconds east of UTC, if known.
    public var utcOffset: Int?
    /// Where ``time`` comes from.
    public var timeSource: MediaInfo.TimeSource
    /// Where it was; nil if there is no location, or if the reader may not see it (R-MYM-28).
    public var location: Location?
    /// Who sees its location; for the owner alone.
    public var locationSharing: Moment.LocationSharing?
    /// Who may see it.
    public var visibility: Moment.Visibility
    /// Whether others see it yet; for the owner alone.
    public var state: Moment.State?
    /// The version that a change names.
    public var version: Int
    /// When it was posted, in seconds since 1970.
    public var created: Int
    /// When it was posted or last changed, in seconds since 1970.
    public var changed: Int
    /// What is shown until its image is loaded.
    public var placeholder: Placeholder?
    /// The addresses that the reader may use, by the names of renditions, and `original` for the owner.
    public var urls: [String: String]?
    /// Where to draw a member of a cluster around its icon, in pixels (R-MYM-15).
    public var offset: LocationMap.Layout.Offset?
  }

  /// A page of moments.
  public struct MomentList: Encodable, Sendable {
    /// The moments, in the order of the listing.
    public var moments: [MomentAnswer]
    /// The cursor of the next page; nil on the last.
    public var next: String?
  }

  /// Moments as a reader sees them, without those whose attachment the reader may not see: it was blocked or erased a moment ago, or is held for a scan.
  func describe(_ moments: [Moment], for caller: Caller) async throws(ServiceError) -> [MomentAnswer] {
    let ids = moments.compactMap(\.file)
    let files = try await files(ids)
    let addresses = try await AttachmentAddresses(of: ids, in: self)
    let held = try await ServiceError.mapping { try await self.held(Array(files.values)) }
    let ended = try await ended(moments, for: caller)
    return moments.compactMap { moment in
      if ended.contains(moment.id) { return nil }
      let isOwner = moment.owner.utf8.elementsEqual(caller.owner.utf8)
      var answer = MomentAnswer(moment, isOwner: isOwner)
      guard let id = moment.file else { return answer }
      guard let file = files[id], !addresses.isHidden(id), isOwner || !held.contains(id) else { return nil }
      // Addresses would be valid for others, too.
      if held.contains(id) { return answer }
      answer.placeholder = file.placeholder
      answer.urls = urls(
        of: id, generation: addresses[id].generation, rights: isOwner ? [.view, .original] : [.view])
      return answer
    }
  }

  /// Those of others with an attachment that the caller does not see any more. Looked up after the generations of the addresses were read: whoever shows a
  /// moment to fewer people raises them afterwards, which ends the addresses.
  private func ended(_ moments: [Moment], for caller: Caller) async throws(ServiceError) -> Set<Moment.ID> {
    let shared = moments.filter { $0.file != nil && !$0.owner.utf8.elementsEqual(caller.owner.utf8) }
    if shared.isEmpty { return [] }
    return try await ServiceError.mapping {
      try await library.readMoments { moments in
        try shared.reduce(into: Set<Moment.ID>()) { ended, moment in
          let scope = Moment.Scope(owners: [moment.owner], audience: caller.audience(of: moment.owner))
          if try moments.moment(moment.id, in: scope) == nil { ended.insert(moment.id) }
        }
      }
    }
  }
}

extension MediaService.MomentAnswer {
  fileprivate init(_ moment: Moment, isOwner: Bool) {
    id = "\(moment.id.rawValue)"
    (owner, kind, attachment) = (moment.owner, moment.kind, moment.file.map { "\($0.rawValue)" })
    (title, caption) = (moment.title, moment.caption)
    (time, utcOffset, timeSource) = (moment.time, moment.utcOffset, moment.timeSource)
    location = moment.location
    locationSharing = isOwner ? moment.locationSharing : nil
    (visibility, state) = (moment.visibility, isOwner ? moment.state : nil)
    (version, created, changed) = (moment.version, moment.created, moment.changed)
  }
}
