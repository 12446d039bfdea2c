public import MediaModel

extension AttachmentRules {
  /// Every reason why a file of those facts may not go, whatever else is attached; empty when it may.
  public func reasons(against info: MediaInfo) -> [RefusalReason] {
    guard allowsAttachments else { return [.attachmentsDisabled] }
    if let failure = readingFailure(of: info) { return [failure] }
    var reasons: [RefusalReason] = []
    if let allowedKinds, !allowedKinds.contains(info.kind) { reasons.append(.kindNotAllowed(info.kind)) }
    if let allowedTypes, !allowedTypes.contains(info.type) { reasons.append(.typeNotAllowed(info.type)) }
    if let mismatch = info.mismatch, refusedMismatches.contains(mismatch.class) {
      reasons.append(.typeMismatch(declared: mismatch.declared, actual: info.type))
    }
    if let limit = maxFileBytes(of: info.kind), info.bytes > limit, !shrinks(info) {
      reasons.append(.fileTooLarge(limit: limit, actual: info.bytes))
    }
    if let limit = maxPixels, let pixels = Self.pixels(of: info), pixels > limit {
      reasons.append(.tooManyPixels(limit: limit, actual: pixels))
    }
    // A length that is no number says nothing.
    if let limit = maxDuration(of: info.kind), let seconds = info.duration, seconds.isFinite, seconds > limit {
      reasons.append(.tooLong(limit: limit, actual: seconds))
    }
    return reasons
  }

  /// So many bytes are kept for an image that is to be made smaller, as AOSP Messaging does.
  static let leastImageBytes = 16_384

  /// What a file takes of a message's bytes: its own, or what is kept for it where it is to be made smaller.
  package func countedBytes(of info: MediaInfo) -> Int {
    let bytes = max(0, info.bytes)
    return shrinks(info) ? min(bytes, Self.leastImageBytes) : bytes
  }

  /// Whether such a file would be made smaller rather than refused for its bytes.
  func shrinks(_ info: MediaInfo) -> Bool { shrinksImages && MediaAttachment(id: .init(""), info: info).canShrink }

  /// The reason that leaves no room for others: nothing is known of the file, or nothing that could be relied on.
  private func readingFailure(of info: MediaInfo) -> RefusalReason? {
    guard info.bytes > 0 || info.error != nil else { return .empty }
    switch info.error?.code {
    case nil: return nil
    case .empty?: return .empty
    // Nothing is wrong with the file; it is only not ours to look into.
    case .unrecognized?, .unsupported?, .encrypted?: return nil
    case .truncated?, .corrupt?: return refusesDamagedFiles ? info.error.map { .unreadable($0.code) } : nil
    case let code?: return .unreadable(code)
    }
  }

  /// Pixels of all frames of an image, of one frame of a video; nil for what has none.
  private static func pixels(of info: MediaInfo) -> Int? {
    guard let size = info.displaySize, size.isPositive else { return nil }
    let frames = info.kind == .image ? max(1, info.frames ?? 1) : 1
    return size.pixelCount.multipliedSaturated(by: frames)
  }
}
