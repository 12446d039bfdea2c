internal import MediaModel
internal import MediaProbe
internal import Thumbnails

/// What verdicts and the tray need of the engines: facts of a file, and its small pictures. One place for both, wherever they run.
struct FileEngine: Sendable {
  /// Ends reading from standard input early.
  let stop: StopSignal
  private let prober = MediaProber()

  init(stop: StopSignal) { self.stop = stop }

  /// The facts of a file; of one that cannot be opened, why.
  /// - Parameter digest: Whether all of it is read for its SHA-256.
  func info(of input: Input, digest: Bool = false) -> MediaInfo {
    do throws(MediaFailure) {
      var prober = prober
      prober.options.digest = digest
      return prober.facts(of: try input.open(limits: prober.options.limits, stop: stop), claim: input.claim)
    } catch {
      var info = MediaInfo(type: .octetStream, bytes: 0)
      info.extension = nil
      info.error = error
      return info
    }
  }

  /// Small pictures and a placeholder of a file whose facts are known.
  /// - Parameter draft: Whether the picture that the file carries of itself will do, however small.
  func pictures(
    of input: Input, info: MediaInfo, requests: [RenditionRequest], draft: Bool = false
  ) -> ThumbnailResult {
    do throws(MediaFailure) {
      var options = Thumbnailer.Options()
      options.draft = draft
      return Thumbnailer(options: options).render(
        try input.open(limits: options.limits, stop: stop), info: info, requests: requests)
    } catch {
      return ThumbnailResult(icon: MediaIcon(info: info), error: error)
    }
  }
}
