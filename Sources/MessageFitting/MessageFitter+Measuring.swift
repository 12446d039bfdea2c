internal import AttachmentPolicy
internal import MediaEngine
internal import MediaModel
internal import Messaging
internal import MetadataStripping

/// One encoded form of an image.
struct EncodedFile: Sendable {
  /// Identifies an image and its form.
  struct Key: Hashable {
    let id: MediaAttachment.ID
    let form: MessageFit.Plan.Form
  }

  let candidate: MessageFit.Plan.Candidate
  let data: [UInt8]
}

extension MessageFitter {
  /// The forms of one image.
  struct Answer: Sendable {
    let id: MediaAttachment.ID
    let forms: [MessageFit.Plan.Form]
    var files: [EncodedFile] = []
    /// The reason why there are none.
    var failure: MediaFailure?
  }

  /// Encodes all forms of all images, concurrently up to the engine's width. Results are in the order of the message.
  func measure(
    _ measurements: [MessageFit.Measurement], files: [MediaAttachment.ID: MediaSource],
    progress: @Sendable (Progress) -> Void
  ) async throws(MediaFailure) -> [Answer] {
    let answers = await withTaskGroup(of: (Int, Result<Answer, MediaFailure>).self) { group in
      var answers: [Result<Answer, MediaFailure>?] = Array(repeating: nil, count: measurements.count)
      var waiting = measurements.enumerated().makeIterator()
      func start() {
        guard let (index, measurement) = waiting.next() else { return }
        let source = files[measurement.id]
        group.addTask { (index, await self.answer(to: measurement, source: source)) }
      }
      for _ in 0..<max(1, engine.running) { start() }
      var done = 0
      while let (index, answer) = await group.next() {
        answers[index] = answer
        done += 1
        progress(.measuring(done: done, of: measurements.count))
        if case .failure = answer { group.cancelAll() } else { start() }
      }
      return answers
    }
    var all: [Answer] = []
    // If one was cancelled, the reason is the failure of another.
    let failures = answers.compactMap { answer in if case .failure(let failure)? = answer { failure } else { nil } }
    if let failure = failures.first(where: { $0.code != .cancelled }) ?? failures.first { throw failure }
    for case .success(let answer)? in answers { all.append(answer) }
    return all
  }

  private func answer(
    to measurement: MessageFit.Measurement, source: MediaSource?
  ) async -> Result<Answer, MediaFailure> {
    var answer = Answer(id: measurement.id, forms: measurement.forms)
    do throws(MediaFailure) {
      guard let source else {
        throw MediaFailure(.notFound, "`files` has no entry for attachment \(measurement.id.rawValue).")
      }
      for form in measurement.forms where form.encoding == .asIs {
        if let file = try await asIs(form, measurement, source) { answer.files.append(file) }
      }
      let forms = measurement.forms.filter { $0.encoding != .asIs }
      if !forms.isEmpty {
        let (files, failure) = try await encoded(forms, measurement, source)
        answer.files += files
        if answer.files.isEmpty { answer.failure = failure }
      }
      return .success(answer)
    } catch {
      return .failure(error)
    }
  }

  /// The file without its metadata, or with it if it is kept; nil if that is impossible.
  private func asIs(
    _ form: MessageFit.Plan.Form, _ measurement: MessageFit.Measurement, _ source: MediaSource
  ) async throws(MediaFailure) -> EncodedFile? {
    guard measurement.info.bytes <= limits.bytes, let size = measurement.info.displaySize else { return nil }
    let file = try await source.contents(limit: limits.bytes)
    guard
      let stripped = ImageMetadataStripper.strip(
        file, type: measurement.info.type, isSRGB: measurement.isSRGB, isBaseline: measurement.isBaseline)
    else { return nil }
    let data = metadata == .keep ? file : stripped
    let candidate = MessageFit.Plan.Candidate(
      form: form, type: measurement.info.type, size: size, bytes: data.count, similarity: 1)
    return EncodedFile(candidate: candidate, data: data)
  }

  /// The newly encoded forms, all from one decode.
  private func encoded(
    _ forms: [MessageFit.Plan.Form], _ measurement: MessageFit.Measurement, _ source: MediaSource
  ) async throws(MediaFailure) -> ([EncodedFile], MediaFailure?) {
    let requests = forms.enumerated().map { index, form in
      var request = RenditionRequest(name: "\(index)", box: form.box)
      request.crop = measurement.crop
      request.comparedIn = measurement.displayBox
      request.format = .png
      // Only luma is measured, and phones do not show finer chroma than this.
      request.chroma = .halved
      if let quality = form.quality { (request.format, request.encoding) = (.jpeg, .quality(quality)) }
      return request
    }
    var options = ThumbnailOptions()
    options.placeholder = false
    options.limits = limits
    let result: ThumbnailResult
    do throws(MediaFailure) {
      result = try await engine.renderBounded(
        source, info: measurement.info, requests: requests, options: options, domain: domain)
    } catch {
      if error.endsFitting { throw error }
      return ([], error)
    }
    let files = result.renditions.compactMap { rendition -> EncodedFile? in
      guard let index = Int(rendition.name), forms.indices.contains(index), let similarity = rendition.similarity else {
        return nil
      }
      let candidate = MessageFit.Plan.Candidate(
        form: forms[index], type: rendition.type, size: PixelSize(width: rendition.width, height: rendition.height),
        bytes: rendition.data.count, similarity: similarity)
      return EncodedFile(candidate: candidate, data: rendition.data)
    }
    return (files, result.error ?? .noImageOfThisType)
  }
}
