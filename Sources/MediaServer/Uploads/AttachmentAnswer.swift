internal import AttachmentPolicy
internal import MediaLibrary
internal import MediaModel
internal import MediaService
internal import Messaging

/// The body of the answer to a finished upload (docs/uploads.md).
struct AttachmentAnswer: Encodable {
  var id: String
  var name: String?
  var verdict: Verdict
  var info: MediaInfo
  var placeholder: Placeholder?
  var module: MessageModule?
  /// Addresses by name: `original`, and each rendition.
  var urls: [String: String]
  /// Why there is no image.
  var error: MediaFailure?
  /// True if it is scanned for malware later; absent if not.
  var held: Bool?
  /// The draft for which it was uploaded.
  var draft: Addition?

  struct Addition: Encodable {
    var id: String
    var added: Bool
    var version: Int?
    var reasons: [Verdict.Reason]?
  }

  init(_ attachment: IngestedAttachment, urls: [String: String]) {
    (id, name, verdict) = ("\(attachment.id.rawValue)", attachment.name, attachment.verdict)
    (info, placeholder, error) = (attachment.info, attachment.placeholder, attachment.failure)
    held = attachment.isHeld
    // An administrator's text, which may quote the file.
    error?.detail = nil
    info.error?.detail = nil
    draft = attachment.draft.map {
      Addition(id: $0.id, added: $0.isAdded, version: $0.version, reasons: $0.reasons.isEmpty ? nil : $0.reasons)
    }
    module = attachment.module(addresses: urls)
    self.urls = urls
  }
}

/// The body of the answer to `GET /v1/uploads/{id}`.
struct UploadAnswer: Encodable {
  var state: Upload.State
  var offset: Int
  var length: Int?
  var expires: String
  var draft: String?
  var attachment: AttachmentAnswer?
  var verdict: Verdict?
  /// Why it was refused.
  var code: String?

  init(_ upload: Upload, urls: [String: String]) {
    (state, offset, length) = (upload.state, upload.offset, upload.length)
    draft = upload.claims.draft
    expires = HTTPDate.iso8601(upload.expires)
    attachment = upload.attachment.map { AttachmentAnswer($0, urls: urls) }
    verdict = upload.attachment?.verdict ?? upload.refusal?.verdict
    code = upload.refusal?.code.rawValue
  }
}
