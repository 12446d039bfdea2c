internal import AttachmentPolicy
internal import MediaModel

extension MessageFit {
  typealias Chosen = [MediaAttachment.ID: Plan.Candidate]

  /// The best selection among all candidates; nil if none fits.
  func select() -> Chosen? {
    select(from: shrinkable.reduce(into: [:]) { $0[$1] = images[$1]?.candidates ?? [] })
  }

  /// The best selection among these candidates.
  ///
  /// The size of the message with the selection is computed exactly. If names and types make a difference, the budget
  /// is adjusted and the selection repeated.
  func select(from candidates: [MediaAttachment.ID: [Plan.Candidate]]) -> Chosen? {
    let known = shrinkable.filter { candidates[$0]?.isEmpty == false }
    let groups = known.map { id in
      (candidates[id] ?? []).map { candidate in
        FitSelection.Option(
          cost: Self.cost(of: candidate.bytes), value: images[id]?.value(candidate) ?? candidate.similarity)
      }
    }
    var budget = profile.maxMessageBytes - MessageSize.bytes(of: emptied(known))
    // The difference is a few bytes and rarely occurs.
    for _ in 0..<16 {
      guard let indices = FitSelection.best(groups, budget: budget) else { return nil }
      var chosen: Chosen = [:]
      for (id, index) in zip(known, indices) { chosen[id] = candidates[id]?[index] }
      let excess = MessageSize.bytes(of: fitted(chosen)) - profile.maxMessageBytes
      if excess <= 0 { return chosen }
      budget -= excess
    }
    return nil
  }

  /// Bytes that a file adds to its message: its content and the growth of its length field.
  private static func cost(of bytes: Int) -> Int {
    bytes + max(1, (Int.bitWidth - bytes.leadingZeroBitCount + 6) / 7) - 1
  }

  /// The message with these files empty, and named like JPEGs.
  func emptied(_ ids: [MediaAttachment.ID]) -> MessageComposition {
    let ids = Set(ids)
    return replacing { attachment in
      guard ids.contains(attachment.id) else { return other(attachment) }
      return MediaInfo(type: images[attachment.id] == nil ? attachment.info.type : .jpeg, bytes: 0)
    }
  }

  /// The message with the files as they are sent.
  func fitted(_ chosen: Chosen) -> MessageComposition {
    replacing { attachment in
      chosen[attachment.id].map { Self.info(of: $0, from: attachment.info) } ?? other(attachment)
    }
  }

  /// The facts of a file that is sent in changed form.
  private func other(_ attachment: MediaAttachment) -> MediaInfo? {
    if let info = transcoded[attachment.id] { return info }
    guard metadata == .strip, stripping[attachment.id] == .stripped else { return nil }
    return Self.withoutMetadata(attachment.info, bytes: strippedBytes[attachment.id] ?? attachment.info.bytes)
  }

  /// The facts of a file as it is sent without transcoding.
  func sentInfo(_ attachment: MediaAttachment) -> MediaInfo { other(attachment) ?? attachment.info }

  /// The facts that still hold for a file without its metadata.
  private static func withoutMetadata(_ info: MediaInfo, bytes: Int) -> MediaInfo {
    var info = info
    if info.bytes != bytes, info.bitRate != nil, let duration = info.duration, duration > 0 {
      info.bitRate = Int(min(1e12, Double(bytes) * 8 / duration).rounded())
    }
    info.bytes = bytes
    (info.orientation, info.embeddedThumbnail, info.motionPhoto) = (nil, nil, nil)
    (info.takenAt, info.takenAtSource, info.sha256, info.coverArt) = (nil, nil, nil, nil)
    (info.latitude, info.longitude, info.altitude, info.make, info.model) = (nil, nil, nil, nil, nil)
    (info.title, info.artist, info.album) = (nil, nil, nil)
    return info
  }

  /// The message with other facts, and matching names.
  private func replacing(_ facts: (MediaAttachment) -> MediaInfo?) -> MessageComposition {
    var message = composition
    message.content = message.content.map { item in
      guard case .attachment(let item) = item, let info = facts(item.attachment) else { return item }
      let old = item.attachment
      let name = old.name.map { Self.name($0, for: info.type) }
      // The crop has been applied, and an upload of the old file is useless for a new one.
      let new = MediaAttachment(id: old.id, asset: old.asset, name: name, info: info)
      return .attachment(AttachmentDraft.Item(new, upload: item.upload))
    }
    return message
  }

  /// The name with an extension of the type.
  private static func name(_ name: String, for type: MediaType) -> String {
    let (stem, ending) = FileNames.split(name)
    guard !type.extensions.contains(ending.dropFirst().lowercased()), let usual = type.preferredExtension else {
      return name
    }
    return stem + "." + usual
  }

  private static func info(of candidate: Plan.Candidate, from old: MediaInfo) -> MediaInfo {
    var info = MediaInfo(type: candidate.type, bytes: candidate.bytes)
    info.width = candidate.size.width
    info.height = candidate.size.height
    guard candidate.form.encoding == .asIs else { return info }
    info.alpha = old.alpha
    if candidate.type == .gif { (info.animated, info.frames, info.duration) = (old.animated, old.frames, old.duration) }
    return info
  }

  /// Files that could not be changed, with the reason.
  var failures: [MediaAttachment.ID: MediaFailure] {
    images.compactMapValues(\.failure).merging(notTranscoded) { image, _ in image }
  }

  /// The plan for a selection.
  func plan(_ chosen: Chosen) -> Plan {
    let message = fitted(chosen)
    let changes = zip(composition.attachments, message.attachments).compactMap { old, new in
      change(from: old, to: new, candidate: chosen[old.id])
    }
    return Plan(
      composition: message, bytes: message.bytes(under: profile), limit: profile.maxMessageBytes, images: chosen,
      changes: changes, failures: failures,
      withoutMetadata: Set(
        stripping.filter { $0.value != .impossible && transcoded[$0.key] == nil && chosen[$0.key] == nil }.keys)
    )
  }

  private func change(
    from old: MediaAttachment, to new: MediaAttachment, candidate: Plan.Candidate?
  ) -> Plan.Change? {
    var effects: [Plan.Change.Effect] = []
    if let candidate {
      if candidate.form.encoding == .asIs {
        if new.info.bytes != old.info.bytes { effects.append(.stripped) }
      } else {
        effects.append(.recoded)
        if let whole = old.crop?.size ?? old.info.displaySize, whole != candidate.size { effects.append(.resized) }
        if old.crop != nil { effects.append(.cropped) }
        if old.info.alpha == true, candidate.type == .jpeg { effects.append(.flattened) }
        if old.info.showsOnlyEmbeddedImage { effects.append(.preview) }
      }
      if old.info.animated == true, new.info.animated != true { effects.append(.firstFrame) }
    } else if transcoded[old.id] != nil {
      effects.append(.transcoded)
      // Encoders round to whole frames; users notice a missing second.
      if let whole = old.info.duration, let rest = new.info.duration, rest < whole - 1 { effects.append(.cut) }
    } else if metadata == .strip, stripping[old.id] == .stripped {
      effects.append(.stripped)
    }
    guard !effects.isEmpty else { return nil }
    return Plan.Change(
      id: old.id, from: Plan.Change.File(old.info), to: Plan.Change.File(new.info), effects: effects,
      quality: candidate?.form.quality, similarity: candidate?.similarity)
  }
}
