internal import AttachmentPolicy
internal import Foundation
internal import MediaModel
public import Messaging

extension MediaService {
  /// A message as it would be sent, in the words of `mediatool compose`: `{"type","reasons","bytes","limit","profile","sizeState","canSend",
  /// "blockers","changes","kept","segments","pdu"}`. Files are named by their ids in the draft.
  public struct ComposedMessage: Sendable {
    let composition: MessageComposition
    let profile: CarrierProfile
    let subjectLength: Int?
    var plan: MessageFit.Plan?
    var refusal: MessageFit.Plan.Refusal?
    /// Attachments that must not be sent.
    var unavailable: [MediaAttachment.ID] = []
    /// The M-Send.req; nil for an SMS, and for a message that cannot be sent.
    public internal(set) var pdu: [UInt8]?

    init(_ composition: MessageComposition, profile: CarrierProfile, subjectLength: Int?) {
      (self.composition, self.profile, self.subjectLength) = (composition, profile, subjectLength)
    }

    /// Whether it is an SMS or an MMS.
    public var type: MessageType { composition.type(under: profile) }

    /// Size of the message in bytes; if it cannot fit, the smallest possible size.
    public var bytes: Int { pdu?.count ?? plan?.bytes ?? refusal?.bytes ?? composition.bytes(under: profile) }

    /// Whether it can be sent.
    public var canSend: Bool { blockers.isEmpty }

    /// The stable names of the reasons why it cannot be sent.
    public var blockerCodes: [String] { blockers.map(\.code) }

    /// The same reasons with their ways out, a sentence each, for users.
    public var blockerSentences: [String] { blockers.map(\.sentence) }

    /// All reasons why it cannot be sent.
    var blockers: [Blocker] {
      var blockers = (plan?.composition ?? composition).blockers(under: profile).map(Blocker.init)
      if let subjectLength, subjectLength > profile.maxSubjectLength {
        let limit = profile.maxSubjectLength
        blockers.append(
          Blocker(
            code: "subjectTooLong",
            sentence: "The subject has \(subjectLength.grouped) characters; the limit is \(limit.grouped).",
            limit: limit, actual: subjectLength))
      }
      let files = composition.attachments.count
      if files > profile.maxAttachments {
        let limit = profile.maxAttachments
        blockers.append(
          Blocker(
            code: "tooManyAttachments",
            sentence: "The message has \(files.grouped) attachments; the limit is \(limit.grouped).",
            limit: limit, actual: files))
      }
      if !unavailable.isEmpty {
        blockers.append(
          Blocker(
            code: "unavailable",
            sentence: "Some attachments were erased, are blocked, or were not scanned yet; remove them.",
            remove: unavailable.map(\.rawValue)))
      }
      guard let refusal else { return blockers }
      // What is refused for its metadata only would fit.
      blockers.removeAll { $0.code == "tooLarge" }
      if !refusal.withMetadata.isEmpty {
        blockers.append(
          Blocker(
            code: "metadata",
            sentence: "Some attachments have metadata that is not allowed or cannot be removed; remove them.",
            remove: refusal.withMetadata.map(\.rawValue)))
      }
      if refusal.remove != refusal.withMetadata || refusal.withMetadata.isEmpty || refusal.textExcess != nil {
        let (needed, limit) = HumanNumbers.sizes(refusal.bytes, limit: refusal.limit)
        blockers.append(
          Blocker(
            code: "cannotFit", sentence: "It needs \(needed); the limit is \(limit).",
            limit: refusal.limit, actual: refusal.bytes, remove: refusal.remove.map(\.rawValue),
            unsupported: refusal.unsupported.isEmpty ? nil : refusal.unsupported.map(\.rawValue),
            textExcess: refusal.textExcess))
      }
      return blockers
    }

    /// A reason why the message cannot be sent.
    struct Blocker: Encodable {
      var code: String
      /// For the problem of a request that wants the PDU alone; JSON has the code.
      var sentence: String
      var limit: Int?
      var actual: Int?
      var addresses: [String]?
      var remove: [String]?
      var unsupported: [String]?
      var textExcess: Int?

      private enum CodingKeys: CodingKey { case code, limit, actual, addresses, remove, unsupported, textExcess }
    }
  }
}

extension MediaService.ComposedMessage.Blocker {
  init(_ blocker: MessageComposition.Blocker) {
    self.init(code: blocker.code, sentence: blocker.sentence)
    switch blocker {
    case .tooManyRecipients(let limit, let actual), .tooLarge(let limit, let actual):
      (self.limit, self.actual) = (limit, actual)
    case .invalidRecipients(let addresses): self.addresses = addresses
    case .noRecipient, .empty, .busy: break
    }
  }
}

extension MediaService.ComposedMessage: Encodable {
  private enum Keys: CodingKey {
    case type, reasons, bytes, limit, profile, sizeState, canSend, blockers, changes, kept, segments, pdu
  }

  private struct Change: Encodable {
    let file: String
    let from: MessageFit.Plan.Change.File
    let to: MessageFit.Plan.Change.File
    let effects: [MessageFit.Plan.Change.Effect]
    let quality: Int?
    let similarity: Double?

    init(_ change: MessageFit.Plan.Change) {
      (file, from, to) = (change.id.rawValue, change.from, change.to)
      (effects, quality) = (change.effects, change.quality)
      similarity = change.similarity.map { ($0 * 10_000).rounded() / 10_000 }
    }
  }

  private struct Kept: Encodable {
    let file: String
    let error: MediaFailure
  }

  /// Encodes the message; the PDU in base64.
  public func encode(to encoder: any Encoder) throws {
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
    try values.encode((plan?.changes ?? []).map(Change.init), forKey: .changes)
    let kept = plan?.failures ?? refusal?.failures ?? [:]
    if !kept.isEmpty {
      let files = composition.attachments.compactMap { file in
        kept[file.id].map { Kept(file: file.id.rawValue, error: $0) }
      }
      try values.encode(files, forKey: .kept)
    }
    if type == .sms { try values.encode(MediaService.TextAnswer(composition.text).segments, forKey: .segments) }
    try values.encodeIfPresent(pdu.map { Data($0).base64EncodedString() }, forKey: .pdu)
  }

  /// The size compared with the limit.
  private var sizeState: MessageComposition.SizeState {
    guard type == .mms else { return .under }
    if bytes == profile.maxMessageBytes { return .atLimit }
    return bytes < profile.maxMessageBytes ? .under : .over
  }
}
