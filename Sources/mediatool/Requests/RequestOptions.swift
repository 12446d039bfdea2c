internal import ArgumentParser
internal import MediaModel

/// Which images are asked for: the flags of `thumbnail` that become ``RenditionRequest``s.
struct RequestOptions: ParsableArguments {
  @Option(
    name: .customLong("size"),
    help: ArgumentHelp(
      """
      \(RenditionRequest.named.map(\.name).joined(separator: ", ")), or pixels: 256 or 256x192. Repeat it for several. \
      (default: grid)
      """,
      valueName: "size"),
    transform: SizeArgument.parse)
  var sizes: [SizeArgument] = []

  @Option(help: ArgumentHelp("All of the image, or all of the box. (default: the size's own)", valueName: "fit"))
  var fit: FitArgument?

  @Option(help: ArgumentHelp("What stays when it is cut to a box. (default: centre)", valueName: "gravity"))
  var gravity: RenditionRequest.Gravity?

  @Option(
    help: ArgumentHelp("Only this part, in pixels of the upright image.", valueName: "x,y,w,h"),
    transform: CropArgument.parse)
  var crop: CropArgument?

  @Option(help: ArgumentHelp("What is written; auto is WebP.", valueName: "format"))
  var format: FormatArgument = .auto

  @Option(
    help: ArgumentHelp("1…100. (default: webp 79, jpeg 80, avif 60)", valueName: "n"),
    transform: Number.parser(1...100))
  var quality: Int?

  @Option(
    help: ArgumentHelp("The best quality within so many bytes, such as 300k, 1M or 64Ki.", valueName: "n"),
    transform: ByteCountArgument.parse)
  var maxBytes: ByteCountArgument?

  @Option(
    help: ArgumentHelp("What shows through in a JPEG. (default: #ffffff)", valueName: "#rrggbb"),
    transform: ColorArgument.parse)
  var background: ColorArgument?

  @Option(help: ArgumentHelp("p3 is for images that have more than sRGB can show.", valueName: "space"))
  var colorSpace = RenditionRequest.ColorSpace.srgb

  @Flag(help: "Enlarge images that are smaller than the size.")
  var upscale = false

  @Flag(help: "Animated WebP from animated images, not their first frame alone.")
  var animated = false

  func validate() throws {
    if quality != nil, maxBytes != nil { throw ValidationError("--quality and --max-bytes cannot both be given.") }
    if animated, format.value.resolved != .webp {
      throw ValidationError("--animated writes WebP; it cannot be given with --format \(format.rawValue).")
    }
    var names: Set<String> = []
    for size in sizes where !names.insert(size.request.name).inserted {
      throw ValidationError("The size '\(size.request.name)' is given twice.")
    }
    if gravity != nil, requests.allSatisfy({ $0.fit == .contain }) {
      throw ValidationError("--gravity says how an image is cut; these sizes contain all of it. Add --fit cover.")
    }
  }

  /// What is asked for, in the order of the sizes.
  var requests: [RenditionRequest] {
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
