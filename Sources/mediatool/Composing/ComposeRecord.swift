internal import AttachmentPolicy
internal import FileSupport
internal import MediaModel
internal import Messaging

/// The JSON record of `compose` (docs/design.md §7).
struct ComposeRecord: Encodable {
  /// The message as requested.
  let composition: MessageComposition
  let profile: CarrierProfile
  /// Number of characters of the requested subject.
  let subjectLength: Int?
  /// The files by number.
  let paths: [PathBytes]
  /// The message to send; nil if it cannot fit.
  var plan: MessageFit.Plan?
  var refusal: MessageFit.Plan.Refusal?
  /// Files that cannot be read, with the reasons.
  var failures: [(path: PathBytes, error: MediaFailure?)] = []
  /// The output file and its size in bytes.
  var written: (path: PathBytes, bytes: Int)?

  init(composition: MessageComposition, profile: CarrierProfile, subjectLength: Int?, paths: [PathBytes]) {
    self.composition = composition
    self.profile = profile
    self.subjectLength = subjectLength
    self.paths = paths
  }

  /// The attachment id of a file's number.
  static func id(_ number: Int) -> MediaAttachment.ID { MediaAttachment.ID(String(number)) }

  /// The file of an attachment.
  func path(of id: MediaAttachment.ID) -> PathBytes {
    Int(id.rawValue).flatMap { paths.indices.contains($0) ? paths[$0] : nil } ?? PathBytes("")
  }

  var type: MessageType { composition.type(under: profile) }

  /// Size in bytes of the message to send; if it cannot fit, the smallest possible size.
  var bytes: Int { written?.bytes ?? plan?.bytes ?? refusal?.bytes ?? composition.bytes(under: profile) }

  var canSend: Bool { failures.isEmpty && blockers.isEmpty }

  /// All reasons why the message cannot be sent.
  var blockers: [Blocker] {
    var blockers = (plan?.composition ?? composition).blockers(under: profile).compactMap(Blocker.init)
    if let subjectLength, subjectLength > profile.maxSubjectLength {
      blockers.append(Blocker(code: "subjectTooLong", limit: profile.maxSubjectLength, actual: subjectLength))
    }
    if paths.count > profile.maxAttachments {
      blockers.append(Blocker(code: "tooManyAttachments", limit: profile.maxAttachments, actual: paths.count))
    }
    if let refusal, !refusal.withMetadata.isEmpty {
      var blocker = Blocker(code: "metadata")
      blocker.remove = refusal.withMetadata.map(path)
      blockers.append(blocker)
    }
    // What is refused for its metadata only would fit.
    if refusal != nil { blockers = blockers.filter { $0.code != "tooLarge" } }
    if let refusal, refusal.remove != refusal.withMetadata || refusal.withMetadata.isEmpty || refusal.textExcess != nil
    {
      var blocker = Blocker(code: "cannotFit", limit: refusal.limit, actual: refusal.bytes)
      blocker.remove = refusal.remove.map(path)
      blocker.unsupported = refusal.unsupported.map(path)
      blocker.textExcess = refusal.textExcess
      blockers = blockers.filter { $0.code != "tooLarge" } + [blocker]
    }
    return blockers
  }

  /// A reason why the message cannot be sent.
  struct Blocker: Encodable {
    let code: String
    var limit: Int?
    var actual: Int?
    var addresses: [String]?
    var remove: [PathBytes] = []
    var unsupported: [PathBytes] = []
    var textExcess: Int?

    init(code: String, limit: Int? = nil, actual: Int? = nil) {
      self.code = code
      self.limit = limit
      self.actual = actual
    }

    init(_ blocker: MessageComposition.Blocker) {
      code = blocker.code
      switch blocker {
      case .tooManyRecipients(let limit, let actual), .tooLarge(let limit, let actual):
        self.limit = limit
        self.actual = actual
      case .invalidRecipients(let addresses): self.addresses = addresses
      case .noRecipient, .empty, .busy: break
      }
    }

    enum Keys: CodingKey { case code, limit, actual, addresses, remove, unsupported, textExcess }

    func encode(to encoder: any Encoder) throws {
      var values = encoder.container(keyedBy: Keys.self)
      try values.encode(code, forKey: .code)
      try values.encodeIfPresent(limit, forKey: .limit)
      try values.encodeIfPresent(actual, forKey: .actual)
      try values.encodeIfPresent(addresses, forKey: .addresses)
      if !remove.isEmpty { try values.encode(remove.map(\.text), forKey: .remove) }
      if !unsupported.isEmpty { try values.encode(unsupported.map(\.text), forKey: .unsupported) }
      try values.encodeIfPresent(textExcess, forKey: .textExcess)
    }
  }
}

extension ComposeRecord {
  private enum Keys: CodingKey {
    case type, reasons, bytes, limit, profile, sizeState, canSend, blockers, changes, kept, segments, errors, written
  }

  private struct Segments: Encodable {
    let count: Int
    let available: Int
    let perSegment: Int
    let alphabet: SMSSegmenter.Segments.Alphabet
  }

  private struct Change: Encodable {
    let path: PathBytes
    let change: MessageFit.Plan.Change

    enum Keys: CodingKey { case from, to, effects, quality, similarity }

    func encode(to encoder: any Encoder) throws {
      try PathKeys.encode(path, as: "file", to: encoder)
      var values = encoder.container(keyedBy: Keys.self)
      try values.encode(change.from, forKey: .from)
      try values.encode(change.to, forKey: .to)
      try values.encode(change.effects, forKey: .effects)
      try values.encodeIfPresent(change.quality, forKey: .quality)
      try values.encodeIfPresent(change.similarity?.rounded(toPlaces: 4), forKey: .similarity)
    }
  }

  private struct Failure: Encodable {
    let path: PathBytes
    let error: MediaFailure?

    enum Keys: CodingKey { case error }

    func encode(to encoder: any Encoder) throws {
      try PathKeys.encode(path, as: "file", to: encoder)
      var values = encoder.container(keyedBy: Keys.self)
      try values.encodeIfPresent(error, forKey: .error)
    }
  }

  func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Keys.self)
    let type = type
    try values.encode(type, forKey: .type)
    try values.encode(composition.typeReasons(under: profile), forKey: .reasons)
    try values.encode(bytes, forKey: .bytes)
    try values.encode(profile.name, forKey: .profile)
    if type == .mms { try values.encode(profile.maxMessageBytes, forKey: .limit) }
    try values.encode(sizeState, forKey: .sizeState)
    try values.encode(canSend, forKey: .canSend)
    try values.encode(blockers, forKey: .blockers)
    try values.encode((plan?.changes ?? []).map { Change(path: path(of: $0.id), change: $0) }, forKey: .changes)
    let kept = plan?.failures ?? refusal?.failures ?? [:]
    if !kept.isEmpty {
      let files = composition.attachments.compactMap { file in
        kept[file.id].map { Failure(path: path(of: file.id), error: $0) }
      }
      try values.encode(files, forKey: .kept)
    }
    if type == .sms {
      let segments = composition.segments(under: profile)
      try values.encode(
        Segments(
          count: segments.count, available: segments.available, perSegment: segments.perSegment,
          alphabet: segments.alphabet), forKey: .segments)
    }
    if !failures.isEmpty {
      try values.encode(failures.map { Failure(path: $0.path, error: $0.error) }, forKey: .errors)
    }
    if let written { try PathKeys.encode(written.path, as: "written", to: encoder) }
  }

  /// The size compared with the limit.
  var sizeState: MessageComposition.SizeState {
    guard type == .mms else { return .under }
    if bytes == profile.maxMessageBytes { return .atLimit }
    return bytes < profile.maxMessageBytes ? .under : .over
  }
}
