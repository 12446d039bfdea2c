internal import AttachmentPolicy
internal import MediaModel

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// An attachment of a draft that may be one of a file of the library: no more of it than that takes, for there may be many drafts.
struct HeldAttachment {
  /// The key of the draft in JSON.
  let draft: String
  /// The attachment's name.
  let item: MediaAttachment.ID
  let asset: AssetID?
  let digest: ContentDigest?

  /// Nil for one that no file can be known to be.
  init?(_ attachment: MediaAttachment, draft: String) {
    (self.draft, item, asset) = (draft, attachment.id, attachment.asset)
    digest = attachment.info.sha256.flatMap(ContentDigest.init(hexadecimal:))
    if asset == nil, digest == nil { return nil }
  }

  /// Those of all drafts.
  static func all(in drafts: DraftStore) throws(LibraryError) -> [HeldAttachment] {
    do {
      var held: [HeldAttachment] = []
      try drafts.eachDraft { key, draft in
        let name = String(decoding: try JSONEncoder().encode(key), as: UTF8.self)
        held += draft.items.compactMap { HeldAttachment($0.attachment, draft: name) }
      }
      return held
    } catch {
      throw LibraryError(.system, "The drafts cannot be read.", detail: "\(error)")
    }
  }
}
