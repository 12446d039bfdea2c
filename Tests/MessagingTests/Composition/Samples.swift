internal import AttachmentPolicy
internal import MediaModel
internal import Messaging

extension MediaAttachment {
  /// A JPEG of so many bytes.
  static func image(_ id: MediaAttachment.ID, bytes: Int = 1_000) -> MediaAttachment {
    var info = MediaInfo(type: .jpeg, bytes: bytes)
    info.width = 4_000
    info.height = 3_000
    return MediaAttachment(id: id, name: "\(id).jpg", info: info)
  }

  /// A video of so many bytes.
  static func video(_ id: MediaAttachment.ID, bytes: Int = 1_000) -> MediaAttachment {
    MediaAttachment(
      id: id, name: "\(id).mp4", info: MediaInfo(type: MediaType("video/mp4"), bytes: bytes))
  }
}

extension MessageComposition {
  /// Text to one number.
  static func text(_ text: String, to recipients: String...) -> MessageComposition {
    MessageComposition(content: [.text(text)], recipients: recipients.map { MessageRecipient($0) })
  }
}
