internal import AttachmentPolicy
internal import MediaEngine
internal import MediaModel
internal import Messaging

/// Makes images as fitting and as other programs' ladders ask for them, with one encoder, measured in one box; each form of an image once.
///
/// Everybody's forms are made of one lossless copy as large as the largest that anybody asks for, so that a photograph of twelve megapixels is decoded
/// once and not for each of hundreds of trials.
actor TrialStudio {
  private struct Copy {
    let source: MediaSource
    let info: MediaInfo
  }

  private struct CopyKey: Hashable {
    let id: MediaAttachment.ID
    let box: PixelSize
  }

  private struct Key: Hashable {
    let id: MediaAttachment.ID
    let form: MessageFit.Plan.Form
    let displayBox: PixelSize
  }

  private let engine: MediaEngine
  private var made: [Key: MessageFit.Plan.Candidate] = [:]
  private var copies: [CopyKey: Copy] = [:]

  init(engine: MediaEngine) { self.engine = engine }

  /// The box of a carrier, turned for a portrait.
  static func box(of profile: CarrierProfile, for attachment: MediaAttachment) -> PixelSize {
    let box = profile.maxImageSize
    guard let size = attachment.info.displaySize, size.height > size.width else { return box }
    return box.transposed
  }

  /// A JPEG of the whole image inside a box.
  func trial(
    _ attachment: MediaAttachment, of message: MessageSet.Message, box: PixelSize, quality: Int
  ) async throws -> MessageFit.Plan.Candidate {
    let form = MessageFit.Plan.Form(.jpeg(quality: quality), box: box)
    let found = try await candidates(
      [form], of: attachment, message, displayBox: Self.box(of: message.profile, for: attachment))
    guard let candidate = found.first else { throw MediaFailure(.unsupported, "There is no image.") }
    return candidate
  }

  /// Whatever fitting asks for, but the file as it is.
  func candidates(
    _ forms: [MessageFit.Plan.Form], of attachment: MediaAttachment, _ message: MessageSet.Message,
    displayBox: PixelSize
  ) async throws -> [MessageFit.Plan.Candidate] {
    func key(_ form: MessageFit.Plan.Form) -> Key { Key(id: attachment.id, form: form, displayBox: displayBox) }
    let missing = forms.filter { made[key($0)] == nil }
    if !missing.isEmpty {
      let requests = missing.enumerated().map { index, form in
        var request = RenditionRequest(name: "\(index)", box: form.box)
        request.format = .png
        request.chroma = .halved
        if let quality = form.quality { (request.format, request.encoding) = (.jpeg, .quality(quality)) }
        request.comparedIn = displayBox
        return request
      }
      var options = ThumbnailOptions()
      options.placeholder = false
      options.limits.renderSeconds = 300
      let copy = try await copy(of: attachment, message, displayBox: displayBox)
      let result = try await engine.render(copy.source, info: copy.info, requests: requests, options: options)
      for rendition in result.renditions {
        guard let index = Int(rendition.name), let similarity = rendition.similarity else { continue }
        made[key(missing[index])] = MessageFit.Plan.Candidate(
          form: missing[index], type: rendition.type,
          size: PixelSize(width: rendition.width, height: rendition.height), bytes: rendition.data.count,
          similarity: similarity)
      }
    }
    return forms.compactMap { made[key($0)] }
  }

  /// Signal's images may have 1,024 pixels a side whatever the carrier says.
  private func copy(
    of attachment: MediaAttachment, _ message: MessageSet.Message, displayBox: PixelSize
  ) async throws -> Copy {
    let box = PixelSize(width: max(1_024, displayBox.width), height: max(1_024, displayBox.height))
    let key = CopyKey(id: attachment.id, box: box)
    if let known = copies[key] { return known }
    var request = RenditionRequest(name: "copy", box: box)
    request.format = .png
    var options = ThumbnailOptions()
    options.placeholder = false
    options.limits.renderSeconds = 300
    guard let source = message.files[attachment.id] else { throw MediaFailure(.notFound, "There is no file.") }
    let result = try await engine.render(source, info: attachment.info, requests: [request], options: options)
    guard let data = result.renditions.first?.data else {
      throw result.error ?? MediaFailure(.unsupported, "There is no image.")
    }
    let made = MediaSource.bytes(data)
    let copy = Copy(source: made, info: try await engine.probe(made))
    copies[key] = copy
    return copy
  }
}
