package import MediaModel

/// The libraries that a worker loads before it isolates itself. Afterwards it can load none.
///
/// Loading all of them takes most of a worker's start, and a worker exposes only what it has loaded to the files it is given.
package enum WorkerLibraries: String, Hashable, Codable, Sendable {
  /// What facts of most images and documents need: libmagic.
  case facts
  /// Also FFmpeg: the facts of audio and video.
  case containers
  /// libmagic, and libvips without its modules: JPEG, PNG, WebP, GIF and TIFF images.
  case images
  /// libmagic, libvips without its modules, and FFmpeg: posters of videos.
  case posters
  /// Everything: also FFmpeg, and what renders HEIF, JPEG XL, PDF and SVG.
  case all

  /// The arguments of the worker program for these libraries.
  package var arguments: [String] { self == .all ? [] : [Self.option, rawValue] }

  /// The libraries that the arguments of a worker name; nil if they are not valid.
  package init?(arguments: some Sequence<String>) {
    let words = Array(arguments)
    switch words.count {
    case 0: self = .all
    case 2 where words[0] == Self.option: self.init(rawValue: words[1])
    default: return nil
    }
  }

  /// The types of image that ``images`` is enough for.
  package static let ofImages: Set<MediaType> = [.jpeg, .png, .webp, .gif, .tiff]

  private static let option = "--libraries"
}
