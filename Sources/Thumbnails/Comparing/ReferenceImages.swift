internal import MediaModel

/// The reference images for comparisons with renditions. They are rendered after the others and not returned. Pure.
struct ReferenceImages {
  /// The identity of a reference image: crop and size.
  struct Original: Hashable {
    let box: PixelSize
    let crop: PixelRect?
  }

  /// One request for each reference image.
  private(set) var requests: [RenditionRequest] = []
  private let first: Int

  /// No comparisons.
  init() { first = .max }

  /// The comparisons that the requests ask for.
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

  /// Whether the request at this index is for a reference image.
  func isOriginal(_ index: Int) -> Bool { index >= first }

  /// The reference image for the rendition of a request; nil if it is not compared.
  static func original(of request: RenditionRequest) -> Original? {
    request.comparedIn.map { Original(box: $0, crop: request.crop) }
  }
}
