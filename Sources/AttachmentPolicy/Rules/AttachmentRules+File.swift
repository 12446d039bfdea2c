public import MediaModel

extension AttachmentRules {
  /// The reasons to refuse a file by itself, without regard to other attachments; empty when it is accepted.
  public func reasons(against info: MediaInfo) -> [Verdict.Reason] {
    guard allowsAttachments else { return [.attachmentsDisabled] }
    if let failure = readingFailure(of: info) { return [failure] }
    var reasons: [Verdict.Reason] = []
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
    // A duration that is not a finite number is ignored.
    if let limit = maxDuration(of: info.kind), let seconds = info.duration, seconds.isFinite, seconds > limit {
      reasons.append(.tooLong(limit: limit, actual: seconds))
    }
    return reasons
  }

  /// Bytes reserved for an image whose size will be reduced, as in AOSP Messaging.
  package static let leastImageBytes = 16_384

  /// The bytes of a message that a file counts for: its size, or the reserved bytes if its size will be reduced.
  package func countedBytes(of info: MediaInfo) -> Int {
    let bytes = max(0, info.bytes)
    return shrinks(info) ? min(bytes, Self.leastImageBytes) : bytes
  }

  /// Whether the size of such a file is reduced instead of refusing it for its bytes.
  func shrinks(_ info: MediaInfo) -> Bool { shrinksImages && MediaAttachment(id: .init(""), info: info).canShrink }

  /// The reason that excludes all others: nothing reliable is known about the file.
  private func readingFailure(of info: MediaInfo) -> Verdict.Reason? {
    guard info.bytes > 0 || info.error != nil else { return .empty }
    switch info.error?.code {
    case nil: return nil
    case .empty?: return .empty
    // The file is intact; this library just cannot read its format.
    case .unrecognized?, .unsupported?, .encrypted?: return nil
    case .truncated?, .corrupt?: return refusesDamagedFiles ? info.error.map { .unreadable($0.code) } : nil
    case let code?: return .unreadable(code)
    }
  }

  /// Pixels of all frames of an image or of one frame of a video; nil for other files.
  private static func pixels(of info: MediaInfo) -> Int? {
    guard let size = info.displaySize, size.isPositive else { return nil }
    let frames = info.kind == .image ? max(1, info.frames ?? 1) : 1
    return size.pixelCount.multipliedSaturated(by: frames)
  }
}
