internal import AttachmentPolicy
internal import FileSupport
internal import Foundation
internal import MMSCodec
internal import MediaEngine
internal import MediaLibrary
internal import MediaModel
internal import MessageFitting
public import Messaging

extension MediaService {
  /// What to compose: a draft, or attachments with a text.
  public struct CompositionRequest: Decodable, Sendable {
    /// The draft whose text and attachments are the content.
    public var draft: String?
    /// The attachments, if no draft is given.
    public var attachments: [String]?
    /// The text, if no draft is given. It comes first.
    public var text: String?
    /// The recipients: phone numbers and e-mail addresses.
    public var to: [String]?
    /// The subject.
    public var subject: String?
    /// The carrier's limits: a preset, or an object as in a profile file. Default `mms-300k`.
    public var profile: ProfileChoice?
    /// What happens to metadata. Default `strip`. For an owner whose location-sharing setting is `none`, `keep` is treated as `strip`.
    public var metadata: MessageFit.MetadataRule?
    /// Whether videos and audio files that are too long are cut. Default false.
    public var cut: Bool?
    /// Whether to request a delivery report. Default false.
    public var deliveryReport: Bool?
    /// Whether to request read reports. Default false.
    public var readReport: Bool?

    /// An empty message.
    public init() {}

    /// A profile as a request names it.
    public struct ProfileChoice: Decodable, Sendable {
      /// The limits and features of the carrier that the choice means.
      public var profile: CarrierProfile

      /// Reads a string as the name of a preset, and an object as in a profile file. An unknown name is an error that lists the presets.
      public init(from decoder: any Decoder) throws {
        guard let name = try? decoder.singleValueContainer().decode(String.self) else {
          profile = try CarrierProfile(from: decoder)
          return
        }
        guard let preset = CarrierProfile.preset(name) else {
          let names = CarrierProfile.presets.map(\.name).joined(separator: ", ")
          throw DecodingError.dataCorrupted(
            DecodingError.Context(
              codingPath: decoder.codingPath, debugDescription: "unknown preset; expected \(names)"))
        }
        profile = preset
      }
    }
  }

  /// Composes a multimedia message within a carrier's limit: images are reduced, videos and audio files transcoded as far as needed.
  ///
  /// Takes seconds; a task that is cancelled ends the work. Nothing is stored and nothing is sent.
  /// - Returns: What was changed and, if the message is a multimedia message that can be sent, its M-Send.req.
  /// - Throws: `notFound` for a draft or an attachment that is not the caller's.
  public func compose(_ request: CompositionRequest, for caller: Caller) async throws(ServiceError) -> ComposedMessage {
    try caller.require(.read)
    let profile = request.profile?.profile ?? CarrierProfile()
    guard profile.maxMessageBytes <= Self.maxMessageBytes, profile.maxAttachments <= 100 else {
      throw ServiceError(
        .invalidRequest, "A profile can allow at most 8 MiB (8,388,608 bytes) and 100 attachments.",
        numbers: ["limit": Self.maxMessageBytes])
    }
    var draft = AttachmentDraft(text: request.text ?? "")
    if let id = request.draft {
      draft = try await openDraft(id, of: caller).draft
    } else {
      let files = try await draftAttachments(
        (request.attachments ?? []).map { DraftAddition(attachment: $0) }, of: caller)
      draft = AttachmentDraft(text: draft.text, items: files.map { AttachmentDraft.Item($0, upload: .uploaded) })
    }
    let composition = MessageComposition(
      content: [.text(draft.text)] + draft.items.map { .attachment($0) },
      recipients: (request.to ?? []).map { MessageRecipient($0) }, subject: request.subject)
    var answer = ComposedMessage(composition, profile: profile, subjectLength: request.subject?.count)
    answer.unavailable = try await unavailable(draft.items, of: caller.owner)
    // Nothing is encoded for a message with too many files, or with one that must not be sent.
    guard draft.items.count <= profile.maxAttachments, answer.unavailable.isEmpty else { return answer }
    var fitter = MessageFitter(
      engine: engine, transcoder: EngineTranscoder(engine: engine, mayCut: request.cut ?? false))
    fitter.metadata = request.metadata ?? .strip
    if fitter.metadata == .keep {
      let rule = try await ServiceError.mapping { try await delivers(caller.owner) }
      if rule != .keep { fitter.metadata = .strip }
    }
    fitter.domain = .owner(caller.owner)
    let sources = try await sources(of: draft, owner: caller.owner)
    let outcome = try await ServiceError.mapping { [fitter] in
      try await fitter.fit(composition, under: profile, files: sources)
    }
    switch outcome {
    case .refused(let refusal): answer.refusal = refusal
    case .fitted(let message):
      answer.plan = message.plan
      guard answer.type == .mms, answer.canSend else { break }
      var options = MessageComposition.SendOptions(transactionID: UUID().uuidString, date: now())
      options.requestsDeliveryReport = request.deliveryReport ?? false
      options.requestsReadReport = request.readReport ?? false
      answer.pdu = try await ServiceError.mapping { try message.sendRequest(options).encoded() }
    }
    return answer
  }

  /// The attachments of which nothing is put into a message: they were erased, are blocked, or were not found clean yet.
  private func unavailable(
    _ items: [AttachmentDraft.Item], of owner: String
  ) async throws(ServiceError) -> [MediaAttachment.ID] {
    let ids = items.compactMap { $0.attachment.asset.flatMap { FileID($0) } }
    let files = try await files(ids, of: owner)
    let addresses = try await AttachmentAddresses(of: ids, in: self)
    let unscanned = try await ServiceError.mapping { try await held(Array(files.values)) }
    return items.compactMap { item -> MediaAttachment.ID? in
      guard let id = item.attachment.asset.flatMap({ FileID($0) }) else { return nil }
      guard let file = files[id], [.done, .failed].contains(file.state), !addresses.isHidden(id),
        !unscanned.contains(id)
      else { return item.id }
      return nil
    }
  }

  /// The originals of a draft's attachments.
  private func sources(
    of draft: AttachmentDraft, owner: String
  ) async throws(ServiceError) -> [MediaAttachment.ID: MediaSource] {
    let files = try await files(draft.items.compactMap { $0.attachment.asset.flatMap { FileID($0) } })
    return draft.items.reduce(into: [:]) { sources, item in
      guard let file = item.attachment.asset.flatMap({ FileID($0) }).flatMap({ files[$0] }), file.owner == owner else {
        return
      }
      sources[item.id] = .path(bytes: file.stamp.path.bytes)
    }
  }
}
