internal import AttachmentPolicy
internal import MediaEngine
internal import MediaModel

/// Decides about files by their content, while they arrive and when they are complete.
struct FileExamination: Sendable {
  let engine: MediaEngine
  let rules: AttachmentRules

  /// Bytes that a decision about the type needs.
  static let firstBytes = 65_536

  /// The most bytes that the rules allow for any file; nil without a limit.
  static func maxBytes(_ rules: AttachmentRules) -> Int? {
    guard !rules.shrinksImages, let limit = rules.maxFileBytes else { return nil }
    return max(limit, rules.kindLimits.values.compactMap(\.maxFileBytes).max() ?? 0)
  }

  /// Refuses a file by its first bytes, if they show that the rules would refuse it however it continues: by its type, its stated size, or its pixels.
  /// - Parameter length: The size of the whole file, if it is known.
  func screen(
    first source: MediaSource, length: Int?, claims: Upload.Claims, owner: String
  ) async throws(ServiceError) {
    let info: MediaInfo
    do throws(MediaFailure) {
      info = try await engine.probe(source, claim: claims.claim, options: options, domain: .owner(owner))
    } catch {
      // Too many jobs wait: the complete file is examined in any case.
      return
    }
    // An unknown beginning may continue as something known.
    guard info.error?.code != .unrecognized else { return }
    var whole = info
    whole.error = nil
    // Of a part, only what no further byte changes.
    whole.bytes = length ?? info.bytes
    whole.duration = nil
    let reasons = rules.reasons(against: whole).filter(Self.isFinal)
    guard reasons.isEmpty else { throw .refusal(verdict(reasons)) }
  }

  /// The facts of a complete file. Its caller limits the number of files that are examined at a time.
  func facts(of source: MediaSource, claims: Upload.Claims, owner: String) async throws(MediaFailure) -> MediaInfo {
    var info = try await engine.probeBounded(source, claim: claims.claim, options: options, domain: .owner(owner))
    // A true type beside a lying name, or a name that no type contradicts.
    if info.mismatch == nil, claims.type != nil, let name = claims.name {
      info.mismatch = try await engine.probeBounded(
        source, claim: .fileName(name), options: options, domain: .owner(owner)
      ).mismatch
    }
    return info
  }

  /// The verdict on a complete file.
  func verdict(on info: MediaInfo, claims: Upload.Claims) -> Verdict {
    rules.verdict(for: [MediaAttachment(id: Self.unnamed, name: claims.name, info: info)])
  }

  /// Limits that let through what the rules allow.
  var limits: MediaLimits {
    var limits = MediaLimits()
    limits.bytes = max(limits.bytes, Self.maxBytes(rules) ?? 0)
    return limits
  }

  private var options: ProbeOptions {
    var options = ProbeOptions()
    options.limits = limits
    return options
  }

  /// The id in a verdict on a file that has none yet.
  static let unnamed = MediaAttachment.ID("upload")

  private func verdict(_ reasons: [Verdict.Reason]) -> Verdict {
    Verdict(
      accepted: false, files: [Verdict.File(id: Self.unnamed, reasons: reasons)], remaining: rules.maxAttachments,
      suggestions: [])
  }

  /// The verdict on a file that is refused for a reason that no rule has.
  static func refusing(_ reason: Verdict.Reason.Code) -> Verdict {
    Verdict(
      accepted: false, files: [Verdict.File(id: unnamed, reasons: [.other(reason)])], remaining: nil, suggestions: [])
  }

  private static func isFinal(_ reason: Verdict.Reason) -> Bool {
    switch reason {
    case .kindNotAllowed, .typeNotAllowed, .typeMismatch, .fileTooLarge, .tooManyPixels, .attachmentsDisabled: true
    default: false
    }
  }
}

extension Upload.Claims {
  /// What the engine compares with the content.
  var claim: MediaType.Claim? {
    if let type { return .mediaType(type) }
    return name.map { .fileName($0) }
  }
}
