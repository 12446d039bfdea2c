internal import CMediaShims
internal import MediaModel
internal import MediaProbe

/// Renders one audio file: its cover or else its waveform, and its peaks.
struct AudioRenderer {
  let info: MediaInfo
  let requests: [RenditionRequest]
  let options: Thumbnailer.Options
  let deadline: Deadline

  /// Throws for an invalid request; all other errors are in the result.
  func render(_ input: borrowing MediaInput) throws(MediaFailure) -> ThumbnailResult {
    for request in requests { try request.checkBox() }
    var result = ThumbnailResult()
    do throws(MediaFailure) {
      try info.checkReadable()
      let container = try AVContainer(input, type: info.type)
      try listen(to: container, input, result: &result)
    } catch {
      if error.code == .invalidRequest { throw error }
      result.error = error
    }
    result.error = result.error ?? info.error
    return result
  }

  private func listen(
    to container: borrowing AVContainer, _ input: borrowing MediaInput, result: inout ThumbnailResult
  ) throws(MediaFailure) {
    if let cover = try cover(of: container, input) { result = cover }
    let wantsPeaks = options.peaks > 0
    let wantsWaveform = result.renditions.isEmpty && !requests.isEmpty
    guard wantsPeaks || wantsWaveform else { return }
    if !container.withContext({ mediatool_audio_exists($0) }) { try container.readStreamInfo() }
    input.set(deadline: share(0.9))
    defer { input.set(deadline: deadline) }
    let heard = try AudioReader.read(container, input, info: info)
    result.error = heard.failure
    if wantsPeaks { result.peaks = heard.envelope.peaks(min(options.peaks, Thumbnailer.Options.maxPeaks)) }
    guard wantsWaveform else { return }
    for request in requests { try request.check(against: nil) }
    let waveform = try WaveformRenderer(
      envelope: heard.envelope, requests: requests, options: options, deadline: deadline
    ).render()
    result.renditions = waveform.renditions
    result.placeholder = waveform.placeholder
  }

  private func cover(
    of container: borrowing AVContainer, _ input: borrowing MediaInput
  ) throws(MediaFailure) -> ThumbnailResult? {
    guard !options.prefersWaveform,
      let bytes = try AudioCover.bytes(of: container, input, type: info.type, maxBytes: options.limits.bytes)
    else { return nil }
    let image = EmbeddedImage(from: .cover, requests: requests, options: options, deadline: share(0.5))
    do throws(MediaFailure) {
      let result = try image.render(bytes)
      // If the cover is incomplete, the waveform is better.
      return result.error == nil ? result : nil
    } catch {
      // The request is at fault, not the cover.
      if error.code == .invalidRequest { throw error }
      return nil
    }
  }

  /// A deadline for a part of the work that reserves time for the rest: half for a cover, then nine tenths of what
  /// remains for decoding audio, because drawing the waveform comes last.
  private func share(_ part: Double) -> Deadline {
    .after(seconds: Double(deadline.nanosecondsLeft) / 1e9 * part)
  }
}
