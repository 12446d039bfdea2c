public import AttachmentPolicy
internal import MediaModel

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// An attachment of a draft that may be one of a file of the library: no more of it than that takes, for there may be many drafts.
public struct HeldAttachment: Sendable {
  /// The key of the draft in JSON.
  public let draft: String
  /// The attachment's name.
  public let item: MediaAttachment.ID
  /// The name of the file that it was made of: a file of a library (``FileID/asset``), or a path.
  public let asset: AssetID?
  /// The digest of its bytes.
  public let digest: ContentDigest?

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
