internal import AttachmentPolicy
internal import MediaModel

/// An image of a message that is being fitted, with its possible forms and their sizes.
struct FitImage: Sendable {
  let attachment: MediaAttachment
  /// The largest size to send: its own size within the profile's box, which is swapped for portrait images.
  let largest: PixelSize
  private let contentClass: CarrierProfile.ContentClass
  /// All encoded candidates.
  private var made: [MessageFit.Plan.Candidate] = []
  /// All forms that were tried, including failed ones.
  private var tried: Set<MessageFit.Plan.Form> = []
  /// The reason why the image is sent unchanged; nil if it can be reduced.
  private(set) var failure: MediaFailure?

  /// Nil for a file that is no image or cannot be decoded.
  init?(_ attachment: MediaAttachment, under profile: CarrierProfile) {
    let info = attachment.info
    guard info.kind == .image, let size = attachment.crop?.size ?? info.displaySize, size.isPositive,
      profile.maxImageSize.isPositive
    else { return nil }
    if let code = info.error?.code, ![.truncated, .corrupt, .tooManyFrames].contains(code) { return nil }
    self.attachment = attachment
    contentClass = profile.contentClass
    let box = profile.maxImageSize
    let isTurned = (size.height > size.width) != (box.height > box.width) && size.height != size.width
    largest = Self.contained(size, in: isTurned ? box.transposed : box)
  }

  /// The size of an image contained in a box, never enlarged.
  private static func contained(_ size: PixelSize, in box: PixelSize) -> PixelSize {
    let scale = min(1, Double(box.width) / Double(size.width), Double(box.height) / Double(size.height))
    return scaled(size, scale)
  }

  private static func scaled(_ size: PixelSize, _ scale: Double) -> PixelSize {
    // No image has longer sides, whatever the facts claim.
    func side(_ length: Int) -> Int { max(1, Int((Double(min(length, 1 << 32)) * scale).rounded())) }
    return PixelSize(width: side(size.width), height: side(size.height))
  }

  /// Whether the original may be sent without its metadata: complete, upright, within the box, and of a type that every
  /// receiver supports and shows alike.
  var mayGoAsIs: Bool {
    let info = attachment.info
    let types: [MediaType] = contentClass.lacksPNG ? [.jpeg, .gif] : [.jpeg, .gif, .png]
    // Half of the receivers show the first image of an animated PNG, the others the animation.
    let isShownAlike = info.type != .png || (info.animated != true && info.tracks ?? 1 < 2)
    return types.contains(info.type) && isShownAlike && attachment.crop == nil && info.displaySize == largest
      && info.error == nil
      && (info.orientation ?? .up) == .up && info.hdr.map { $0 == .gainmap } ?? true
  }

  /// Whether an embedded profile is sRGB, so that dropping it does not change the colors.
  var isSRGB: Bool { attachment.info.colorProfile.map { $0.hasPrefix("sRGB") } ?? false }

  /// The forms that sample how quality grows with bytes.
  ///
  /// Each size has half the pixels of the previous one, down to 160 pixels on the longer side. Larger sizes are tried
  /// in three or four qualities, smaller ones in two.
  var firstForms: [MessageFit.Plan.Form] {
    let ladder: [(scale: Double, qualities: [Int])] = [
      (1, [25, 50, 75, 95]), (0.7071, [40, 70, 92]), (0.5, [50, 85]), (0.3536, [50, 80]), (0.25, [30, 70]),
    ]
    var forms: [MessageFit.Plan.Form] = []
    for (scale, qualities) in ladder {
      let box = Self.scaled(largest, scale)
      guard scale == 1 || max(box.width, box.height) >= 160 else { break }
      forms += qualities.map { MessageFit.Plan.Form(.jpeg(quality: $0), box: box) }
      if carriesPNG, scale >= 0.5 { forms.append(MessageFit.Plan.Form(.png, box: box)) }
    }
    return forms
  }

  /// Whether to try PNG: only for lossless or transparent originals, if receivers support PNG.
  private var carriesPNG: Bool {
    let lossless: [MediaType] = [.png, .gif, .bmp, .svg, .tiff]
    return !contentClass.lacksPNG && (attachment.info.alpha == true || lossless.contains(attachment.info.type))
  }

  /// Adds what was encoded, except for candidates without bytes, pixels or a similarity, and notes the forms that were tried.
  mutating func record(_ made: [MessageFit.Plan.Candidate], tried forms: [MessageFit.Plan.Form]) {
    tried.formUnion(forms)
    self.made += made.filter { $0.similarity.isFinite && $0.bytes > 0 && $0.size.isPositive }
  }

  /// The candidates that may be sent. A JPEG larger than its JPEG original is excluded as useless.
  var candidates: [MessageFit.Plan.Candidate] {
    let smaller = made.filter(gains)
    return smaller.isEmpty ? made : smaller
  }

  private func gains(_ candidate: MessageFit.Plan.Candidate) -> Bool {
    attachment.info.type != .jpeg || candidate.bytes <= attachment.info.bytes
  }

  /// Marks the image as failed: it is sent unchanged, or without its metadata if that has already been stripped.
  mutating func fail(_ failure: MediaFailure) { if made.isEmpty { self.failure = failure } }

  func isTried(_ form: MessageFit.Plan.Form) -> Bool { tried.contains(form) }

  /// The value of a candidate; docs/decisions/0055 defines the measure.
  func value(_ candidate: MessageFit.Plan.Candidate) -> Double {
    let info = attachment.info
    var value = FitMeasure.value(similarity: candidate.similarity)
    let isOpaque = if case .jpeg = candidate.form.encoding { true } else { candidate.type == .jpeg }
    if info.alpha == true, !isOpaque { value += FitMeasure.transparency }
    if info.animated == true, candidate.form.encoding == .asIs, candidate.type == .gif { value += FitMeasure.animation }
    return value
  }

  /// The candidates, and estimates for qualities between two tried ones. Bytes grow with the inverse square root of the
  /// coarseness, and the loss with its square root.
  var estimated: [MessageFit.Plan.Candidate] {
    let boxes = Dictionary(grouping: made.filter { $0.form.quality != nil }, by: \.form.box)
    var estimated = candidates
    for box in boxes.keys.sorted(by: { ($0.width, $0.height) < ($1.width, $1.height) }) {
      let curve = (boxes[box] ?? []).sorted { ($0.form.quality ?? 0) < ($1.form.quality ?? 0) }
      for (low, high) in zip(curve, curve.dropFirst()) {
        guard let from = low.form.quality, let to = high.form.quality, to - from > 1 else { continue }
        let (coarse, fine) = (Self.root(from), Self.root(to))
        for quality in stride(from: from + 1, to: to, by: max(1, (to - from) / 8)) {
          var between = low
          between.form.encoding = .jpeg(quality: quality)
          guard !isTried(between.form) else { continue }
          let root = Self.root(quality)
          let growth = (1 / root - 1 / coarse) / (1 / fine - 1 / coarse)
          let gain = (coarse - root) / (coarse - fine)
          between.bytes = low.bytes + Int((Double(high.bytes - low.bytes) * growth).rounded())
          between.similarity = low.similarity + (high.similarity - low.similarity) * gain
          if gains(between) { estimated.append(between) }
        }
      }
    }
    return estimated
  }

  private static func root(_ quality: Int) -> Double { FitMeasure.coarseness(ofQuality: quality).squareRoot() }
}

extension MessageFit.Plan.Form {
  /// The quality of a newly encoded JPEG.
  public var quality: Int? { if case .jpeg(let quality) = encoding { quality } else { nil } }
}
