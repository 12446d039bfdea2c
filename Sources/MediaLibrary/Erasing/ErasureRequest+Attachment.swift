public import AttachmentPolicy
internal import FileSupport
internal import MediaModel

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension ErasureRequest {
  /// The part of a draft's attachment that identifies a file of the library; small, because there may be many drafts.
  public struct Attachment: Sendable {
    /// The key of the draft in JSON.
    public let draft: String
    /// Identifies the attachment in its draft.
    public let item: MediaAttachment.ID
    /// The asset from which it was made: a file of a library (``FileID/asset``), or a path.
    public let asset: AssetID?
    /// The SHA-256 by which a copy of an erased file is recognised; nil if it was not computed.
    public let digest: ContentDigest?

    /// Nil for an attachment with neither an asset nor a digest.
    init?(_ attachment: MediaAttachment, draft: String) {
      (self.draft, item, asset) = (draft, attachment.id, attachment.asset)
      digest = attachment.info.sha256.flatMap(ContentDigest.init(hexadecimal:))
      if asset == nil, digest == nil { return nil }
    }

    /// All attachments of all drafts that may be library files, and the paths of drafts that cannot be read.
    static func all(
      in drafts: DraftStore
    ) throws(LibraryError) -> (attachments: [Attachment], unreadable: [PathBytes]) {
      do {
        var held: [Attachment] = []
        let unreadable = try drafts.eachDraft { key, draft in
          let name = String(decoding: try JSONEncoder().encode(key), as: UTF8.self)
          held += draft.items.compactMap { Attachment($0.attachment, draft: name) }
        }
        return (held, unreadable)
      } catch {
        throw LibraryError(
          .system, "The drafts cannot be read; check the owner and the permissions of their folder.",
          path: PathBytes(drafts.folder), detail: "\(error)")
      }
    }
  }
}
