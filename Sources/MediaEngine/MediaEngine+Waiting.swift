internal import MediaEngineProtocol
package import MediaModel

extension MediaEngine {
  /// Images of a file whose facts are known, for a caller that bounds by itself how many it asks for at once: never refused as `busy`.
  package func renderBounded(
    _ source: MediaSource, info: MediaInfo, requests: [RenditionRequest], options: ThumbnailOptions
  ) async throws(MediaFailure) -> ThumbnailResult {
    let job = MediaJob(facts: .given(info), images: .init(options: options, requests: requests))
    let answer = try await answer(job, source, .interactive, isBounded: true)
    return answer.result.thumbnails ?? ThumbnailResult(error: answer.result.info.error)
  }
}
