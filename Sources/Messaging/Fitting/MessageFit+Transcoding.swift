internal import AttachmentPolicy
internal import MediaModel

extension MessageFit {
  /// Whether a file must be transcoded: its metadata cannot be stripped, or receivers of the class cannot play the
  /// video.
  ///
  /// Old receivers support H.263 (OMA-TS-MMS-CONF), all others H.264, in MP4 and related containers only.
  func mustBeTranscoded(_ attachment: MediaAttachment) -> Bool {
    if metadata == .strip, stripping[attachment.id] == .impossible {
      return [.video, .audio].contains(attachment.info.kind)
    }
    guard attachment.info.kind == .video, let codec = attachment.info.videoCodec else { return false }
    let containers = ["video/mp4", "video/quicktime", "video/3gpp", "video/3gpp2"]
    guard containers.contains(attachment.info.type.rawValue) else { return true }
    return !["h263", "mpeg4"].contains(codec) && (profile.contentClass.needsH263 || codec != "h264")
  }

  func unplayable() -> [MediaAttachment] {
    guard transcodes else { return [] }
    return composition.attachments.filter(mustBeTranscoded)
  }

  /// Maximum bytes of each video and audio file, by max-min fairness: none gets more than it has, and the rest is
  /// shared equally by those that could use more. An image's demand is its largest candidate. Empty if everything fits
  /// unchanged.
  func transcodingBudgets() -> [TranscodingBudget] {
    let videos = composition.attachments.filter { [.video, .audio].contains($0.info.kind) }
    guard transcodes, !videos.isEmpty else { return [] }
    var wishes: [(id: MediaAttachment.ID, bytes: Int)] = videos.map { ($0.id, max(0, sentInfo($0).bytes)) }
    for id in shrinkable {
      let candidates = images[id]?.candidates ?? []
      let best = candidates.max { ($0.similarity, -$0.bytes) < ($1.similarity, -$1.bytes) }
      wishes.append((id, best?.bytes ?? 0))
    }
    let empty = emptied(wishes.map(\.id))
    var left = max(0, profile.maxMessageBytes - MessageSize.bytes(of: empty) - 3 * wishes.count)
    var shares: [MediaAttachment.ID: Int] = [:]
    for (position, wish) in wishes.sorted(by: { ($0.bytes, $0.id.rawValue) < ($1.bytes, $1.id.rawValue) }).enumerated()
    {
      let share = min(wish.bytes, left / (wishes.count - position))
      shares[wish.id] = share
      left -= share
    }
    return videos.compactMap { video in
      guard let share = shares[video.id], share < sentInfo(video).bytes || mustBeTranscoded(video) else { return nil }
      return TranscodingBudget(id: video.id, info: video.info, maxBytes: share, contentClass: profile.contentClass)
    }
  }
}
