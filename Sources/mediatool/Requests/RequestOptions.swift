internal import ArgumentParser
internal import MediaModel

/// The requested images: the flags of `thumbnail` that become ``RenditionRequest``s.
struct RequestOptions: ParsableArguments {
  @Option(
    name: [.customShort("s"), .customLong("size")],
    help: ArgumentHelp(
      """
      Make a thumbnail of this size: \(RenditionRequest.named.map(\.argumentHelp).joined(separator: ", ")), or pixels \
      such as 256 or 256x192. Repeatable. (default: grid)
      """,
      valueName: "size"),
    completion: .list(SizeArgument.names), transform: SizeArgument.parse)
  var sizes: [SizeArgument] = []

  @Option(
    help: ArgumentHelp(
      "Show the whole image (contain) or fill the whole box (cover). (default: as listed for --size; contain for pixels)",
      valueName: "fit"))
  var fit: FitArgument?

  @Option(
    help: ArgumentHelp(
      """
      With cover, keep the centre, the part that attracts most attention (attention) or the part with the most detail (entropy). \
      (default: centre)
      """, valueName: "gravity"))
  var gravity: RenditionRequest.Gravity?

  @Option(
    help: ArgumentHelp(
      "Crop every image to this rectangle first, in pixels of the upright image. An image that is smaller than the rectangle fails.",
      valueName: "x,y,w,h"),
    transform: CropArgument.parse)
  var crop: CropArgument?

  @Option(help: ArgumentHelp("Encode images in this format; auto is WebP.", valueName: "format"))
  var format: FormatArgument = .auto

  @Option(
    help: ArgumentHelp(
      "Encode with this quality, 1 to 100. (default: webp 79, jpeg 80, avif 60; png is lossless)", valueName: "n"),
    transform: Number.parser(1...100))
  var quality: Int?

  @Option(
    help: ArgumentHelp(
      "Use the best quality at which the image has at most this many bytes, such as 300k (300,000), 1M or 64Ki (65,536).",
      valueName: "n"),
    transform: ByteCountArgument.parse)
  var maxBytes: ByteCountArgument?

  @Option(
    help: ArgumentHelp(
      "Fill transparent areas with this color when writing JPEG. (default: #ffffff)", valueName: "#rrggbb"),
    transform: ColorArgument.parse)
  var background: ColorArgument?

  @Option(help: ArgumentHelp("Encode in this color space; p3 keeps colors outside sRGB.", valueName: "space"))
  var colorSpace = RenditionRequest.ColorSpace.srgb

  @Flag(help: "Enlarge images that are smaller than the requested size.")
  var upscale = false

  @Flag(help: "Write animated WebP for animated images instead of the frame that is shown longest.")
  var animated = false

  func validate() throws {
    if quality != nil, maxBytes != nil { throw ValidationError("--quality and --max-bytes cannot be combined.") }
    if animated, format.value.resolved != .webp {
      throw ValidationError("--animated writes WebP and cannot be combined with --format \(format.rawValue).")
    }
    var names: Set<String> = []
    for size in sizes where !names.insert(size.request.name).inserted {
      throw ValidationError("--size \(size.request.name) is given twice.")
    }
    if gravity != nil, requests.allSatisfy({ $0.fit == .contain }) {
      throw ValidationError("--gravity needs a size that crops, such as grid; add --fit cover.")
    }
  }

  /// The requests, in the order of the sizes.
  var requests: [RenditionRequest] { requests(of: sizes) }

  /// The requests for other sizes with the same options.
  func requests(of sizes: [SizeArgument]) -> [RenditionRequest] {
    let asked = sizes.isEmpty ? RenditionRequest.named.filter { $0.name == "grid" } : sizes.map(\.request)
    return asked.map { size in
      var request = size
      let gravity = gravity ?? .centre
      switch (fit, request.fit) {
      case (.cover, _), (nil, .cover): request.fit = .cover(gravity)
      case (.contain, _), (nil, .contain): request.fit = .contain
      }
      request.crop = crop?.rect
      request.format = format.value
      request.encoding = maxBytes.map { .maxBytes($0.bytes) } ?? .quality(quality)
      if let background { request.background = background.color }
      request.colorSpace = colorSpace
      request.allowsUpscaling = upscale
      request.animated = animated
      return request
    }
  }
}
