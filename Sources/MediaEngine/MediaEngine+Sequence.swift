internal import MediaEngineProtocol
public import MediaModel

extension MediaEngine {
  /// Tiles of many files, in the order of the files, whatever is finished first.
  ///
  /// No more files are under way or done and not yet taken than twice those that the engine works on at once; the next one is asked for when
  /// there is room again, however long the sequence is. They are never refused as `busy`, and as batch work they let go first what a person
  /// waits for.
  /// - Parameters:
  ///   - sources: The files. A sequence that throws ends the results with what it threw.
  ///   - request: What is looked for and made of each.
  ///   - priority: Default ``MediaEngine/Priority/batch``.
  /// - Returns: For each file its tile, or why the engine did not do it (`unavailable`, `cancelled`).
  public func tiles<Sources: AsyncSequence & Sendable>(
    of sources: Sources, _ request: PreviewRequest, priority: Priority = .batch
  ) -> OrderedResults<MediaPreview> where Sources.Element == MediaSource {
    OrderedResults(of: sources, window: 2 * running) { [self] source in
      do throws(MediaFailure) {
        return .success(MediaPreview(try await answer(request.job(claim: nil), source, priority, isBounded: true)))
      } catch {
        return .failure(error)
      }
    }
  }

  /// Facts of many files, in the order of the files; otherwise as ``tiles(of:_:priority:)``.
  public func facts<Sources: AsyncSequence & Sendable>(
    of sources: Sources, options: ProbeOptions = ProbeOptions(), priority: Priority = .batch
  ) -> OrderedResults<MediaInfo> where Sources.Element == MediaSource {
    OrderedResults(of: sources, window: 2 * running) { [self] source in
      do throws(MediaFailure) {
        let job = MediaJob(facts: .found(options, claim: nil))
        return .success(try await answer(job, source, priority, isBounded: true).result.info)
      } catch {
        return .failure(error)
      }
    }
  }
}
