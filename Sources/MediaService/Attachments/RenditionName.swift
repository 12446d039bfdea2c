public import MediaModel

extension MediaService {
  /// The name of a rendition in an address: a size, and a format unless it is negotiated, such as `grid.webp`, `256` or `512x256.jpeg`. Of a part of
  /// an image: `grid-x10y20w300h400.webp`.
  public struct RenditionName: Hashable, Sendable, CustomStringConvertible {
    /// A format that an address can name.
    public enum Format: String, Hashable, Sendable, CaseIterable {
      /// Lossy WebP, which has alpha.
      case webp
      /// JPEG, on white.
      case jpeg
      /// PNG, lossless and with alpha.
      case png
      /// AVIF, only where a rendition is stored in it: encoding takes six times as long as JPEG.
      case avif

      /// The media type of the bytes.
      public var type: MediaType { request.type }

      var request: RenditionRequest.Format {
        switch self {
        case .webp: .webp
        case .jpeg: .jpeg
        case .png: .png
        case .avif: .avif
        }
      }
    }

    /// The predefined name, or the box as `256` for a square or `512x256`.
    public let size: String
    /// The format; nil if the reader's `Accept` decides.
    public let format: Format?
    /// The part of the image that is shown, in upright pixels; nil for all of it.
    public let crop: PixelRect?
    let box: PixelSize
    let fit: RenditionRequest.Fit

    /// The name of a predefined size.
    public init?(named size: String, format: Format?, crop: PixelRect? = nil) {
      guard let request = RenditionRequest.named(size) else { return nil }
      (self.size, self.format, self.crop, box, fit) = (size, format, crop, request.box, request.fit)
    }

    /// Reads a name in the one spelling that it has.
    /// - Parameter boxes: The boxes that are allowed besides the predefined sizes.
    /// - Returns: nil for any other text.
    public init?(_ text: String, boxes: Set<PixelSize>) {
      let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
      guard parts.count <= 2, let first = parts.first, let (size, crop) = Self.sizeAndCrop(first) else { return nil }
      var format: Format?
      if parts.count == 2 {
        guard let named = Format(rawValue: parts[1]) else { return nil }
        format = named
      }
      if let name = RenditionName(named: size, format: format, crop: crop) {
        self = name
        return
      }
      guard let box = Self.box(size), boxes.contains(box) else { return nil }
      (self.size, self.format, self.crop, self.box, fit) = (size, format, crop, box, .contain)
    }

    /// The same size, crop and fit in a format.
    func with(_ format: Format) -> RenditionName {
      RenditionName(size: size, format: format, crop: crop, box: box, fit: fit)
    }

    private init(size: String, format: Format?, crop: PixelRect?, box: PixelSize, fit: RenditionRequest.Fit) {
      (self.size, self.format, self.crop, self.box, self.fit) = (size, format, crop, box, fit)
    }

    /// The name in an address.
    public var description: String {
      let part = crop.map { "-x\($0.x)y\($0.y)w\($0.width)h\($0.height)" } ?? ""
      return size + part + (format.map { ".\($0.rawValue)" } ?? "")
    }

    /// Reads what is before the format; nil if its crop is not one, or is spelled in another way.
    private static func sizeAndCrop(_ text: String) -> (String, PixelRect?)? {
      guard let dash = text.firstIndex(of: "-") else { return (text, nil) }
      let part = text[text.index(after: dash)...]
      let numbers = part.split { "xywh".contains($0) }.compactMap { Int($0) }
      guard numbers.count == 4 else { return nil }
      let crop = PixelRect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
      guard crop.x >= 0, crop.y >= 0, crop.width > 0, crop.height > 0,
        part == "x\(crop.x)y\(crop.y)w\(crop.width)h\(crop.height)"
      else { return nil }
      return (String(text[..<dash]), crop)
    }

    private static func box(_ text: String) -> PixelSize? {
      let sides = text.split(separator: "x", omittingEmptySubsequences: false).compactMap { Int($0) }
      guard let width = sides.first, sides.count <= 2 else { return nil }
      let box = PixelSize(width: width, height: sides.count == 2 ? sides[1] : width)
      // One spelling: no signs or zeros before a number, and a square has one number.
      return text == (box.width == box.height ? "\(width)" : "\(width)x\(box.height)") ? box : nil
    }
  }
}
