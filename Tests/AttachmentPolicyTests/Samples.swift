internal import AttachmentPolicy
internal import MediaModel

/// Attachments as tests need them; what a test does not name is unremarkable.
enum Sample {
  static func info(_ type: MediaType = .jpeg, bytes: Int = 1_000, width: Int? = 40, height: Int? = 30) -> MediaInfo {
    var info = MediaInfo(type: type, bytes: bytes)
    if info.kind == .image || info.kind == .video { (info.width, info.height) = (width, height) }
    return info
  }

  static func photo(
    _ id: String, bytes: Int = 1_000, asset: String? = nil, digest: String? = nil,
    _ change: (inout MediaInfo) -> Void = { _ in }
  ) -> MediaAttachment {
    var info = info(bytes: bytes)
    info.sha256 = digest
    change(&info)
    return MediaAttachment(id: MediaAttachment.ID(id), asset: asset.map { AssetID($0) }, info: info)
  }

  static func file(
    _ id: String, _ type: MediaType, bytes: Int = 1_000, _ change: (inout MediaInfo) -> Void = { _ in }
  ) -> MediaAttachment {
    var info = info(type, bytes: bytes)
    change(&info)
    return MediaAttachment(id: MediaAttachment.ID(id), info: info)
  }

  static func photos(_ count: Int, bytes: Int = 1_000) -> [MediaAttachment] {
    (0..<count).map { photo("p\($0)", bytes: bytes) }
  }

  /// A draft of those attachments, whatever rules would say.
  static func draft(_ attachments: [MediaAttachment], text: String = "") -> AttachmentDraft {
    var draft = AttachmentDraft(text: text)
    _ = draft.add(attachments, under: unlimited)
    return draft
  }

  /// Rules under which everything goes.
  static var unlimited: AttachmentRules {
    var rules = AttachmentRules()
    rules.maxAttachments = nil
    rules.maxFileBytes = nil
    rules.maxPixels = nil
    rules.refusedMismatches = []
    rules.refusesSameAsset = false
    rules.refusesSameContent = false
    rules.refusesDamagedFiles = false
    return rules
  }
}
