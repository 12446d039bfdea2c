public import AttachmentPolicy
public import MediaModel

/// Fits a message to a carrier's limit: decides which sizes and qualities of its images are tried, and which are sent.
///
/// Pure: it names what has to be measured, and whoever has the files and an engine does that, as `MessageFitter` of the library MessageFitting does.
///
/// ```
/// var fit = MessageFit(composition, under: profile)
/// while true {
///   switch fit.next() {
///   case .strip(let videos): BareFilm.bytes(of: …), fit.record(…)
///   case .measure(let images): make every form, fit.record(…)
///   case .transcode(let budgets): fit.record(…)
///   case .done(let outcome): return outcome
///   }
/// }
/// ```
///
/// Texts and all that cannot be made smaller have their bytes first. The rest is shared so that the sum of the images' similarities
/// (``FitCandidate/similarity``) is as large as the limit allows; an image that gains more from a byte gets it. An image is encoded at most
/// ``maxTrials`` times.
public struct MessageFit: Sendable {
  /// What to make of one image, and to measure.
  public struct Measurement: Hashable, Sendable {
    /// Which.
    public var id: MediaAttachment.ID
    /// Its facts.
    public var info: MediaInfo
    /// The part to be sent, in upright pixels; nil for all.
    public var crop: PixelRect?
    /// The box in which similarity is measured.
    public var displayBox: PixelSize
    /// The forms; never empty.
    public var forms: [FitForm]
    /// Whether a profile in the file is sRGB.
    public var isSRGB: Bool
    /// Whether a JPEG has to be baseline to go as it is.
    public var isBaseline: Bool
  }

  /// A video or an audio file that has to become smaller, or another.
  public struct TranscodingBudget: Hashable, Sendable {
    /// Which.
    public var id: MediaAttachment.ID
    /// Its facts.
    public var info: MediaInfo
    /// The most bytes that it may have.
    public var maxBytes: Int
    /// What every receiver can show.
    public var contentClass: CarrierProfile.ContentClass
  }

  /// What came of taking the metadata out of a video or an audio file (``VideoMetadataStripper``).
  public enum Stripping: Hashable, Sendable {
    /// There were none: the bytes are the same.
    case unchanged
    /// They are out; the length is the same.
    case stripped
    /// It is not built so that this can be done: it has to be encoded anew.
    case impossible
  }

  /// What is to be done next.
  public enum Step: Hashable, Sendable {
    /// Take the metadata out of these videos and audio files, as ``VideoMetadataStripper`` does, and tell `record(_:of:)`.
    case strip([MediaAttachment.ID])
    /// Make these forms and tell ``MessageFit/record(_:tried:of:)``.
    case measure([Measurement])
    /// Encode these videos and audio files anew and tell `record(_:of:)`.
    case transcode([TranscodingBudget])
    /// It has ended.
    case done(FitOutcome)
  }

  /// How often one image is encoded at most: 16 first trials, and one in each of three rounds.
  public static let maxTrials = 19
  private static let rounds = 3

  private enum Phase {
    case metadata, originals, curves, videos
    case refining(Int)
    case ended
  }

  let composition: MessageComposition
  let profile: CarrierProfile
  private let transcodes: Bool
  private var phase = Phase.metadata
  var images: [MediaAttachment.ID: FitImage] = [:]
  /// Videos and audio files as they became.
  var transcoded: [MediaAttachment.ID: MediaInfo] = [:]
  /// Videos and audio files that go as they are, if they do, without their metadata.
  var stripping: [MediaAttachment.ID: Stripping] = [:]
  /// Those that were to become others and could not.
  var notTranscoded: [MediaAttachment.ID: MediaFailure] = [:]

  /// The beginning.
  /// - Parameters:
  ///   - composition: The message.
  ///   - profile: The carrier's.
  ///   - transcodes: Whether somebody is there to encode videos and audio files anew. Default false: they go as they are.
  public init(_ composition: MessageComposition, under profile: CarrierProfile, transcodes: Bool = false) {
    self.composition = composition
    self.profile = profile
    self.transcodes = transcodes
    for attachment in composition.attachments {
      images[attachment.id] = FitImage(attachment, under: profile)
    }
  }

  /// What is to be done next. Everything of the step before has to be recorded.
  public mutating func next() -> Step {
    while true {
      switch phase {
      case .metadata:
        phase = .originals
        if composition.type(under: profile) == .sms { return end(.fitted(plan([:]))) }
        guard unsupported.isEmpty else { return end(.refused(refusal())) }
        let videos = composition.attachments.filter(tellsTooMuch).map(\.id)
        if !videos.isEmpty { return .strip(videos) }
      case .originals:
        phase = .curves
        let forms = measurements { $0.mayGoAsIs ? [FitForm(.asIs, box: $0.largest)] : [] }
        if !forms.isEmpty { return .measure(forms) }
      case .curves:
        phase = .videos
        // Where everything fits as it is, nothing is to be gained by trying.
        if shrinkable.allSatisfy({ id in images[id]?.candidates.isEmpty == false }), let chosen = select() {
          if unplayable().isEmpty { return end(.fitted(plan(chosen))) }
        }
        let forms = measurements(\.firstForms)
        if !forms.isEmpty { return .measure(forms) }
      case .videos:
        phase = .refining(0)
        let budgets = transcodingBudgets()
        if !budgets.isEmpty { return .transcode(budgets) }
      case .refining(let round):
        phase = .refining(round + 1)
        guard round < Self.rounds else { return end(finished()) }
        let forms = promising()
        guard !forms.isEmpty else { return end(finished()) }
        return .measure(forms)
      case .ended: return .done(finished())
      }
    }
  }

  /// Takes what came of an image's forms; a form that could not be made is simply not among them.
  /// - Parameter forms: All that were tried.
  public mutating func record(_ made: [FitCandidate], tried forms: [FitForm], of id: MediaAttachment.ID) {
    images[id]?.record(made, tried: forms)
  }

  /// Takes that nothing can be made of an image, a video or an audio file: it goes as it is.
  public mutating func record(_ failure: MediaFailure, of id: MediaAttachment.ID) {
    if images[id] == nil { notTranscoded[id] = failure }
    images[id]?.fail(failure)
  }

  /// Takes what came of taking out metadata. A file of which they cannot be taken out is one that has to be encoded anew; where nobody is there to
  /// do that, it goes with them, and is among the failures.
  public mutating func record(_ result: Stripping, of id: MediaAttachment.ID) {
    stripping[id] = result
    if result == .impossible {
      notTranscoded[id] = MediaFailure(.unsupported, "Its metadata cannot be taken out where they are.")
    }
  }

  /// Takes what became of a video or an audio file; nil when nothing did, and it goes as it is.
  public mutating func record(_ info: MediaInfo?, of id: MediaAttachment.ID) {
    guard let info, let item = composition.attachments.first(where: { $0.id == id }), info.bytes > 0,
      info.bytes < item.info.bytes || mustBeTranscoded(item)
    else { return }
    transcoded[id] = info
    notTranscoded[id] = nil
  }

  private mutating func end(_ outcome: FitOutcome) -> Step {
    phase = .ended
    return .done(outcome)
  }

  private func finished() -> FitOutcome { select().map { .fitted(plan($0)) } ?? .refused(refusal()) }

  /// Images that can be made smaller, in the order of the message.
  var shrinkable: [MediaAttachment.ID] {
    composition.attachments.map(\.id).filter { images[$0].map { $0.failure == nil } ?? false }
  }

  private func measurements(_ forms: (FitImage) -> [FitForm]) -> [Measurement] {
    shrinkable.compactMap { id in
      guard let image = images[id] else { return nil }
      let forms = forms(image).filter { !image.isTried($0) }
      guard !forms.isEmpty else { return nil }
      return Measurement(
        id: id, info: image.attachment.info, crop: image.attachment.crop, displayBox: image.largest, forms: forms,
        isSRGB: image.isSRGB, isBaseline: profile.contentClass.lacksPNG)
    }
  }

  /// The forms between those that were tried that would be chosen if they are as they seem.
  private func promising() -> [Measurement] {
    let estimated = shrinkable.reduce(into: [:]) { $0[$1] = images[$1]?.estimated ?? [] }
    guard let chosen = select(from: estimated) else { return [] }
    return measurements { image in chosen[image.attachment.id].map { [$0.form] } ?? [] }
  }
}

extension MessageFit {
  /// Files that the class does not take: of a class of text all, of one without images the images.
  var unsupported: [MediaAttachment.ID] {
    if profile.contentClass == .text { return composition.attachments.map(\.id) }
    guard !profile.maxImageSize.isPositive else { return [] }
    return composition.attachments.filter { $0.info.kind == .image }.map(\.id)
  }

  /// Whether a file says more than its sender may know, and is small enough to go as it is: any video, and an audio file that names a place. What else a
  /// audio tells, its title and its cover, is what it is.
  private func tellsTooMuch(_ attachment: MediaAttachment) -> Bool {
    let info = attachment.info
    let hasLocation = info.latitude != nil || info.longitude != nil || info.altitude != nil
    return info.bytes <= profile.maxMessageBytes && (info.kind == .video || info.kind == .audio && hasLocation)
  }

  /// Whether its metadata cannot be taken out, or receivers of the class cannot play a video as it is: the old ones know H.263
  /// (OMA-TS-MMS-CONF), all others H.264, and none another container than MP4 and its kin.
  private func mustBeTranscoded(_ attachment: MediaAttachment) -> Bool {
    if stripping[attachment.id] == .impossible { return true }
    guard attachment.info.kind == .video, let codec = attachment.info.videoCodec else { return false }
    let containers = ["video/mp4", "video/quicktime", "video/3gpp", "video/3gpp2"]
    guard containers.contains(attachment.info.type.rawValue) else { return true }
    return !["h263", "mpeg4"].contains(codec) && (profile.contentClass.needsH263 || codec != "h264")
  }

  private func unplayable() -> [MediaAttachment] {
    guard transcodes else { return [] }
    return composition.attachments.filter(mustBeTranscoded)
  }

  /// How many bytes each video and audio may have: nobody gets more than it has, and what is left is shared equally by those that could use more
  /// (max-min fairness), an image's wish being the most bytes that a trial of it took. None where all fits as it is.
  private func transcodingBudgets() -> [TranscodingBudget] {
    let videos = composition.attachments.filter { [.video, .audio].contains($0.info.kind) }
    guard transcodes, !videos.isEmpty else { return [] }
    var wishes: [(id: MediaAttachment.ID, bytes: Int)] = videos.map { ($0.id, max(0, $0.info.bytes)) }
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
      guard let share = shares[video.id], share < video.info.bytes || mustBeTranscoded(video) else { return nil }
      return TranscodingBudget(id: video.id, info: video.info, maxBytes: share, contentClass: profile.contentClass)
    }
  }
}
