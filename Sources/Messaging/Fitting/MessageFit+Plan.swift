public import AttachmentPolicy
public import MediaModel

extension MessageFit {
  /// A message that fits, and all changes that were made.
  public struct Plan: Hashable, Sendable {
    /// The message, with the facts of the files as they are sent.
    public var composition: MessageComposition
    /// The size in bytes of the encoded message; for an MMS, of the whole PDU.
    public var bytes: Int
    /// The carrier's limit in bytes.
    public var limit: Int
    /// The form in which each image is sent.
    public var images: [MediaAttachment.ID: Candidate]
    /// The changed files, in the order of the message. All other files are sent unchanged.
    public var changes: [Change]
    /// Files that should have been changed but could not, with the reason.
    ///
    /// They are sent unchanged; those in ``withoutMetadata`` without metadata. With ``MessageFit/MetadataRule/strip``, all of them are in ``withoutMetadata``.
    public var failures: [MediaAttachment.ID: MediaFailure]
    /// Files that are sent without a new encoding and contain no metadata, because `MetadataStripper` removed it or found none.
    public var withoutMetadata: Set<MediaAttachment.ID> = []
  }
}

extension MessageFit.Plan {
  /// The change of one file.
  public struct Change: Hashable, Sendable {
    /// The facts of a file before or after the change.
    public struct File: Hashable, Codable, Sendable {
      /// The type that the content has.
      public var type: MediaType
      /// The size in bytes.
      public var bytes: Int
      /// Width in upright pixels.
      public var width: Int?
      /// Height in upright pixels.
      public var height: Int?
      /// Duration in seconds of a video or an audio file.
      public var duration: Double?

      init(_ info: MediaInfo) {
        type = info.type
        bytes = info.bytes
        width = info.width
        height = info.height
        duration = info.duration
      }
    }

    /// A kind of change.
    public enum Effect: String, Codable, Sendable, CaseIterable {
      /// Metadata was stripped; pixels and audio are bit-identical.
      case stripped
      /// The image was encoded again, upright and without metadata.
      case recoded
      /// The image has fewer pixels.
      case resized
      /// The image was cropped.
      case cropped
      /// Transparent parts became white.
      case flattened
      /// Only one frame of an animation is left: the one that is shown longest.
      case firstFrame
      /// The preview of a camera raw is sent, whose sensor data is not decoded. It may show something else.
      case preview
      /// The video or audio file was transcoded.
      case transcoded
      /// The end was cut.
      case cut
    }

    /// The identifier of the attachment.
    public var id: MediaAttachment.ID
    /// The file as attached.
    public var from: File
    /// The file as sent.
    public var to: File
    /// The kinds of change.
    public var effects: [Effect]
    /// The quality of a newly encoded JPEG.
    public var quality: Int?
    /// The similarity of an image to its original; see ``MessageFit/Plan/Candidate/similarity``.
    public var similarity: Double?
  }

  /// A message that cannot fit, and what must be removed (D6.14).
  public struct Refusal: Error, Hashable, Sendable {
    /// The carrier's limit in bytes.
    public var limit: Int
    /// The size in bytes of the message with every image in its smallest form.
    public var bytes: Int
    /// The files to remove so that the rest fits, in the order of the message. Keeping any one of them would exceed the
    /// limit.
    public var remove: [MediaAttachment.ID]
    /// The files among these that the content class does not support at all.
    public var unsupported: [MediaAttachment.ID]
    /// The files among these that the rule for metadata refuses: it cannot be removed, or there must not be any.
    public var withMetadata: [MediaAttachment.ID] = []
    /// Bytes by which the text alone exceeds the limit if no file is left to remove; otherwise nil.
    public var textExcess: Int?
    /// Files that could not be reduced, with the reason; they count at their original size.
    public var failures: [MediaAttachment.ID: MediaFailure]
  }

  /// The outcome of fitting a message.
  public enum Outcome: Hashable, Sendable {
    /// The message is within the limit.
    case fitted(MessageFit.Plan)
    /// The message cannot fit.
    case refused(Refusal)
  }
}
