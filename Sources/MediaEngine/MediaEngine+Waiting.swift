internal import MediaEngineProtocol
package import MediaModel

extension MediaEngine {
  /// Finds the facts of a file. For callers that limit their own number of jobs: never refused as `busy`.
  package func probeBounded(
    _ source: MediaSource, claim: MediaType.Claim?, options: ProbeOptions, domain: TrustDomain?
  ) async throws(MediaFailure) -> MediaInfo {
    let job = MediaJob(facts: .found(options, claim: claim))
    return try await answer(job, source, domain, .interactive, isBounded: true).result.info
  }

  /// Finds facts and makes images of a file in one call. For callers that limit their own number of jobs: never refused as `busy`.
  package func previewBounded(
    _ source: MediaSource, claim: MediaType.Claim?, _ request: MediaPreview.Request, domain: TrustDomain?
  ) async throws(MediaFailure) -> MediaPreview {
    MediaPreview(try await answer(request.job(claim: claim), source, domain, .interactive, isBounded: true))
  }

  /// Renders images of a file with known facts. For callers that limit their own number of jobs: never refused as `busy`.
  package func renderBounded(
    _ source: MediaSource, info: MediaInfo, requests: [RenditionRequest], options: ThumbnailOptions,
    domain: TrustDomain?
  ) async throws(MediaFailure) -> ThumbnailResult {
    let job = MediaJob(facts: .given(info), images: .init(options: options, requests: requests))
    let answer = try await answer(job, source, domain, .interactive, isBounded: true)
    return answer.result.thumbnails ?? ThumbnailResult(error: answer.result.info.error)
  }
}
