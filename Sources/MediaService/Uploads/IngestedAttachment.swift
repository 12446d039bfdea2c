public import AttachmentPolicy
public import MediaLibrary
public import MediaModel
public import Messaging

/// A file that was taken in: what an upload answers.
public struct IngestedAttachment: Hashable, Codable, Sendable {
  /// The id of its row in the catalogue, and of the attachment in the interface.
  public var id: FileID
  /// Why it was accepted, and how many more could follow.
  public var verdict: Verdict
  /// The facts, all of them: the owner uploaded the file.
  public var info: MediaInfo
  /// The name that the client stated, for display alone.
  public var name: String?
  /// What a view shows until an image is loaded.
  public var placeholder: Placeholder?
  /// The renditions that are stored already; others are made when they are asked for.
  public var renditions: [StoredRendition]
  /// The waveform peaks of an audio file, 0…1.
  public var peaks: [Float]?
  /// Why there is no image, if there should be one.
  public var failure: MediaFailure?
  /// Whether nobody but the owner sees it until a scan finds it clean; nil if not. No images were made of it.
  public var isHeld: Bool?
  /// What happened to the draft for which it was uploaded; nil without one.
  public var draft: Addition?

  /// An attachment that was uploaded for a draft.
  public struct Addition: Hashable, Codable, Sendable {
    /// The id of the draft.
    public var id: String
    /// Whether the draft has the attachment.
    public var isAdded: Bool
    /// The version of the draft afterwards; nil for one that is gone.
    public var version: Int?
    /// Why the rules of the draft refuse it; empty if they do not.
    public var reasons: [Verdict.Reason]
  }

  /// The message module that shows it.
  /// - Parameter addresses: The address of each rendition by its name.
  public func module(addresses: [String: String]) -> MessageModule? {
    var file = MessageModule.File(id: "\(id.rawValue)", name: name, info: info)
    (file.placeholder, file.peaks, file.failure) = (placeholder, peaks, failure)
    file.media = addresses["original"]
    file.images = renditions.compactMap { rendition in
      addresses[rendition.name].map { MessageModule.File.Image($0, from: rendition.from) }
    }
    return MessageModule.modules(of: [.file(file)]).first
  }
}
