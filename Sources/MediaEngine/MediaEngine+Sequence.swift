internal import MediaEngineProtocol
public import MediaModel

extension MediaEngine {
  /// Previews of many files, in the order of the files.
  ///
  /// The number of files that are being decoded or have an untaken result is at most twice the number of concurrent jobs; the next file is requested
  /// when there is room. Jobs are never refused as `busy`, and with batch priority they let interactive jobs go first.
  /// - Parameters:
  ///   - sources: The files. If the sequence throws, the results end with that error.
  ///   - request: The facts to find and the images to make for each file.
  ///   - domain: The trust domain of all the files; no worker serves two. Default nil: ``Configuration/domain``.
  ///   - priority: Default ``MediaEngine/Priority/batch``.
  /// - Returns: For each file its preview, or the engine's failure (`unavailable`, `cancelled`).
  public func previews<Sources: AsyncSequence & Sendable>(
    of sources: Sources, _ request: MediaPreview.Request, domain: TrustDomain? = nil, priority: Priority = .batch
  ) -> OrderedResults<MediaPreview> where Sources.Element == MediaSource {
    OrderedResults(of: sources, window: 2 * running) { [self] source in
      do throws(MediaFailure) {
        return .success(
          MediaPreview(try await answer(request.job(claim: nil), source, domain, priority, isBounded: true)))
      } catch {
        return .failure(error)
      }
    }
  }

  /// Facts of many files, in the order of the files; otherwise as ``previews(of:_:domain:priority:)``.
  public func facts<Sources: AsyncSequence & Sendable>(
    of sources: Sources, options: ProbeOptions = ProbeOptions(), domain: TrustDomain? = nil,
    priority: Priority = .batch
  ) -> OrderedResults<MediaInfo> where Sources.Element == MediaSource {
    OrderedResults(of: sources, window: 2 * running) { [self] source in
      do throws(MediaFailure) {
        let job = MediaJob(facts: .found(options, claim: nil))
        return .success(try await answer(job, source, domain, priority, isBounded: true).result.info)
      } catch {
        return .failure(error)
      }
    }
  }
}
