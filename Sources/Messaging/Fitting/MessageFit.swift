public import AttachmentPolicy
public import MediaModel

/// Fits a message to a carrier's limit: decides which sizes and qualities of its images are tried, and which are sent.
///
/// Pure: it states what to measure, and a caller with the files and an engine measures it. `MessageFitter` of the library
/// MessageFitting is such a caller.
///
/// ```
/// var fit = MessageFit(composition, under: profile)
/// while true {
///   switch fit.next() {
///   case .strip(let files): MetadataStripper.strip(…), fit.record(…)
///   case .measure(let images): encode every form, fit.record(…)
///   case .transcode(let budgets): fit.record(…)
///   case .done(let outcome): return outcome
///   }
/// }
/// ```
///
/// Texts and files that cannot be reduced get their bytes first. The rest is allocated so that the sum of the images'
/// similarities (``MessageFit/Plan/Candidate/similarity``) is as large as the limit allows: an image that gains more per byte gets
/// more. An image is encoded at most ``maxTrials`` times.
public struct MessageFit: Sendable {
  /// Maximum number of times that an image is encoded: 16 at first, and one in each of three rounds.
  public static let maxTrials = 19
  private static let rounds = 3

  enum Phase {
    case metadata, originals, curves, videos
    case refining(Int)
    case stripping, ended
  }

  let composition: MessageComposition
  let profile: CarrierProfile
  let transcodes: Bool
  let metadata: MetadataRule
  private(set) var phase = Phase.metadata
  var images: [MediaAttachment.ID: FitImage] = [:]
  /// The facts of transcoded videos and audio files.
  var transcoded: [MediaAttachment.ID: MediaInfo] = [:]
  /// The stripping results of files that may be sent without a new encoding.
  var stripping: [MediaAttachment.ID: Stripping] = [:]
  /// The sizes of stripped files.
  var strippedBytes: [MediaAttachment.ID: Int] = [:]
  /// Videos and audio files that could not be transcoded.
  var notTranscoded: [MediaAttachment.ID: MediaFailure] = [:]

  /// Creates the state for fitting a message.
  ///
  /// - Parameters:
  ///   - composition: The message.
  ///   - profile: The carrier's profile.
  ///   - transcodes: Whether the caller can transcode videos and audio files. False by default: they are not
  ///     transcoded.
  ///   - metadata: What happens to the metadata of files. ``MetadataRule/strip`` by default.
  public init(
    _ composition: MessageComposition, under profile: CarrierProfile, transcodes: Bool = false,
    metadata: MetadataRule = .strip
  ) {
    self.metadata = metadata
    self.composition = composition
    self.profile = profile
    self.transcodes = transcodes
    for attachment in composition.attachments {
      images[attachment.id] = FitImage(attachment, under: profile)
    }
  }

  /// The next step. Record all results of the previous step first.
  public mutating func next() -> Step {
    while true {
      switch phase {
      case .metadata:
        phase = .originals
        if composition.type(under: profile) == .sms { return end(.fitted(plan([:]))) }
        guard unsupported.isEmpty else { return end(.refused(refusal())) }
        let files = composition.attachments.filter(needsStripping).map(\.id)
        if !files.isEmpty { return .strip(files) }
      case .originals:
        phase = .curves
        // No encoding changes that.
        guard refusedForMetadata.isEmpty else { return end(.refused(metadataRefusal())) }
        let forms = measurements { $0.mayGoAsIs ? [Plan.Form(.asIs, box: $0.largest)] : [] }
        if !forms.isEmpty { return .measure(forms) }
      case .curves:
        phase = .videos
        // If everything fits unchanged, no other form is better.
        if shrinkable.allSatisfy({ id in images[id]?.candidates.isEmpty == false }), let chosen = select() {
          if unplayable().isEmpty { return conclude(.fitted(plan(chosen))) }
        }
        let forms = measurements(\.firstForms)
        if !forms.isEmpty { return .measure(forms) }
      case .videos:
        phase = .refining(0)
        let budgets = transcodingBudgets()
        if !budgets.isEmpty { return .transcode(budgets) }
      case .refining(let round):
        phase = .refining(round + 1)
        guard round < Self.rounds else { return conclude(finished()) }
        let forms = promising()
        guard !forms.isEmpty else { return conclude(finished()) }
        return .measure(forms)
      case .stripping: return end(finished())
      case .ended: return .done(finished())
      }
    }
  }

  /// Records the encoded forms of an image. A form that could not be encoded is omitted.
  ///
  /// - Parameter forms: All forms that were tried.
  public mutating func record(_ made: [Plan.Candidate], tried forms: [Plan.Form], of id: MediaAttachment.ID) {
    images[id]?.record(made, tried: forms)
  }

  /// Records that an image, a video or an audio file could not be changed; it is sent unchanged.
  public mutating func record(_ failure: MediaFailure, of id: MediaAttachment.ID) {
    if images[id] == nil { notTranscoded[id] = failure }
    images[id]?.fail(failure)
  }

  /// Records the result of stripping metadata.
  ///
  /// A video or an audio file that cannot be stripped is transcoded if the caller can; any other file that cannot be
  /// stripped is refused.
  ///
  /// - Parameter bytes: The size of the stripped file; nil if it is the same as before.
  public mutating func record(_ result: Stripping, bytes: Int? = nil, of id: MediaAttachment.ID) {
    stripping[id] = result
    strippedBytes[id] = result == .stripped ? bytes : nil
    if result == .impossible {
      notTranscoded[id] = MediaFailure(.unsupported, "The metadata cannot be removed without re-encoding.")
    }
  }

  /// Records the facts of a transcoded file; nil if transcoding failed and the file is sent unchanged.
  public mutating func record(_ info: MediaInfo?, of id: MediaAttachment.ID) {
    guard let info, let item = composition.attachments.first(where: { $0.id == id }), info.bytes > 0,
      info.bytes < sentInfo(item).bytes || mustBeTranscoded(item)
    else { return }
    transcoded[id] = info
    notTranscoded[id] = nil
  }

  private mutating func end(_ outcome: Plan.Outcome) -> Step {
    phase = .ended
    return .done(outcome)
  }

  private func finished() -> Plan.Outcome {
    guard refusedForMetadata.isEmpty else { return .refused(refusal()) }
    return select().map { .fitted(plan($0)) } ?? .refused(refusal())
  }

  /// Ends, unless files that were not stripped would be sent unchanged: images that cannot be decoded.
  private mutating func conclude(_ outcome: Plan.Outcome) -> Step {
    guard metadata == .strip, case .fitted(let plan) = outcome else { return end(outcome) }
    let files = composition.attachments.filter {
      plan.images[$0.id] == nil && transcoded[$0.id] == nil && stripping[$0.id] == nil
    }
    guard !files.isEmpty else { return end(outcome) }
    phase = .stripping
    // Without its metadata an image would be shown in another orientation.
    for file in files where (file.info.orientation ?? .up) != .up { record(.impossible, of: file.id) }
    let rest = files.map(\.id).filter { stripping[$0] == nil }
    return rest.isEmpty ? end(finished()) : .strip(rest)
  }

  /// Images that can be reduced, in the order of the message.
  var shrinkable: [MediaAttachment.ID] {
    composition.attachments.map(\.id).filter { images[$0].map { $0.failure == nil } ?? false }
  }

  private func measurements(_ forms: (FitImage) -> [Plan.Form]) -> [Measurement] {
    shrinkable.compactMap { id in
      guard let image = images[id] else { return nil }
      let forms = forms(image).filter { !image.isTried($0) }
      guard !forms.isEmpty else { return nil }
      return Measurement(
        id: id, info: image.attachment.info, crop: image.attachment.crop, displayBox: image.largest, forms: forms,
        isSRGB: image.isSRGB, isBaseline: profile.contentClass.lacksPNG)
    }
  }

  /// Estimated forms between the tried ones that would be selected if the estimates were right.
  private func promising() -> [Measurement] {
    let estimated = shrinkable.reduce(into: [:]) { $0[$1] = images[$1]?.estimated ?? [] }
    guard let chosen = select(from: estimated) else { return [] }
    return measurements { image in chosen[image.attachment.id].map { [$0.form] } ?? [] }
  }
}
