internal import MediaModel
internal import MediaProbe

/// Renditions of the cover of a sound: a picture from a stranger like any other, with the same checks.
struct CoverRenderer {
  let requests: [RenditionRequest]
  let options: Thumbnailer.Options
  let deadline: Deadline

  /// nil when it is no whole picture: the waveform is the better answer then.
  /// - Throws: `invalidRequest`, when the request is at fault and not the cover.
  func render(_ bytes: [UInt8]) throws(MediaFailure) -> ThumbnailResult? {
    do throws(MediaFailure) {
      let input = try MediaInput(bytes: bytes)
      var probe = MediaProber.Options()
      probe.limits = options.limits
      probe.limits.probeSeconds = min(probe.limits.probeSeconds, Double(deadline.nanosecondsLeft) / 1e9)
      let info = MediaProber(options: probe).facts(of: input)
      guard info.error == nil, Content(info) == .picture else { return nil }
      input.set(deadline: deadline)
      let renderer = PictureRenderer(info: info, requests: requests, options: options, deadline: deadline)
      var result = try renderer.render(input)
      guard result.error == nil else { return nil }
      for index in result.renditions.indices { result.renditions[index].from = .cover }
      return result
    } catch {
      if error.code == .invalidRequest { throw error }
      return nil
    }
  }
}
