public import MediaLibrary

/// What people post (R-MYM-2, R-MYM-13).
extension MediaService {
  /// Posts a moment of the caller.
  ///
  /// ``Configuration/review`` is asked about a moment that others would see.
  /// - Throws: ``ServiceError/notFound`` for an attachment or a trip that is not the caller's, ``ServiceError/Code/invalidRequest`` beyond a limit, for a note
  ///   without a text and for an attachment that is neither a photo, a video nor audio, ``ServiceError/Code/refused``, ``ServiceError/Code/diskFull``.
  public func post(_ moment: NewMoment, for caller: Caller) async throws(ServiceError) -> MomentAnswer {
    try await self.moment(try await create(moment, for: caller), for: caller)
  }

  /// Posts a moment of the caller as ``post(_:for:)`` does, and returns its id alone: nothing can fail once the moment is there.
  public func create(_ posted: NewMoment, for caller: Caller) async throws(ServiceError) -> Moment.ID {
    try caller.require([.read, .write])
    let trips = try check(posted)
    let attachment = try posted.attachment.map { (text) throws(ServiceError) in try Self.fileID(text) }
    try await requireRoom()
    let work = work.begin(for: caller.owner)
    let (moment, hold) = try await reviewed(posted, attachment, for: caller)
    let (now, library, database) = (now(), library.library, database)
    return try await ServiceError.mapping {
      try await self.library.changeMoments { moments in
        // Nothing comes back that was erased meanwhile.
        try work.requireRunning()
        var new: Moment.New
        if let attachment {
          try Self.requireOwn(attachment, of: caller, library, database)
          new = Moment.New(owner: caller.owner, file: attachment, posted: now)
          new.caption = moment.caption
        } else {
          new = Moment.New(owner: caller.owner, note: moment.caption ?? "", posted: now)
        }
        new.title = moment.title
        (new.time, new.utcOffset) = (moment.time, moment.utcOffset)
        (new.location, new.visibility) = (moment.location, moment.visibility)
        (new.trips, new.hold) = (trips, hold)
        for trip in trips ?? [] where try moments.trip(trip, of: [caller.owner]) == nil { throw ServiceError.notFound }
        guard let id = try moments.add([new]).first else { throw ServiceError.notFound }
        return id
      }
    }
  }

  /// A moment, as far as the caller sees it: its own, what its owner shows to friends, or to everyone.
  /// - Throws: ``ServiceError/notFound``, also if the caller may not see it.
  public func moment(_ id: Moment.ID, for caller: Caller) async throws(ServiceError) -> MomentAnswer {
    try caller.require(.read)
    let found = try await ServiceError.mapping {
      try await library.readMoments { moments in
        // The same steps for an id that nothing has.
        let owner = try moments.owner(of: id) ?? ""
        return try moments.moment(id, in: Moment.Scope(owners: [owner], audience: caller.audience(of: owner)))
      }
    }
    return try await answer(found, for: caller)
  }

  /// Changes a moment of the caller, completely or not at all (R-MYM-13). Whoever sees less of it afterwards loses its signed URLs.
  ///
  /// ``Configuration/review`` is asked when more people would see it, and when others see a new title or caption.
  /// - Throws: ``ServiceError/notFound``, ``ServiceError/Code/versionConflict`` if the change names another version than the present one,
  ///   ``ServiceError/Code/invalidRequest`` beyond a limit, ``ServiceError/Code/refused``.
  public func change(
    _ id: Moment.ID, _ change: MomentChange, for caller: Caller
  ) async throws(ServiceError) -> MomentAnswer {
    try caller.require(.read)
    try check(change)
    // Another change in between makes another review necessary: what is shown has been asked about.
    for _ in 0..<8 {
      let review = try await review(change, of: id, for: caller)
      if let changed = try await apply(change, review, to: id, for: caller) {
        return try await answer(changed, for: caller)
      }
    }
    throw ServiceError(.busy, "The moment was changed by other requests during this one; try again.", retryAfter: 1)
  }

  /// - Returns: Nil if the moment has another version than the one that was reviewed.
  private func apply(
    _ change: MomentChange, _ review: ChangeReview?, to id: Moment.ID, for caller: Caller
  ) async throws(ServiceError) -> Moment? {
    let (now, database) = (now(), database)
    return try await ServiceError.mapping {
      try await library.changeMoments { moments -> Moment? in
        guard let old = try moments.moment(id, in: .owner(caller.owner)) else { throw ServiceError.notFound }
        try caller.require(.write)
        if old.kind == .note, change.caption == .removed {
          throw ServiceError(.invalidRequest, "A note needs text; delete the moment instead.")
        }
        try Self.require(change.version, old.version, "moment")
        if let review, review.version != old.version { return nil }
        let hold = review?.hold
        let isLess = hold != nil || change.visibility?.isLess(than: old.visibility) ?? false
        func endAddresses() throws {
          guard isLess, let file = old.file else { return }
          try database.writeBlocking { db in
            try AttachmentRecord.raiseGeneration(of: file, owner: caller.owner, db)
          }
        }
        // Before the change, so that no address outlives it if the other database fails; and after it, for those that were signed in between.
        try endAddresses()
        let changes = change.changes + (hold.map { [.hold($0)] } ?? [])
        let new = try moments.change(id, of: caller.owner, version: change.version, at: now, changes)
        try endAddresses()
        return new
      }
    }
  }

  /// Fails unless a file is the caller's and can be shown.
  static func requireOwn(
    _ id: FileID, of caller: Caller, _ library: Library, _ database: ServiceDatabase
  ) throws {
    let record = try database.readBlocking { db in try AttachmentRecord.read(id, db) }
    guard let file = try library.catalogue.file(id), caller.owns(file), file.state == .done || file.state == .failed,
      !record.isBlocked, !record.isErased
    else { throw ServiceError.notFound }
  }

  private func answer(_ moment: Moment?, for caller: Caller) async throws(ServiceError) -> MomentAnswer {
    guard let moment, let answer = try await describe([moment], for: caller).first else { throw .notFound }
    return answer
  }

  /// - Returns: The trips.
  private func check(_ moment: NewMoment) throws(ServiceError) -> [Trip.ID]? {
    let limits = configuration.limits
    try MomentFields.check(moment.title, "title", limit: limits.textLength)
    try MomentFields.check(moment.caption, "caption", limit: limits.textLength)
    try MomentFields.check(time: moment.time, "time")
    try MomentFields.check(utcOffset: moment.utcOffset)
    if moment.utcOffset != nil, moment.time == nil {
      throw ServiceError(.invalidRequest, "`utcOffset` needs `time`.")
    }
    if moment.attachment == nil, moment.caption?.isEmpty ?? true {
      throw ServiceError(.invalidRequest, "A moment needs an `attachment`; a note needs its text in `caption`.")
    }
    guard let trips = moment.trips else { return nil }
    guard trips.count <= limits.batch else {
      throw ServiceError(
        .invalidRequest, "A moment can be added to at most \(limits.batch) trips at once.",
        numbers: ["limit": limits.batch, "actual": trips.count])
    }
    return try MomentFields.trips(trips)
  }

  private func check(_ change: MomentChange) throws(ServiceError) {
    let limit = configuration.limits.textLength
    if case .set(let text) = change.title { try MomentFields.check(text, "title", limit: limit) }
    if case .set(let text) = change.caption { try MomentFields.check(text, "caption", limit: limit) }
    try MomentFields.check(time: change.time, "time")
    try MomentFields.check(utcOffset: change.utcOffset)
    if change.utcOffset != nil, change.time == nil {
      throw ServiceError(.invalidRequest, "`utcOffset` needs `time`.")
    }
  }
}

extension Moment.Visibility {
  /// Whether fewer people see it.
  func isLess(than other: Self) -> Bool {
    let order: [Self] = [.private, .friends, .public]
    return (order.firstIndex(of: self) ?? 0) < (order.firstIndex(of: other) ?? 0)
  }
}
