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
/// similarities (``FitPlan/Candidate/similarity``) is as large as the limit allows: an image that gains more per byte gets
/// more. An image is encoded at most ``maxTrials`` times.
public struct MessageFit: Sendable {
  /// The forms of one image to encode and measure.
  public struct Measurement: Hashable, Sendable {
    /// The identifier of the attachment.
    public var id: MediaAttachment.ID
    /// The facts of the image.
    public var info: MediaInfo
    /// The crop in upright pixels; nil for no crop.
    public var crop: PixelRect?
    /// The box in which similarity is measured.
    public var displayBox: PixelSize
    /// The forms; never empty.
    public var forms: [FitPlan.Form]
    /// Whether an embedded profile is sRGB.
    public var isSRGB: Bool
    /// Whether a JPEG must be baseline to be sent unchanged.
    public var isBaseline: Bool
  }

  /// A video or an audio file that must be transcoded.
  public struct TranscodingBudget: Hashable, Sendable {
    /// The identifier of the attachment.
    public var id: MediaAttachment.ID
    /// The facts of the file.
    public var info: MediaInfo
    /// Maximum size of the output in bytes.
    public var maxBytes: Int
    /// The media that every receiver supports.
    public var contentClass: CarrierProfile.ContentClass
  }

  /// What happens to the metadata of the files of a message: one rule for all kinds of files.
  public enum MetadataRule: String, Codable, Sendable, CaseIterable {
    /// Files that need no new encoding are sent with their metadata.
    case keep
    /// Metadata is removed from every file. A file from which it cannot be removed is encoded again, or is refused.
    case strip
    /// A file with metadata is refused, and so is one that may have some.
    case refuse
  }

  /// The result of stripping the metadata of a file (`MetadataStripper`).
  public enum Stripping: Hashable, Sendable {
    /// There was no metadata: the bytes are the same.
    case unchanged
    /// The metadata was removed.
    case stripped
    /// Nobody can remove it without a new encoding: the file must be transcoded, or is refused.
    case impossible
  }

  /// The next step of fitting.
  public enum Step: Hashable, Sendable {
    /// Strip the metadata of these files with `MetadataStripper`, and call ``MessageFit/record(_:bytes:of:)``.
    case strip([MediaAttachment.ID])
    /// Encode these forms and call ``MessageFit/record(_:tried:of:)``.
    case measure([Measurement])
    /// Transcode these videos and audio files and call `record(_:of:)`.
    case transcode([TranscodingBudget])
    /// Fitting has ended.
    case done(FitPlan.Outcome)
  }

  /// Maximum number of times that an image is encoded: 16 at first, and one in each of three rounds.
  public static let maxTrials = 19
  private static let rounds = 3

  private enum Phase {
    case metadata, originals, curves, videos
    case refining(Int)
    case stripping, ended
  }

  let composition: MessageComposition
  let profile: CarrierProfile
  let transcodes: Bool
  let metadata: MetadataRule
  private var phase = Phase.metadata
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
        let forms = measurements { $0.mayGoAsIs ? [FitPlan.Form(.asIs, box: $0.largest)] : [] }
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
  public mutating func record(_ made: [FitPlan.Candidate], tried forms: [FitPlan.Form], of id: MediaAttachment.ID) {
    images[id]?.record(made, tried: forms)
  }

  /// Records that an image, a video or an audio file could not be changed; it is sent unchanged.
  public mutating func record(_ failure: MediaFailure, of id: MediaAttachment.ID) {
    if images[id] == nil { notTranscoded[id] = failure }
    images[id]?.fail(failure)
  }

  /// Records the result of stripping metadata.
  ///
  /// A video or an audio file that cannot be stripped is transcoded if the caller can; any other file that cannot be stripped is refused.
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

  private mutating func end(_ outcome: FitPlan.Outcome) -> Step {
    phase = .ended
    return .done(outcome)
  }

  private func finished() -> FitPlan.Outcome {
    guard refusedForMetadata.isEmpty else { return .refused(refusal()) }
    return select().map { .fitted(plan($0)) } ?? .refused(refusal())
  }

  /// Ends, unless files are left that would be sent as they are without having been stripped: images that cannot be decoded.
  private mutating func conclude(_ outcome: FitPlan.Outcome) -> Step {
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

  private func measurements(_ forms: (FitImage) -> [FitPlan.Form]) -> [Measurement] {
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

extension MessageFit {
  /// Files that the content class does not support: in a text class all, in a class without images the images.
  var unsupported: [MediaAttachment.ID] {
    if profile.contentClass == .text { return composition.attachments.map(\.id) }
    guard !profile.maxImageSize.isPositive else { return [] }
    return composition.attachments.filter { $0.info.kind == .image }.map(\.id)
  }

  /// Whether a file is stripped before anything else: it could be sent without a new encoding, or the rule asks whether it has metadata.
  private func needsStripping(_ attachment: MediaAttachment) -> Bool {
    switch metadata {
    case .keep: false
    case .strip: images[attachment.id] == nil && attachment.info.bytes <= profile.maxMessageBytes
    case .refuse: true
    }
  }

  /// Files that cannot be sent because of their metadata, as far as it is known.
  var refusedForMetadata: [MediaAttachment.ID] {
    composition.attachments.filter { attachment in
      guard let result = stripping[attachment.id] else { return false }
      switch metadata {
      case .keep: return false
      case .refuse: return result != .unchanged
      case .strip:
        guard result == .impossible, transcoded[attachment.id] == nil else { return false }
        return !transcodes || ![.video, .audio].contains(attachment.info.kind) || isTranscodingOver
      }
    }.map(\.id)
  }

  /// Whether every transcoding was tried.
  private var isTranscodingOver: Bool {
    switch phase {
    case .metadata, .originals, .curves, .videos: false
    case .refining, .stripping, .ended: true
    }
  }

  /// Whether a file must be transcoded: its metadata cannot be stripped, or receivers of the class cannot play the
  /// video.
  ///
  /// Old receivers support H.263 (OMA-TS-MMS-CONF), all others H.264, in MP4 and related containers only.
  private func mustBeTranscoded(_ attachment: MediaAttachment) -> Bool {
    if metadata == .strip, stripping[attachment.id] == .impossible {
      return [.video, .audio].contains(attachment.info.kind)
    }
    guard attachment.info.kind == .video, let codec = attachment.info.videoCodec else { return false }
    let containers = ["video/mp4", "video/quicktime", "video/3gpp", "video/3gpp2"]
    guard containers.contains(attachment.info.type.rawValue) else { return true }
    return !["h263", "mpeg4"].contains(codec) && (profile.contentClass.needsH263 || codec != "h264")
  }

  private func unplayable() -> [MediaAttachment] {
    guard transcodes else { return [] }
    return composition.attachments.filter(mustBeTranscoded)
  }

  /// Maximum bytes of each video and audio file, by max-min fairness: none gets more than it has, and the rest is
  /// shared equally by those that could use more. An image's demand is its largest candidate. Empty if everything fits
  /// unchanged.
  private func transcodingBudgets() -> [TranscodingBudget] {
    let videos = composition.attachments.filter { [.video, .audio].contains($0.info.kind) }
    guard transcodes, !videos.isEmpty else { return [] }
    var wishes: [(id: MediaAttachment.ID, bytes: Int)] = videos.map { ($0.id, max(0, sentInfo($0).bytes)) }
    for id in shrinkable {
      let candidates = images[id]?.candidates ?? []
      let best = candidates.max { ($0.similarity, -$0.bytes) < ($1.similarity, -$1.bytes) }
      wishes.append((id, best?.bytes ?? 0))
    }
    let bare = emptied(wishes.map(\.id))
    var left = max(0, profile.maxMessageBytes - MessageSize.bytes(of: bare) - 3 * wishes.count)
    var shares: [MediaAttachment.ID: Int] = [:]
    for (place, wish) in wishes.sorted(by: { ($0.bytes, $0.id.rawValue) < ($1.bytes, $1.id.rawValue) }).enumerated() {
      let share = min(wish.bytes, left / (wishes.count - place))
      shares[wish.id] = share
      left -= share
    }
    return videos.compactMap { video in
      guard let share = shares[video.id], share < sentInfo(video).bytes || mustBeTranscoded(video) else { return nil }
      return TranscodingBudget(id: video.id, info: video.info, maxBytes: share, contentClass: profile.contentClass)
    }
  }
}
