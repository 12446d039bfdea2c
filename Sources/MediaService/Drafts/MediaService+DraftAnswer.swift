public import AttachmentPolicy
internal import Foundation
internal import GRDB
internal import MediaLibrary
public import MediaModel

extension MediaService {
  /// A draft as its owner sees it, in the words of the interface.
  public struct DraftAnswer: Encodable, Sendable {
    /// The id of the draft, which is in its path (`/v1/drafts/{draft}`).
    public var id: String
    /// Counts its changes, from 1: an edit may state the version that it is made for.
    public var version: Int
    /// The thread that it belongs to.
    public var thread: String?
    /// The text as typed.
    public var text: String
    /// When it last changed.
    public var changed: MediaInfo.CaptureTime?
    /// The attachments in sending order.
    public var attachments: [Attachment]
    /// Uploads that will become attachments.
    public var uploads: [Upload]
    /// How many more can be added; nil without a limit.
    public var remaining: Int?
    /// Whether no more can be added.
    public var limitReached: Bool
    /// Whether it can be committed.
    public var canSend: Bool
    /// Why it cannot.
    public var blockers: [Blocker]
    /// What the request has changed, in order.
    public var events: [Event]?
    /// Whether the request created it.
    public var isNew = false

    enum CodingKeys: CodingKey {
      case id, version, thread, text, changed, attachments, uploads, remaining, limitReached, canSend, blockers, events
    }

    /// An attachment of the draft, as a composer shows it.
    public struct Attachment: Encodable, Sendable {
      /// The id that edits of the draft name; not that of the uploaded attachment.
      public var id: String
      /// The attachment that was uploaded.
      public var attachment: String?
      /// The file name, which is untrusted text.
      public var name: String?
      /// What a prober found in the file.
      public var info: MediaInfo
      /// The part of the image that is sent, in upright pixels.
      public var crop: PixelRect?
      /// The alternative text.
      public var altText: String?
      /// Whether its bytes are on the server.
      public var upload: AttachmentDraft.UploadState
      /// The address of its thumbnail.
      public var thumbnail: String?
      /// What to show until the thumbnail is loaded.
      public var placeholder: Placeholder?
    }

    /// An upload for the draft that is not an attachment yet.
    public struct Upload: Encodable, Sendable {
      /// The id by which the client continues or ends the upload.
      public var id: String
      /// `receiving` while bytes are missing, then `examining`.
      public var state: String
      /// Bytes that have arrived.
      public var offset: Int
      /// Bytes of the whole file, if they are known.
      public var length: Int?
      /// The file name, which is untrusted text.
      public var name: String?
    }

    /// A reason why a draft cannot be committed.
    public struct Blocker: Hashable, Encodable, Sendable {
      /// The stable name: `empty`, `uploading`, `failed`, `textTooLong`, `messageTooLarge`, `tooManyAttachments`, `attachmentsDisabled`, `blocked`.
      public var code: String
      /// Attachments of the draft, or uploads.
      public var ids: [String]?
      /// The limit that the draft exceeds; nil for blockers without one.
      public var limit: Int?
      /// How many bytes, characters or attachments the draft has; nil for blockers without a limit.
      public var actual: Int?
    }

    /// What a request has changed, or could not change.
    public struct Event: Encodable, Sendable {
      /// `added`, `removed`, `replaced`, `moved`, `cropped`, `altTextChanged`, `uploadChanged`, `textChanged`, `refused`, `limitReached`,
      /// `limitLeft`.
      public var name: String
      /// The attachment's id in the draft.
      public var id: String?
      /// The id of the attachment that took its place.
      public var by: String?
      /// Its index now.
      public var index: Int?
      /// Why it was refused.
      public var reasons: [Verdict.Reason]?
      /// The limit that was reached.
      public var limit: Int?
    }
  }
}

extension MediaService.DraftAnswer.Blocker {
  init(_ blocker: AttachmentDraft.SendBlocker) {
    switch blocker {
    case .empty: self.init(code: "empty")
    case .uploading(let ids): self.init(code: "uploading", ids: ids.map(\.rawValue))
    case .failed(let ids): self.init(code: "failed", ids: ids.map(\.rawValue))
    case .textTooLong(let limit, let actual): self.init(code: "textTooLong", limit: limit, actual: actual)
    case .messageTooLarge(let limit, let actual): self.init(code: "messageTooLarge", limit: limit, actual: actual)
    case .tooManyAttachments(let limit, let actual): self.init(code: "tooManyAttachments", limit: limit, actual: actual)
    case .attachmentsDisabled: self.init(code: "attachmentsDisabled")
    }
  }
}

extension MediaService.DraftAnswer.Event {
  init(_ event: AttachmentDraft.Event) {
    switch event {
    case .added(let id, let index): self.init(name: "added", id: id.rawValue, index: index)
    case .removed(let id): self.init(name: "removed", id: id.rawValue)
    case .replaced(let id, let new, let index):
      self.init(name: "replaced", id: id.rawValue, by: new.rawValue, index: index)
    case .moved(let id, _, let index): self.init(name: "moved", id: id.rawValue, index: index)
    case .cropped(let id, _): self.init(name: "cropped", id: id.rawValue)
    case .altTextChanged(let id): self.init(name: "altTextChanged", id: id.rawValue)
    case .uploadChanged(let id, _): self.init(name: "uploadChanged", id: id.rawValue)
    case .textChanged: self.init(name: "textChanged")
    case .refused(let id, let reasons): self.init(name: "refused", id: id.rawValue, reasons: reasons)
    case .limitReached(let limit): self.init(name: "limitReached", limit: limit)
    case .limitLeft: self.init(name: "limitLeft")
    }
  }
}
