internal import FileSupport
internal import MediaEngine
internal import MediaEngineProtocol
internal import MediaModel

/// What a shard replaces.
struct ShardOutputs: Sendable {
  var files: Set<FileIdentity> = []
  /// As ``ShardBucket/object(_:)`` has them.
  var objects: Set<[UInt8]> = []

  func contains(_ input: Input) -> Bool {
    if !files.isEmpty, let file = FileIdentity(of: input) { return files.contains(file) }
    return !objects.isEmpty && ShardBucket.isNamed(by: input.path) && objects.contains(ShardBucket.object(input.path))
  }
}

/// Makes the sample of one input: facts and images in one engine call.
struct ShardJob: Sendable {
  /// What the shard stores of an input.
  struct Sample: Sendable {
    var record: ShardRecord
    /// The record as JSON.
    var line: String
    /// The images, in the order of the record.
    var images: [[UInt8]]
    /// What was fetched of a remote source. It is in no result, as equal inputs give equal bytes.
    var fetched: (bytes: Int, requests: Int)?
  }

  let shard: ShardName
  let request: MediaPreview.Request
  let engine: MediaEngine
  /// What the shard replaces. None of it is an input.
  let outputs: ShardOutputs
  /// The images for the sizes that a request names.
  let renditions: @Sendable ([SizeArgument]) -> [RenditionRequest]

  func sample(of input: ShardInput, stop: StopSignal) throws(Fault) -> Sample {
    var sample = try made(of: input, stop: stop)
    sample.fetched = input.input.fetched
    return sample
  }

  private func made(of input: ShardInput, stop: StopSignal) throws(Fault) -> Sample {
    let key = shard.key(input.number)
    var request = request
    if let sizes = input.input.request?.sizes, !sizes.isEmpty { request.renditions = renditions(sizes) }
    if outputs.contains(input.input) {
      let path = DisplayText.visible(input.input.path)
      throw Fault(.usage, "the shard would replace its input \(path); name another folder with --output")
    }
    let answer: JobAnswer
    do throws(MediaFailure) {
      let source = try input.input.source(limits: request.probe.limits, stop: stop)
      answer = try engine.answerBlocking(request.job(claim: input.input.claim), source)
    } catch {
      try error.throwIfOurs()
      try Self.end(for: error)
      return try sample(failed: error, of: input, key: key)
    }
    guard answer.wasOpened else {
      let failure = answer.result.info.error ?? MediaFailure(.unreadable, "The file cannot be opened.")
      try Self.end(for: failure)
      return try sample(failed: failure, of: input, key: key)
    }
    var info = answer.result.info
    let thumbnails = answer.result.thumbnails
    // A truncated file may give all its images and still have failed.
    let failure = thumbnails?.error ?? info.error
    if let failure { try Self.end(for: failure) }
    info.error = nil
    var record = ShardRecord(
      key: key, line: input.number, facts: ProbeRecord(path: RemoteName.shown(input.input.path), info: info))
    record.error = failure
    record.placeholder = thumbnails?.placeholder
    record.posterTime = thumbnails?.posterTime
    record.icon = thumbnails?.icon
    let images = thumbnails?.renditions ?? []
    record.renditions = images.map { image in
      ShardRecord.Image(
        rendition: .init(image), file: "\(key).\(image.name).\(image.type.preferredExtension ?? "bin")")
    }
    return Sample(
      record: record, line: try JSONLine.text(record, id: input.input.request?.id), images: images.map(\.data))
  }

  /// Ends the run for a failure that every further object would have: the shard would count as done.
  private static func end(for failure: MediaFailure) throws(Fault) {
    guard failure.code == .noCredentials else { return }
    throw Fault(.software, failure.detail.map { "\(failure.message) \($0)" } ?? failure.message)
  }

  private func sample(failed failure: MediaFailure, of input: ShardInput, key: String) throws(Fault) -> Sample {
    var record = ShardRecord(
      key: key, line: input.number, facts: ProbeRecord(path: RemoteName.shown(input.input.path), failure: failure))
    record.error = failure
    return Sample(record: record, line: try JSONLine.text(record, id: input.input.request?.id), images: [])
  }
}
