public import MediaEngine
public import MediaModel
package import Messaging

/// Transcodes videos and audio files for messages with an engine.
///
/// The output is H.264 and AAC in MP4 for current phones. Older content classes get H.263 in 3GP and AMR, or AAC if the
/// machine has no AMR encoder.
public struct EngineTranscoder: MediaTranscoder {
  /// The engine that decodes and encodes.
  public let engine: MediaEngine
  /// Whether to cut the end of a file that is too long to fit. False by default.
  public var mayCut = false
  /// Limits for one file. Defaults to `MediaLimits()`, whose `transcodeSeconds` is the deadline.
  public var limits = MediaLimits()
  /// Whose the files are, if ``MessageFitter/domain`` is nil: files of two domains share no worker. Default nil: the engine's own,
  /// `MediaEngine.Configuration.domain`.
  public var domain: MediaEngine.TrustDomain?

  /// A transcoder that encodes in the engine's workers.
  public init(engine: MediaEngine, mayCut: Bool = false) {
    self.engine = engine
    self.mayCut = mayCut
  }

  /// Transcodes the file to at most `maxBytes`; throws `wouldNotFit` if nothing worth playing is that small.
  package func transcode(
    _ source: MediaSource, info: MediaInfo, maxBytes: Int, contentClass: CarrierProfile.ContentClass,
    domain: MediaEngine.TrustDomain? = nil, progress: @escaping @Sendable (TranscodeProgress) -> Void = { _ in }
  ) async throws(MediaFailure) -> TranscodedMedia {
    var request = TranscodeRequest(
      format: Self.format(of: info.kind, for: contentClass), maxBytes: min(maxBytes, TranscodeRequest.maxBytesLimit))
    request.mayCut = mayCut
    request.limits = limits
    let result = try await engine.transcode(
      source, info: info, request, domain: domain ?? self.domain, progress: progress)
    guard let file = result.file else {
      throw result.error ?? MediaFailure(.unsupported, "The file cannot be transcoded.")
    }
    var made = MediaInfo(type: file.type, bytes: file.data.count)
    made.kind = info.kind
    (made.width, made.height, made.duration) = (file.width, file.height, file.duration)
    (made.videoCodec, made.audioCodec) = (file.videoCodec, file.audioCodec)
    return TranscodedMedia(info: made, data: file.data)
  }

  /// The format that every receiver of a class can play (OMA-TS-MMS-CONF 1.3, table 2: QCIF up to "Video Rich").
  private static func format(of kind: MediaKind, for contentClass: CarrierProfile.ContentClass)
    -> TranscodeRequest.Format
  {
    switch (kind, contentClass.needsH263) {
    case (.audio, true): .amr
    case (.audio, false): .aac
    case (_, true): .threeGP(.qcif)
    case (_, false): .mp4(.level3)
    }
  }
}
