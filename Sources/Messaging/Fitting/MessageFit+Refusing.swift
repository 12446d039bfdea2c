internal import AttachmentPolicy
internal import MediaModel

extension MessageFit {
  /// Files that the content class does not support: in a text class all, in a class without images the images.
  var unsupported: [MediaAttachment.ID] {
    if profile.contentClass == .text { return composition.attachments.map(\.id) }
    guard !profile.maxImageSize.isPositive else { return [] }
    return composition.attachments.filter { $0.info.kind == .image }.map(\.id)
  }

  /// Finds the files to remove: as few as possible, the largest first, and none that could be kept.
  func refusal() -> Plan.Refusal {
    let unsupported = unsupported
    let smallest = smallest()
    let withMetadata = refusedForMetadata
    var remove = Set(unsupported + withMetadata)
    let order = smallest.attachments.filter { !remove.contains($0.id) }
      .sorted { ($1.info.bytes, $0.id.rawValue) < ($0.info.bytes, $1.id.rawValue) }
    for attachment in order where !fits(smallest, without: remove) { remove.insert(attachment.id) }
    let isEnough = fits(smallest, without: remove)
    if isEnough {
      // The last removal may have made an earlier one unnecessary; restore larger files first.
      for attachment in order where remove.contains(attachment.id) {
        remove.remove(attachment.id)
        if !fits(smallest, without: remove) { remove.insert(attachment.id) }
      }
    }
    let rest = Self.removing(remove, from: smallest)
    return Plan.Refusal(
      limit: profile.maxMessageBytes, bytes: MessageSize.bytes(of: smallest),
      remove: composition.attachments.map(\.id).filter(remove.contains), unsupported: unsupported,
      withMetadata: withMetadata, textExcess: isEnough ? nil : MessageSize.bytes(of: rest) - profile.maxMessageBytes,
      failures: failures)
  }

  /// The refusal of files for their metadata alone, before any image was measured.
  func metadataRefusal() -> Plan.Refusal {
    let files = refusedForMetadata
    return Plan.Refusal(
      limit: profile.maxMessageBytes, bytes: MessageSize.leastBytes(of: composition), remove: files, unsupported: [],
      withMetadata: files, textExcess: nil, failures: failures)
  }

  /// The message with every image in its smallest form.
  private func smallest() -> MessageComposition {
    var chosen: Chosen = [:]
    for id in shrinkable {
      chosen[id] = images[id]?.candidates.min { ($0.bytes, $1.similarity) < ($1.bytes, $0.similarity) }
    }
    return fitted(chosen)
  }

  private func fits(_ message: MessageComposition, without removed: Set<MediaAttachment.ID>) -> Bool {
    let rest = Self.removing(removed, from: message)
    return rest.type(under: profile) == .sms || MessageSize.bytes(of: rest) <= profile.maxMessageBytes
  }

  private static func removing(_ ids: Set<MediaAttachment.ID>, from message: MessageComposition) -> MessageComposition {
    var rest = message
    rest.content = MessageComposition.merged(
      message.content.filter { item in
        if case .attachment(let item) = item { !ids.contains(item.id) } else { true }
      })
    return rest
  }
}
