internal import AttachmentPolicy
internal import MediaEngine
internal import MediaModel
internal import Messaging

/// Makes pictures as other programs' ladders ask for them, and measures them as fitting does: with the same encoder, in the same box.
actor TrialStudio {
  /// What came out.
  struct Trial: Hashable, Sendable {
    var bytes: Int
    var similarity: Double
    var size: PixelSize
  }

  private struct Key: Hashable {
    let id: MediaAttachment.ID
    let box: PixelSize
    let quality: Int
    let displayBox: PixelSize
  }

  private let engine: MediaEngine
  private var made: [Key: Trial] = [:]

  init(engine: MediaEngine) { self.engine = engine }

  /// The box of a carrier, turned for a portrait.
  static func box(of profile: CarrierProfile, for attachment: MediaAttachment) -> PixelSize {
    let box = profile.maxImageSize
    guard let size = attachment.info.displaySize, size.height > size.width else { return box }
    return box.transposed
  }

  /// A JPEG of the whole picture inside a box.
  func trial(
    _ attachment: MediaAttachment, of message: MessageSet.Message, box: PixelSize, quality: Int
  ) async throws -> Trial {
    let displayBox = Self.box(of: message.profile, for: attachment)
    let key = Key(id: attachment.id, box: box, quality: quality, displayBox: displayBox)
    if let known = made[key] { return known }
    var request = RenditionRequest(name: "trial", box: box)
    request.format = .jpeg
    request.encoding = .quality(quality)
    request.comparedIn = displayBox
    var options = ThumbnailOptions()
    options.placeholder = false
    options.limits.renderSeconds = 120
    guard let source = message.files[attachment.id] else { throw MediaFailure(.notFound, "There is no file.") }
    let result = try await engine.render(source, info: attachment.info, requests: [request], options: options)
    guard let rendition = result.renditions.first, let similarity = rendition.similarity else {
      throw result.error ?? MediaFailure(.unsupported, "There is no picture.")
    }
    let trial = Trial(
      bytes: rendition.data.count, similarity: similarity,
      size: PixelSize(width: rendition.width, height: rendition.height))
    made[key] = trial
    return trial
  }
}
