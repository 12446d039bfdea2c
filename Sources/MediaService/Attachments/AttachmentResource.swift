public import MediaLibrary

extension MediaService {
  /// A part of an attachment that has an address of its own.
  public enum Resource: Hashable, Sendable {
    /// The file itself.
    case original
    /// An image of it.
    case rendition(RenditionName)
    /// The frame that represents a video.
    case poster
    /// The index of the frames of a video (WebVTT).
    case storyboard
    /// The image with the frames of a video.
    case storyboardImage
    /// The peaks of an audio file.
    case waveform
    /// A file of a multimedia message, counted from 1 in the order of its modules.
    case part(Int)

    /// The right that a reader needs. A part has the metadata of its file, as an original has.
    public var right: Right {
      switch self {
      case .original, .part: .original
      default: .view
      }
    }

    /// The path below that of the attachment.
    var path: String {
      switch self {
      case .original: "original"
      case .rendition(let name): "renditions/\(name)"
      case .poster: "poster"
      case .storyboard: "storyboard.vtt"
      case .storyboardImage: "storyboard.webp"
      case .waveform: "waveform"
      case .part(let number): "parts/\(number)"
      }
    }
  }

  /// The path of a part of an attachment, from the first slash on.
  public static func path(of resource: Resource, of id: FileID) -> String {
    "/v1/attachments/\(id.rawValue)/\(resource.path)"
  }

  /// The address of a part of an attachment, signed if there are keys. Relative, so that no header of a request is in it.
  /// - Parameter generation: The present generation of the attachment.
  public func address(of resource: Resource, of id: FileID, generation: Int) -> String {
    let path = Self.path(of: resource, of: id)
    guard let keys = signingKeys else { return path }
    return "\(path)?\(keys.query(path: path, expires: addressExpiry(), generation: generation))"
  }

  /// The addresses of an attachment's renditions by their names, and of its original.
  /// - Parameter rights: What the addresses allow. Default: everything.
  public func urls(
    of id: FileID, generation: Int, rights: Set<Right> = [.view, .original]
  ) -> [String: String] {
    var addresses: [String: String] = [:]
    if rights.contains(.original) { addresses["original"] = address(of: .original, of: id, generation: generation) }
    for size in Self.publishedSizes {
      addresses[size.size] = address(of: .rendition(size), of: id, generation: generation)
    }
    return addresses
  }

  private static let publishedSizes = ["grid", "grid2x", "message", "view", "avatar"]
    .compactMap { RenditionName(named: $0, format: .webp) }

  /// When an address that is signed now expires: at the end of the next full period, so that all addresses of a period are equal and caches can
  /// keep them.
  private func addressExpiry() -> Int {
    let period = max(1, configuration.addressLifetime)
    return (now() / period + 2) * period
  }
}
