internal import CMediaShims
internal import Foundation
internal import MediaModel
internal import MediaProbe

/// Runs the attempts for one video until the best quality that fits is found.
struct VideoEncoder: ~Copyable {
  /// Maximum attempts per file.
  private static let maxAttempts = 10
  /// After this many attempts, any file that fits is good enough.
  private static let enoughAttempts = 6
  /// Bytes of decoded frames to keep between attempts: 64 MiB are six seconds of 640 × 480, or a minute of QCIF.
  /// Together with a decoder's own frames this is far below a worker's limit.
  static let cacheBytes = 67_108_864

  private let video: DeviceProfile
  private let source: PixelSize
  /// Whether the duration is known rather than estimated.
  private var isLengthKnown: Bool
  /// Maximum seconds of the source to encode.
  private let limit: Double
  private let cache = FrameCache(maxBytes: cacheBytes)
  private var attempt: EncodeAttempt
  /// Alternative audio codings, in case the current one fails.
  private var codings: [mediatool_coding]
  private var plan: VideoEncodePlan
  private var search: QualitySearch
  private var quantizer: Double
  /// The quantiser for the first attempt of a new plan.
  private var plannedQuantizer: Double?
  /// The output duration, and the bytes that are not video: projected at first, then actual.
  private var seconds: Double
  private var overhead: Int
  private var best: EncodedFile?
  private var bestCount = 0
  private var bestQuantizer = 0.0
  private var bestSize = PixelSize(width: 0, height: 0)

  /// - Parameters:
  ///   - stated: Expected duration in seconds.
  ///   - isLengthKnown: Whether that is more than an estimate.
  ///   - limit: Maximum seconds of the source to encode.
  init(_ video: DeviceProfile, _ source: SourceShape, seconds stated: Double, isLengthKnown: Bool, limit: Double) {
    self.video = video
    self.source = source.size
    self.limit = limit
    self.isLengthKnown = isLengthKnown
    seconds = max(0.1, min(stated, limit))
    let bits = Double(video.request.maxBytes) * 8 / seconds
    // AMR uses one mode at a time, so the size of a copy is predictable.
    codings = video.audioCodings(mayCopy: !video.isH264 && video.info.audioCodec == "amr_nb")
    attempt = video.base
    attempt.maxSeconds = limit
    attempt.orientation = source.orientation
    attempt.video = video.isH264 ? MEDIATOOL_CODING_H264 : MEDIATOOL_CODING_H263
    attempt.audio = codings.removeFirst()
    attempt.audioPlan = video.audioPlan(attempt.audio, bits: bits)
    overhead = Self.foreseenOverhead(video, attempt, seconds: seconds)
    let goal = Self.goal(video, overhead: overhead, seconds: seconds)
    plan = VideoEncodePlan(
      source: source.size, sourceRate: video.info.frameRate, bits: Double(goal) * 8 / seconds, request: video.request)
    search = Self.search(video, goal: goal)
    quantizer = plan.firstQuantizer(isH264: video.isH264, bytes: goal, seconds: seconds)
  }

  /// Runs the attempts and returns the best file; nil if nothing fits. `result` then states how much would fit.
  mutating func run(
    _ input: borrowing MediaInput, _ result: inout TranscodeResult, progress: ProgressReport
  ) throws(MediaFailure) -> TranscodeResult.File? {
    var tries = 0
    while tries < (bestCount == 0 ? Self.maxAttempts : Self.enoughAttempts) {
      prepare()
      let outcome: EncodeAttempt.Outcome
      do throws(MediaFailure) {
        outcome = try attempt.run(
          input, info: video.info, limits: video.request.limits, cache: cache,
          progress: progress.pass(duration: isLengthKnown ? seconds : nil))
      } catch {
        // Return what is ready.
        if error.code == .timedOut, bestCount > 0 { break }
        throw error
      }
      switch consume outcome {
      case .notInClass:
        guard !codings.isEmpty else { throw MediaFailure(.corrupt, "The video cannot be decoded.") }
        useNextAudio()
        continue
      case .encoded(let encoded):
        if encoded.tally.isCut, !video.request.mayCut {
          // The file is longer than it states.
          result.encodings += 1
          result.fittingDuration = limit
          return nil
        }
        take(encoded)
      case .overLimit(let tally): learn(from: tally)
      }
      tries += 1
      result.encodings += 1
      guard !isGoodEnough, goOn() else { break }
    }
    guard let file = best.take() else {
      result.fittingDuration = fittingSeconds
      return nil
    }
    return video.file(file, size: bestSize, coding: attempt.audio, isCopy: false)
  }

  /// Sets the parameters of the next attempt. Rate control steers it towards the available bytes, so most videos need
  /// two or three attempts.
  private mutating func prepare() {
    attempt.size = plan.size
    attempt.shown = plan.shown
    attempt.frameRate = plan.frameRate
    attempt.quantizer = quantizer
    attempt.expectedSeconds = seconds
    attempt.aimBytes = Int(Double(search.goal) * 0.95) + audioBytes
    attempt.quantizers =
      max(search.range.lowerBound, quantizer - 5)...min(search.range.upperBound, quantizer + 5)
  }

  /// Records a completed attempt. It becomes the best if it fits in every respect and is larger than the previous best.
  private mutating func take(_ encoded: consuming EncodedFile) {
    let tally = encoded.tally
    seconds = max(0.1, tally.seconds)
    overhead = encoded.count - tally.videoBytes
    search.goal = Self.goal(video, overhead: overhead, seconds: seconds)
    search.add(quantizer: quantizer, bytes: tally.videoBytes)
    if video.isWithinRate(tally.videoBytes, seconds: seconds), encoded.count > bestCount {
      bestQuantizer = quantizer
      bestSize = plan.size
      bestCount = encoded.count
      best = consume encoded
    }
    if !isLengthKnown { replan() }
  }

  /// The length is known now, and with it how many bits there are a second.
  private mutating func replan() {
    isLengthKnown = true
    let bits = Double(video.request.maxBytes) * 8 / seconds
    if attempt.audio != MEDIATOOL_CODING_COPY { attempt.audioPlan = video.audioPlan(attempt.audio, bits: bits) }
    overhead = Self.foreseenOverhead(video, attempt, seconds: seconds)
    let goal = Self.goal(video, overhead: overhead, seconds: seconds)
    let other = VideoEncodePlan(
      source: source, sourceRate: video.info.frameRate, bits: Double(goal) * 8 / seconds, request: video.request)
    guard other != plan else { return }
    plan = other
    search = Self.search(video, goal: goal)
    plannedQuantizer = plan.firstQuantizer(isH264: video.isH264, bytes: goal, seconds: seconds)
  }

  /// Learns from the projected size of an abandoned attempt.
  private mutating func learn(from tally: EncodeAttempt.Tally) {
    search.addGivenUp(
      quantizer: quantizer, projected: Double(tally.projectedBytes - (tally.hasAudio ? audioBytes : 0)))
  }

  private var isGoodEnough: Bool {
    guard bestCount > 0, plannedQuantizer == nil else { return false }
    let maximum = min(video.request.maxBytes, video.rateBytes(seconds) + overhead)
    return search.isGoodEnough(bestQuantizer, totalBytes: bestCount, of: maximum)
  }

  /// Selects the next quality, or a smaller video if even the worst was too large; false if there is nothing left to
  /// try.
  private mutating func goOn() -> Bool {
    if let planned = plannedQuantizer {
      plannedQuantizer = nil
      quantizer = planned
      return true
    }
    if let next = search.next() {
      quantizer = next
      return true
    }
    guard bestCount == 0, let smaller = plan.smaller(video.request) else { return false }
    plan = smaller
    search = Self.search(video, goal: Self.goal(video, overhead: overhead, seconds: seconds))
    quantizer = search.range.upperBound - 3
    return true
  }

  private mutating func useNextAudio() {
    attempt.audio = codings.removeFirst()
    attempt.audioPlan = video.audioPlan(attempt.audio, bits: Double(video.request.maxBytes) * 8 / seconds)
  }

  /// The seconds that would have fitted at the worst quality.
  private var fittingSeconds: Double {
    let projected = search.tooMuch?.bytes ?? Double(video.request.maxBytes)
    return min(limit, max(0, seconds * Double(search.goal) / max(1, projected) * 0.9))
  }

  private var audioBytes: Int {
    attempt.audio == MEDIATOOL_CODING_NONE ? 0 : Int(Double(attempt.audioPlan.rate) * seconds / 8)
  }

  /// Projected bytes of audio and container: one index entry per video frame and audio frame.
  private static func foreseenOverhead(_ video: DeviceProfile, _ attempt: EncodeAttempt, seconds: Double) -> Int {
    let hasAudio = attempt.audio != MEDIATOOL_CODING_NONE
    let audio = hasAudio ? Double(attempt.audioPlan.rate) * seconds / 8 * 1.05 + seconds * 50 * 5 + 500 : 0
    let rate = VideoEncodePlan.frameRate(of: video.info.frameRate, maximum: video.request.maxFrameRate)
    return Int(min(1e12, audio + 1_000 + seconds * rate * 6))
  }

  /// Maximum bytes of the video stream.
  private static func goal(_ video: DeviceProfile, overhead: Int, seconds: Double) -> Int {
    max(1, min(video.request.maxBytes - overhead, video.rateBytes(seconds)))
  }

  private static func search(_ video: DeviceProfile, goal: Int) -> QualitySearch {
    QualitySearch(range: video.isH264 ? 18...40 : 6...29.7, goal: goal)
  }
}
