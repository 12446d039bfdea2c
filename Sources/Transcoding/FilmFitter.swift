internal import CMediaShims
internal import Foundation
internal import MediaModel
internal import MediaProbe

/// The way of one film: as it is when it fits so, else encoded until it does.
struct FilmFitter {
  let info: MediaInfo
  let request: TranscodeRequest

  /// Bytes of a second of film with which nearly every one is still worth looking at: what Android's composer demands of a recording.
  static let usualBytesPerSecond = 4_096.0
  /// With fewer than these not even a slide show and a telephone's voice fit, and nothing is tried.
  static let leastBytesPerSecond = 1_024.0
  /// Encodings of one file.
  private static let mostTries = 10
  /// After so many, what fits is good enough.
  private static let enoughTries = 6

  /// Seconds that are tried at most.
  private var mostSeconds: Double {
    min(request.maxDuration ?? .infinity, Double(request.maxBytes) / Self.leastBytesPerSecond)
  }

  /// The length as stated; nil for unknown.
  private var statedSeconds: Double? { info.duration.flatMap { $0.isFinite && $0 > 0 ? $0 : nil } }

  func fit(_ input: borrowing MediaInput, _ result: inout TranscodeResult) throws(MediaFailure) {
    guard info.kind == .video else { throw MediaFailure(.unsupported, "There is no picture in it that moves.") }
    let source = try SourceShape(input, info: info, limits: request.limits)
    if let file = try copy(input, source) {
      result.file = file
      return
    }
    var seconds = statedSeconds ?? min(mostSeconds, 60)
    if seconds > mostSeconds + 0.05 {
      guard request.mayCut else { throw refusal(usualSeconds, &result) }
      seconds = usualSeconds
    }
    if let file = try encode(input, source, seconds: seconds, limit: mostSeconds, &result) {
      result.file = file
      return
    }
    // The length that would have fitted in the worst quality is known now.
    guard request.mayCut, let fitting = result.fittingDuration, fitting > 0 else {
      throw refusal(result.fittingDuration ?? 0, &result)
    }
    guard let file = try encode(input, source, seconds: fitting, limit: fitting, &result) else {
      throw refusal(result.fittingDuration ?? 0, &result)
    }
    result.fittingDuration = nil
    result.file = file
  }

  /// What fits of a film of which nothing else is known.
  private var usualSeconds: Double {
    min(request.maxDuration ?? .infinity, Double(request.maxBytes) / Self.usualBytesPerSecond)
  }

  private func refusal(_ seconds: Double, _ result: inout TranscodeResult) -> MediaFailure {
    result.fittingDuration = seconds
    return MediaFailure(.wouldNotFit, "It is too long for so few bytes.")
  }
}

// Copying.
extension FilmFitter {
  private var isH264: Bool { if case .mp4 = request.format { true } else { false } }

  /// The film as it is in a new container, with its sound as it is, else with its sound encoded; nil when that cannot be.
  private func copy(
    _ input: borrowing MediaInput, _ source: SourceShape
  ) throws(MediaFailure) -> TranscodedFile? {
    guard info.videoCodec == (isH264 ? "h264" : "h263"), source.orientation == .up, info.hdr == nil,
      info.error == nil, statedSeconds != nil
    else { return nil }
    var attempt = base
    attempt.video = MEDIATOOL_CODING_COPY
    attempt.maxSeconds = (request.maxDuration ?? 1e6) + 0.05
    guard allowsCopy(of: source.size) else { return nil }
    attempt.size = source.size
    let bits = Double(request.maxBytes) * 8 / max(0.1, statedSeconds ?? 1)
    attempt.soundPlan = .ofFilm(bits: bits, info: info)
    var codings = [MEDIATOOL_CODING_NONE]
    if request.keepsSound, info.audioCodec != nil { codings = [MEDIATOOL_CODING_COPY] + soundCodings }
    for coding in codings {
      attempt.sound = coding
      if coding == MEDIATOOL_CODING_AMR { attempt.soundPlan = amrPlan(bits: bits) }
      guard case .made(let made) = try attempt.run(input, info: info, limits: request.limits), !made.isCut else {
        continue
      }
      return file(made, size: source.size, coding: coding, isCopy: true)
    }
    return nil
  }

  private func allowsCopy(of size: PixelSize) -> Bool {
    switch request.format {
    case .mp4(let level):
      guard level.allows(size) else { return false }
      guard let box = request.box else { return true }
      return max(size.width, size.height) <= max(box.width, box.height)
        && min(size.width, size.height) <= min(box.width, box.height)
    case .threeGP(let most):
      return H263Size.allCases.contains { $0.size == size } && size.pixelCount <= most.size.pixelCount
    case .amr, .aac: return false
    }
  }
}

// Encoding.
extension FilmFitter {
  /// The best that fits; nil when nothing does, with how much of it would.
  private func encode(
    _ input: borrowing MediaInput, _ source: SourceShape, seconds stated: Double, limit: Double,
    _ result: inout TranscodeResult
  ) throws(MediaFailure) -> TranscodedFile? {
    var seconds = max(0.1, min(stated, limit))
    var attempt = base
    attempt.maxSeconds = limit
    attempt.orientation = source.orientation
    attempt.video = isH264 ? MEDIATOOL_CODING_H264 : MEDIATOOL_CODING_H263
    let bits = Double(request.maxBytes) * 8 / seconds
    var codings = [MEDIATOOL_CODING_NONE]
    if request.keepsSound, info.audioCodec != nil { codings = soundCodings }
    if !isH264, info.audioCodec == "amr_nb", request.keepsSound { codings.insert(MEDIATOOL_CODING_COPY, at: 0) }
    attempt.sound = codings.removeFirst()
    attempt.soundPlan = soundPlan(attempt.sound, bits: bits)
    var overhead = foreseenOverhead(attempt, seconds: seconds)
    var plan = FilmPlan(
      source: source.size, sourceRate: info.frameRate,
      bits: Double(goal(overhead: overhead, seconds: seconds)) * 8 / seconds, request: request)
    var search = newSearch(overhead: overhead, seconds: seconds)
    var quantizer = firstQuantizer(plan, goal: search.goal, seconds: seconds)
    var best: (file: TranscodedFile, quantizer: Double)?
    var tries = 0
    while tries < (best == nil ? Self.mostTries : Self.enoughTries) {
      set(plan, quantizer, seconds, &attempt)
      lead(&attempt, search)
      let outcome: TranscodingTry.Outcome
      do throws(MediaFailure) {
        outcome = try attempt.run(input, info: info, limits: request.limits)
      } catch {
        // What is ready is ready.
        if error.code == .timedOut, let best { return best.file }
        throw error
      }
      if case .notInClass = outcome {
        guard !codings.isEmpty else { throw MediaFailure(.corrupt, "Nothing of the video can be decoded.") }
        attempt.sound = codings.removeFirst()
        attempt.soundPlan = soundPlan(attempt.sound, bits: bits)
        continue
      }
      tries += 1
      result.encodings += 1
      switch outcome {
      case .notInClass: break
      case .made(let made):
        if made.isCut, !request.mayCut {
          // It is longer than it says.
          result.fittingDuration = limit
          return nil
        }
        seconds = max(0.1, made.seconds)
        overhead = made.data.count - made.videoBytes
        search.goal = goal(overhead: overhead, seconds: seconds)
        search.add(quantizer: quantizer, bytes: made.videoBytes)
        if made.data.count > best?.file.data.count ?? 0 {
          best = (file(made, size: plan.size, coding: attempt.sound, isCopy: false), quantizer)
        }
      case .over(let made):
        let sound = Int(Double(attempt.soundPlan.rate) * seconds / 8)
        search.addGivenUp(quantizer: quantizer, foretold: Double(made.foretoldBytes - (made.hasSound ? sound : 0)))
      }
      let most = min(request.maxBytes, rateBytes(seconds) + overhead)
      if let best, search.isGoodEnough(best.quantizer, totalBytes: best.file.data.count, of: most) { break }
      if let next = search.next() {
        quantizer = next
      } else if best == nil, let smaller = plan.smaller(request) {
        plan = smaller
        search = newSearch(overhead: overhead, seconds: seconds)
        quantizer = search.range.upperBound - 3
      } else {
        break
      }
    }
    if let best { return best.file }
    let foretold = search.tooMuch?.bytes ?? Double(request.maxBytes)
    let fitting = seconds * Double(search.goal) / max(1, foretold) * 0.9
    result.fittingDuration = min(limit, max(0, fitting))
    return nil
  }

  /// What sound and container take: for each picture and each frame of sound a place in the index.
  private func foreseenOverhead(_ attempt: TranscodingTry, seconds: Double) -> Int {
    let hasSound = attempt.sound != MEDIATOOL_CODING_NONE
    let sound = hasSound ? Double(attempt.soundPlan.rate) * seconds / 8 * 1.05 + seconds * 50 * 5 + 500 : 0
    let rate = min(request.maxFrameRate, info.frameRate ?? 30)
    return Int(min(1e12, sound + 1_000 + seconds * rate * 6))
  }

  /// Within a try the quality is led towards the bytes that there are: so most films need two or three.
  private func lead(_ attempt: inout TranscodingTry, _ search: QualitySearch) {
    let sound =
      attempt.sound == MEDIATOOL_CODING_NONE ? 0 : Double(attempt.soundPlan.rate) * attempt.expectedSeconds / 8
    attempt.aimBytes = Int(Double(search.goal) * 0.95 + sound)
    let (least, most) = (search.range.lowerBound, search.range.upperBound)
    attempt.quantizers = max(least, attempt.quantizer - 5)...min(most, attempt.quantizer + 5)
  }

  private func newSearch(overhead: Int, seconds: Double) -> QualitySearch {
    QualitySearch(range: isH264 ? 18...40 : 6...29.7, goal: goal(overhead: overhead, seconds: seconds))
  }

  private func goal(overhead: Int, seconds: Double) -> Int {
    max(1, min(request.maxBytes - overhead, rateBytes(seconds)))
  }

  /// A guess to begin with: what films of that size usually take, the noise of a camera included. What is a little off is made up for by leading.
  private func firstQuantizer(_ plan: FilmPlan, goal: Int, seconds: Double) -> Double {
    let pixels = Double(plan.shown.pixelCount) * plan.frameRate * seconds
    let bits = max(1e-6, Double(goal) * 8 / max(1, pixels))
    let usual = 0.085 * pow(30 / plan.frameRate, 0.5)
    if isH264 { return min(max(26.5 + 6 * log2(usual / bits), 20), 38) }
    return min(max(6 * log2(1.6 / bits), 6), 29)
  }

  private func set(_ plan: FilmPlan, _ quantizer: Double, _ seconds: Double, _ attempt: inout TranscodingTry) {
    attempt.size = plan.size
    attempt.shown = plan.shown
    attempt.frameRate = plan.frameRate
    attempt.quantizer = quantizer
    attempt.expectedSeconds = seconds
  }
}

// What both have in common.
extension FilmFitter {
  private var base: TranscodingTry {
    var attempt = TranscodingTry()
    attempt.container = isH264 ? MEDIATOOL_CONTAINER_MP4 : MEDIATOOL_CONTAINER_3GP
    attempt.maxBytes = request.maxBytes
    attempt.frameRate = request.maxFrameRate
    switch request.format {
    case .mp4(let level):
      attempt.level = level.number
      attempt.maxRate = level.maxRate
      attempt.bufferSize = level.bufferSize
    case .threeGP(let size):
      // ITU-T H.263, annex X, and what 3GPP TS 26.140 asks of every receiver: profile 0 level 45, 128 kbit/s; 384 for the larger picture.
      attempt.level = size == .cif ? 30 : 45
      attempt.maxRate = size == .cif ? 384_000 : 128_000
    case .amr, .aac: break
    }
    return attempt
  }

  /// Bytes that the level allows the pictures.
  private func rateBytes(_ seconds: Double) -> Int {
    Int(min(1e12, Double(base.maxRate) * seconds / 8 * (isH264 ? 0.97 : 1)))
  }

  private var soundCodings: [mediatool_coding] {
    if isH264 { return [MEDIATOOL_CODING_AAC] }
    return Transcoder.writesAMR ? [MEDIATOOL_CODING_AMR] : [MEDIATOOL_CODING_AAC]
  }

  private func soundPlan(_ coding: mediatool_coding, bits: Double) -> SoundPlan {
    coding == MEDIATOOL_CODING_AMR || coding == MEDIATOOL_CODING_COPY
      ? amrPlan(bits: bits) : .ofFilm(bits: bits, info: info)
  }

  private func amrPlan(bits: Double) -> SoundPlan {
    SoundPlan(rate: AMRMode.ofFilm(bits: bits), sampleRate: 8_000, channels: 1)
  }

  private func file(
    _ made: TranscodingTry.Made, size: PixelSize, coding: mediatool_coding, isCopy: Bool
  ) -> TranscodedFile {
    let audio: String? =
      switch coding {
      case MEDIATOOL_CODING_AAC: "aac"
      case MEDIATOOL_CODING_AMR: "amr_nb"
      default: info.audioCodec
      }
    return TranscodedFile(
      type: MediaType(isH264 ? "video/mp4" : "video/3gpp"), width: size.width, height: size.height,
      duration: made.seconds, frames: made.frames, videoCodec: isH264 ? "h264" : "h263",
      audioCodec: made.hasSound ? audio : nil, isCopy: isCopy, isCut: made.isCut, data: made.data)
  }
}
