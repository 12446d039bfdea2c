internal import MediaModel

/// The images that renditions are compared with: made with the others, behind them, and written nowhere. Pure.
struct Comparisons {
  /// What a rendition is compared with: so much of the image, so large.
  struct Original: Hashable {
    let box: PixelSize
    let crop: PixelRect?
  }

  /// One for each that is asked for.
  private(set) var requests: [RenditionRequest] = []
  private let first: Int

  /// None.
  init() { first = .max }

  /// Those of the requests that ask to be compared.
  init(of requests: [RenditionRequest]) {
    first = requests.count
    var known: Set<Original> = []
    for request in requests {
      guard let original = Self.original(of: request), known.insert(original).inserted else { continue }
      var made = RenditionRequest(name: "", box: original.box)
      made.crop = original.crop
      self.requests.append(made)
    }
  }

  /// Whether a request, by its place, is for an original.
  func isOriginal(_ index: Int) -> Bool { index >= first }

  /// What the rendition of a request is compared with; nil for nothing.
  static func original(of request: RenditionRequest) -> Original? {
    request.comparedIn.map { Original(box: $0, crop: request.crop) }
  }
}
