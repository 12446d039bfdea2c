internal import MediaModel
internal import MediaProbe

/// Encodes finished pixels as the renditions of one result, and makes the placeholder from the smallest.
struct RenditionWriter: ~Copyable {
  let requests: [RenditionRequest]
  let from: Rendition.Source
  let options: Thumbnailer.Options
  let deadline: Deadline

  private let comparisons: ReferenceImages
  private var made: [Rendition?]
  private var originals: [ReferenceImages.Original: LumaPlane] = [:]
  private var sample: (rgba: [UInt8], size: PixelSize)?

  init(
    requests: [RenditionRequest], from: Rendition.Source, options: Thumbnailer.Options, deadline: Deadline,
    comparisons: ReferenceImages = ReferenceImages()
  ) {
    self.requests = requests
    self.from = from
    self.options = options
    self.deadline = deadline
    self.comparisons = comparisons
    made = Array(repeating: nil, count: requests.count)
  }

  /// Encodes the pixels of one request, or keeps them as a reference image.
  mutating func write(_ image: borrowing Image, for index: Int) throws(MediaFailure) {
    if comparisons.isOriginal(index) {
      let original = ReferenceImages.Original(box: requests[index].box, crop: requests[index].crop)
      originals[original] = try LumaPlane(of: image)
      return
    }
    let encoder = RenditionEncoder(
      request: requests[index], from: from, isDraft: options.draft, deadline: deadline)
    made[index] = try encoder.encode(image)
    if options.placeholder, image.size.pixelCount < sample?.size.pixelCount ?? .max {
      sample = (try image.rgba(convertingProfile: requests[index].colorSpace == .p3), image.size)
    }
  }

  /// Sets the similarity of every rendition that is to be compared.
  mutating func compare() throws(MediaFailure) {
    for index in made.indices {
      guard let original = ReferenceImages.original(of: requests[index]).flatMap({ originals[$0] }),
        let rendition = made[index]
      else { continue }
      try deadline.check()
      made[index]?.similarity = try original.similarity(to: rendition)
    }
  }

  /// The renditions so far, in the order of the requests.
  borrowing func result(error: MediaFailure? = nil) -> ThumbnailResult {
    var result = ThumbnailResult(renditions: made.compactMap { $0 }, error: error)
    if let sample { result.placeholder = PlaceholderMaker.placeholder(rgba: sample.rgba, size: sample.size) }
    return result
  }
}

extension RenditionWriter {
  /// Makes all renditions of a still whose pixels are in memory and did not come from an image loader: a video frame or
  /// a page.
  static func result(
    of image: consuming Image, orientation: MediaInfo.Orientation = .up, from: Rendition.Source,
    requests: [RenditionRequest], options: Thumbnailer.Options, deadline: Deadline
  ) throws(MediaFailure) -> ThumbnailResult {
    let displayed = orientation.displayed(image.size)
    for request in requests { try request.check(against: displayed) }
    image.set(orientation: orientation)
    var writer = RenditionWriter(requests: requests, from: from, options: options, deadline: deadline)
    let base = BaseImage(decoded: image, orientation: orientation, requests: requests)
    try base.forEachRendition { (index, image) throws(MediaFailure) in
      try deadline.check()
      try writer.write(image, for: index)
    }
    return writer.result()
  }
}
