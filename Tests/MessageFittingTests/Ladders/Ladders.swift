internal import AttachmentPolicy
internal import Foundation
internal import MediaEngine
internal import MediaModel
internal import Messaging
internal import MetadataStripping

/// What a way of fitting made of a message.
struct LadderResult: Sendable {
  /// Bytes of all images, and similarity of each, in their order.
  var bytes: Int
  var similarities: [Double]

  var total: Double { similarities.reduce(0, +) }
  var minimum: Double { similarities.min() ?? 0 }
}

/// Other ways of fitting the images of a message, for comparison.
struct Ladders {
  let studio: TrialStudio

  /// Bytes for the images of a message: the limit without what the message has besides.
  static func budget(of message: MessageSet.Message) -> Int {
    let empty = MessageComposition(
      content: message.composition.content.map { item in
        guard case .attachment(let item) = item else { return item }
        let attachment = MediaAttachment(
          id: item.id, name: item.attachment.name, info: MediaInfo(type: .jpeg, bytes: 0))
        return .attachment(AttachmentDraft.Item(attachment))
      }, recipients: message.composition.recipients)
    return message.profile.maxMessageBytes - empty.bytes(under: message.profile) - 3 * empty.attachments.count
  }

  /// Ours, as `MessageFitter` does it, which adds the files. nil when it refuses.
  /// - Parameter bytes: Bytes that the images may have together; nil for what the limit leaves.
  func ours(_ message: MessageSet.Message, bytes: Int? = nil) async throws -> LadderResult? {
    var profile = message.profile
    if let bytes { profile.maxMessageBytes -= Self.budget(of: message) - bytes }
    let attachments = message.composition.attachments
    var fit = MessageFit(message.composition, under: profile)
    while true {
      switch fit.next() {
      case .measure(let measurements):
        for measurement in measurements {
          guard let attachment = attachments.first(where: { $0.id == measurement.id }) else { continue }
          var made: [MessageFit.Plan.Candidate] = []
          for form in measurement.forms where form.encoding == .asIs {
            if let candidate = try await asIs(form, measurement, message) { made.append(candidate) }
          }
          let forms = measurement.forms.filter { $0.encoding != .asIs }
          made += try await studio.candidates(forms, of: attachment, message, displayBox: measurement.displayBox)
          fit.record(made, tried: measurement.forms, of: measurement.id)
        }
      case .strip, .transcode: return nil
      case .done(.refused): return nil
      case .done(.fitted(let plan)):
        return LadderResult(
          bytes: plan.composition.attachments.reduce(0) { $0 + $1.info.bytes },
          similarities: attachments.map { plan.images[$0.id]?.similarity ?? 0 })
      }
    }
  }

  private func asIs(
    _ form: MessageFit.Plan.Form, _ measurement: MessageFit.Measurement, _ message: MessageSet.Message
  ) async throws -> MessageFit.Plan.Candidate? {
    guard let source = message.files[measurement.id], let size = measurement.info.displaySize else { return nil }
    let file = try await source.contents(limit: measurement.info.bytes)
    guard
      let plain = ImageMetadataStripper.strip(
        file, type: measurement.info.type, isSRGB: measurement.isSRGB, isBaseline: measurement.isBaseline)
    else { return nil }
    return MessageFit.Plan.Candidate(
      form: form, type: measurement.info.type, size: size, bytes: plain.count, similarity: 1)
  }

  /// Equal shares: every image by itself gets the best that there is within its part of the bytes, by the same search as ours.
  func equalShares(_ message: MessageSet.Message) async throws -> LadderResult? {
    let share = Self.budget(of: message) / message.composition.attachments.count
    var result = LadderResult(bytes: 0, similarities: [])
    for attachment in message.composition.attachments {
      let alone = MessageSet.Message(
        composition: MessageComposition(
          content: [.attachment(AttachmentDraft.Item(attachment))], recipients: message.composition.recipients),
        files: message.files, profile: message.profile)
      guard let one = try await ours(alone, bytes: share) else { return nil }
      result.bytes += one.bytes
      result.similarities += one.similarities
    }
    return result
  }

  /// AOSP Messaging's `ImageUtils.ImageResizer`: equal shares of at least 16 KiB, quality from 95 down to 50, then three quarters of the size.
  /// nil when an image does not fit in six attempts, as the message is then not sent.
  func aosp(_ message: MessageSet.Message) async throws -> LadderResult? {
    let share = max(16_384, (Self.budget(of: message) - 1_024) / message.composition.attachments.count)
    return try await each(message) { attachment in
      let box = TrialStudio.box(of: message.profile, for: attachment)
      if Self.mayGoAsIs(attachment, in: box, share: share) {
        return Self.untouched(attachment, box)
      }
      var (quality, scale) = (95, 1.0)
      for _ in 0..<6 {
        let trial = try await studio.trial(attachment, of: message, box: Self.scaled(box, scale), quality: quality)
        if trial.bytes <= share { return trial }
        if quality > 50 {
          let ratio = (Double(share) / Double(trial.bytes)).squareRoot()
          quality = max(50, min(Int(Double(quality) * ratio), Int(Double(quality) * 0.85)))
        } else {
          (quality, scale) = (95, scale * 0.75)
        }
      }
      return nil
    }
  }

  /// Signal-Android's ladder: 1,024 pixels or the carrier's, quality from 90 down to 45 in five attempts, then half the size, three times.
  func signal(_ message: MessageSet.Message) async throws -> LadderResult? {
    let share = Self.budget(of: message) / message.composition.attachments.count
    return try await each(message) { attachment in
      let carrier = TrialStudio.box(of: message.profile, for: attachment)
      if Self.mayGoAsIs(attachment, in: carrier, share: share) {
        return Self.untouched(attachment, carrier)
      }
      var box = PixelSize(width: max(1_024, carrier.width), height: max(1_024, carrier.height))
      for _ in 0...3 {
        var quality = 90
        for _ in 0..<5 {
          let trial = try await studio.trial(attachment, of: message, box: box, quality: quality)
          if trial.bytes <= share { return trial }
          let ratio = (Double(share) / Double(trial.bytes)).squareRoot()
          let next = max(45, min(Int(Double(quality) * ratio), quality - 5))
          if next == quality { break }
          quality = next
        }
        box = Self.scaled(box, 0.5)
      }
      return nil
    }
  }

  private func each(
    _ message: MessageSet.Message, _ ladder: (MediaAttachment) async throws -> MessageFit.Plan.Candidate?
  ) async throws -> LadderResult? {
    var result = LadderResult(bytes: 0, similarities: [])
    for attachment in message.composition.attachments {
      guard let trial = try await ladder(attachment) else { return nil }
      result.bytes += trial.bytes
      result.similarities.append(trial.similarity)
    }
    return result
  }

  private static func mayGoAsIs(_ attachment: MediaAttachment, in box: PixelSize, share: Int) -> Bool {
    guard let size = attachment.info.displaySize, (attachment.info.orientation ?? .up) == .up else { return false }
    return attachment.info.type == .jpeg && attachment.info.bytes <= share && size.width <= box.width
      && size.height <= box.height
  }

  private static func untouched(_ attachment: MediaAttachment, _ box: PixelSize) -> MessageFit.Plan.Candidate {
    MessageFit.Plan.Candidate(
      form: MessageFit.Plan.Form(.asIs, box: box), type: attachment.info.type, size: box, bytes: attachment.info.bytes,
      similarity: 1
    )
  }

  private static func scaled(_ box: PixelSize, _ scale: Double) -> PixelSize {
    PixelSize(width: max(1, Int(Double(box.width) * scale)), height: max(1, Int(Double(box.height) * scale)))
  }
}
