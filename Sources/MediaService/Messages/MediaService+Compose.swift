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
  /// What to compose: a draft, the draft of a thread, or attachments with a text.
  public struct CompositionRequest: Decodable, Sendable {
    /// The draft whose text and attachments are the content.
    public var draft: String?
    /// The thread whose draft is the content, with its subject, and its recipients if no others are given.
    public var thread: String?
    /// The attachments, if no draft is given.
    public var attachments: [String]?
    /// The text, if no draft is given. It comes first.
    public var text: String?
    /// The recipients: phone numbers and e-mail addresses.
    public var to: [String]?
    /// The subject of the message. Default nil: none; a subject makes it an MMS.
    public var subject: String?
    /// The carrier's limits: a preset, or an object as in a profile file. Default `mms-300k`.
    public var profile: ProfileChoice?
    /// What happens to metadata. Default `strip`. For an owner whose location-sharing setting is `none`, `keep` is treated as `strip`.
    public var metadata: MessageFit.MetadataRule?
    /// Whether videos and audio files that are too long are cut. Default false.
    public var cut: Bool?
    /// Whether to request a delivery report. Default: `requestsMMSDeliveryReports` of the owner's settings.
    public var deliveryReport: Bool?
    /// Whether to request read reports. Default: `requestsReadReports` of the owner's settings.
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
              codingPath: decoder.codingPath, debugDescription: "unknown preset '\(name)'; expected \(names)"))
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
    var draft = AttachmentDraft(text: request.text ?? "")
    var recipients = (request.to ?? []).map { MessageRecipient($0) }
    let composition: MessageComposition
    if let thread = request.thread {
      let kept = try await draftOfThread(thread, of: caller)
      recipients = request.to == nil ? kept.recipients : recipients
      composition = MessageComposition(
        content: kept.content, recipients: recipients, subject: request.subject ?? kept.sentSubject)
    } else {
      if let id = request.draft {
        draft = try await openDraft(id, of: caller).draft
      } else {
        let files = try await draftAttachments(
          (request.attachments ?? []).map { DraftAddition(attachment: $0) }, of: caller)
        draft = AttachmentDraft(text: draft.text, items: files.map { AttachmentDraft.Item($0, upload: .uploaded) })
      }
      composition = MessageComposition(
        content: [.text(draft.text)] + draft.items.map { .attachment($0) }, recipients: recipients,
        subject: request.subject)
    }
    let (fitted, message) = try await fit(composition, request, for: caller)
    var answer = fitted
    if let message, answer.type == .mms, answer.canSend {
      var options = MessageComposition.SendOptions(transactionID: UUID().uuidString, date: now())
      let settings = try await messageSettings(for: caller)
      options.requestsDeliveryReport = request.deliveryReport ?? settings.requestsMMSDeliveryReports
      options.requestsReadReport = request.readReport ?? settings.requestsReadReports
      answer.pdu = try await ServiceError.mapping { try message.sendRequest(options).encoded() }
    }
    return answer
  }

  /// Fits a message of the caller into the limits of a request.
  /// - Returns: What was changed, and the message with its files; nil if it cannot be fitted.
  func fit(
    _ composition: MessageComposition, _ request: CompositionRequest, for caller: Caller
  ) async throws(ServiceError) -> (ComposedMessage, MessageFitter.Fitted?) {
    let profile = request.profile?.profile ?? CarrierProfile()
    guard profile.maxMessageBytes <= Self.maxMessageBytes, profile.maxAttachments <= 100 else {
      throw ServiceError(
        .invalidRequest,
        "A profile can allow at most \(HumanNumbers.limit(Self.maxMessageBytes)) and 100 attachments.",
        numbers: ["limit": Self.maxMessageBytes])
    }
    var answer = ComposedMessage(composition, profile: profile, subjectLength: composition.sentSubject?.count)
    answer.unavailable = try await unavailable(composition.attachments, of: caller.owner)
    // Nothing is encoded for a message with too many files, or with one that must not be sent.
    guard composition.attachments.count <= profile.maxAttachments, answer.unavailable.isEmpty else {
      return (answer, nil)
    }
    var fitter = MessageFitter(
      engine: engine, transcoder: EngineTranscoder(engine: engine, mayCut: request.cut ?? false))
    fitter.metadata = request.metadata ?? .strip
    if fitter.metadata == .keep {
      let rule = try await ServiceError.mapping { try await delivers(caller.owner) }
      if rule != .keep { fitter.metadata = .strip }
    }
    fitter.domain = .owner(caller.owner)
    let sources = try await sources(of: composition.attachments, owner: caller.owner)
    let outcome = try await ServiceError.mapping { [fitter] in
      try await fitter.fit(composition, under: profile, files: sources)
    }
    switch outcome {
    case .refused(let refusal):
      answer.refusal = refusal
      return (answer, nil)
    case .fitted(let message):
      answer.plan = message.plan
      // One may have been blocked while it was encoded.
      answer.unavailable = try await unavailable(composition.attachments, of: caller.owner)
      return (answer, answer.unavailable.isEmpty ? message : nil)
    }
  }

  /// The attachments of which nothing is put into a message: they were erased, are blocked, or were not found clean yet.
  private func unavailable(
    _ attachments: [MediaAttachment], of owner: String
  ) async throws(ServiceError) -> [MediaAttachment.ID] {
    let ids = attachments.compactMap(\.fileID)
    let files = try await files(ids, of: owner)
    let addresses = try await AttachmentAddresses(of: ids, in: self)
    let unscanned = try await ServiceError.mapping { try await held(Array(files.values)) }
    return attachments.compactMap { item -> MediaAttachment.ID? in
      guard let id = item.fileID else { return nil }
      guard let file = files[id], [.done, .failed].contains(file.state), !addresses.isHidden(id),
        !unscanned.contains(id)
      else { return item.id }
      return nil
    }
  }

  /// The digests of the originals of attachments.
  func contents(
    of attachments: [MediaAttachment], owner: String
  ) async throws(ServiceError) -> [MediaAttachment.ID: ContentDigest] {
    let files = try await files(attachments.compactMap(\.fileID), of: owner)
    return attachments.reduce(into: [:]) { contents, item in
      contents[item.id] = item.fileID.flatMap { files[$0]?.digest }
    }
  }

  /// The originals of attachments.
  private func sources(
    of attachments: [MediaAttachment], owner: String
  ) async throws(ServiceError) -> [MediaAttachment.ID: MediaSource] {
    let files = try await files(attachments.compactMap(\.fileID), of: owner)
    return attachments.reduce(into: [:]) { sources, item in
      guard let file = item.fileID.flatMap({ files[$0] }) else { return }
      sources[item.id] = .path(bytes: file.stamp.path.bytes)
    }
  }
}
