public import AttachmentPolicy
public import MediaEngine
public import MediaModel
public import Messaging
internal import MetadataStripping

/// Fits messages to a carrier's limit: an engine measures and encodes what `MessageFit` decides.
///
/// One rule decides about the metadata of all kinds of files: ``metadata``. The same message, files and versions give the same
/// bytes.
public struct MessageFitter: Sendable {
  /// The engine that decodes and encodes.
  public let engine: MediaEngine
  /// Transcodes videos and audio files. If nil, they are sent unchanged or only without their metadata.
  package let transcoder: (any MediaTranscoder)?
  /// Limits for one image. Defaults to `MediaLimits()`, but with 30 seconds for all forms, because an image is encoded
  /// up to 19 times.
  public var limits = MediaLimits()
  /// Whose the files are, images, videos and audio files alike: files of two domains share no worker. Default nil: a transcoder's own
  /// domain, then the engine's, `MediaEngine.Configuration.domain`.
  public var domain: MediaEngine.TrustDomain?
  /// What happens to metadata. `strip` by default: it is removed from every file, and a file from which it cannot be removed is encoded
  /// again, or is refused.
  public var metadata = MessageFit.MetadataRule.strip

  /// Creates a fitter.
  ///
  /// - Parameters:
  ///   - engine: Decodes and encodes.
  ///   - transcoder: Transcodes videos and audio files. Default nil: they are sent unchanged.
  public init(engine: MediaEngine, transcoder: EngineTranscoder? = nil) {
    self.init(engine: engine, anyTranscoder: transcoder)
  }

  /// With any transcoder, so that tests can replace ``EngineTranscoder``.
  package init(engine: MediaEngine, anyTranscoder transcoder: (any MediaTranscoder)?) {
    self.engine = engine
    self.transcoder = transcoder
    limits.renderSeconds = 30
  }

  /// Fits a message to the limit, or states what to remove.
  ///
  /// - Parameters:
  ///   - composition: The message, with the facts of its original files.
  ///   - profile: The carrier's profile.
  ///   - files: The file of each attachment.
  ///   - progress: Receives progress on any thread, as in `MediaEngine.transcode`; it must return quickly. Does nothing
  ///     by default.
  ///
  /// - Throws: `unavailable`, `cancelled` and `busy` from the engine, and the read error of a file that is sent without a new
  ///   encoding.
  public func fit(
    _ composition: MessageComposition, under profile: CarrierProfile, files: [MediaAttachment.ID: MediaSource],
    progress: @escaping @Sendable (Progress) -> Void = { _ in }
  ) async throws(MediaFailure) -> Outcome {
    var fit = MessageFit(composition, under: profile, transcodes: transcoder != nil, metadata: metadata)
    let types = composition.attachments.reduce(into: [:]) { $0[$1.id] = $1.info.type }
    var made: [EncodedFile.Key: [UInt8]] = [:]
    /// Files as they are sent without a new encoding.
    var strippedFiles: [MediaAttachment.ID: [UInt8]] = [:]
    var transcoded: [MediaAttachment.ID: [UInt8]] = [:]
    while true {
      switch fit.next() {
      case .strip(let ids):
        for id in ids {
          if Task.isCancelled { throw MediaFailure(.cancelled, "The request was cancelled.") }
          let file = try await contents(of: id, files: files)
          let stripped = MetadataStripper.strip(file, type: types[id] ?? .octetStream)
          fit.record(
            stripped.map { $0 == file ? .unchanged : .stripped } ?? .impossible, bytes: stripped?.count, of: id)
          // What is larger than the message is never sent as it is, and not held while the others are read.
          strippedFiles[id] = stripped.flatMap { $0.count <= profile.maxMessageBytes ? $0 : nil }
        }
      case .measure(let measurements):
        for answer in try await measure(measurements, files: files, progress: progress) {
          for file in answer.files { made[EncodedFile.Key(id: answer.id, form: file.candidate.form)] = file.data }
          if let failure = answer.failure { fit.record(failure, of: answer.id) }
          fit.record(answer.files.map(\.candidate), tried: answer.forms, of: answer.id)
        }
      case .transcode(let budgets):
        for budget in budgets {
          switch try await transcode(budget, files: files, progress: progress) {
          case .success(let smaller):
            transcoded[budget.id] = smaller.data
            if smaller.info.bytes < budget.info.bytes { strippedFiles[budget.id] = nil }
            fit.record(smaller.info, of: budget.id)
          case .failure(let failure): fit.record(failure, of: budget.id)
          }
        }
      case .done(.refused(let refusal)): return .refused(refusal)
      case .done(.fitted(let plan)):
        return .fitted(
          try await finished(plan, files: files, made: made, stripped: strippedFiles, transcoded: transcoded))
      }
    }
  }

  /// The transcoded file, or the reason why there is none.
  private func transcode(
    _ budget: MessageFit.TranscodingBudget, files: [MediaAttachment.ID: MediaSource],
    progress: @escaping @Sendable (Progress) -> Void
  ) async throws(MediaFailure) -> Result<TranscodedMedia, MediaFailure> {
    guard let transcoder, let source = files[budget.id] else {
      return .failure(MediaFailure(.notFound, "`files` has no entry for attachment \(budget.id.rawValue)."))
    }
    do throws(MediaFailure) {
      var smaller = try await transcoder.transcode(
        source, info: budget.info, maxBytes: budget.maxBytes, contentClass: budget.contentClass,
        domain: domain
      ) { progress(.transcoding(budget.id, $0)) }
      smaller.info.bytes = smaller.data.count
      guard smaller.data.count <= budget.maxBytes else {
        let (size, limit) = HumanNumbers.sizes(smaller.data.count, limit: budget.maxBytes)
        return .failure(MediaFailure(.wouldNotFit, "The encoded file is \(size); the limit is \(limit)."))
      }
      return .success(smaller)
    } catch {
      if error.endsFitting { throw error }
      return .failure(error)
    }
  }

  /// The files of the plan, each checked against its planned size.
  private func finished(
    _ plan: MessageFit.Plan, files: [MediaAttachment.ID: MediaSource], made: [EncodedFile.Key: [UInt8]],
    stripped strippedFiles: [MediaAttachment.ID: [UInt8]], transcoded: [MediaAttachment.ID: [UInt8]]
  ) async throws(MediaFailure) -> Fitted {
    var sent: [MediaAttachment.ID: [UInt8]] = [:]
    for attachment in plan.composition.attachments {
      let id = attachment.id
      if let form = plan.images[id]?.form {
        sent[id] = made[EncodedFile.Key(id: id, form: form)]
      } else if plan.changes.contains(where: { $0.id == id && $0.effects.contains(.transcoded) }) {
        sent[id] = transcoded[id]
      } else if let video = strippedFiles[id] {
        sent[id] = video
      } else {
        sent[id] = try await contents(of: id, files: files)
      }
      guard sent[id]?.count == attachment.info.bytes else {
        throw MediaFailure(
          .unreadable,
          "\(attachment.name ?? "Attachment \(id.rawValue)") changed while the message was being composed; compose it again."
        )
      }
    }
    return Fitted(plan: plan, files: sent)
  }

  func contents(
    of id: MediaAttachment.ID, files: [MediaAttachment.ID: MediaSource]
  ) async throws(MediaFailure) -> [UInt8] {
    guard let source = files[id] else {
      throw MediaFailure(.notFound, "`files` has no entry for attachment \(id.rawValue).")
    }
    return try await source.contents(limit: limits.bytes)
  }
}

extension MediaFailure {
  /// Whether the failure belongs to the engine or the caller rather than to the file.
  var endsFitting: Bool { [.unavailable, .cancelled, .busy].contains(code) }
}
