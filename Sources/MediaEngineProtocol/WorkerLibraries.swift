package import MediaModel

/// The libraries that a worker loads before it isolates itself. Afterwards it can load none.
///
/// Loading all of them takes most of a worker's start, and a worker exposes only what it has loaded to the files it is given.
package enum WorkerLibraries: String, Hashable, Codable, Sendable {
  /// What facts of most images and documents, and of usual MP4 and QuickTime files need: libmagic.
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

  /// The types of audio and video that ``facts`` is enough for, unless a file is unusual.
  package static let ofMovies = Set(
    ["video/mp4", "video/quicktime", "video/3gpp", "video/3gpp2", "audio/mp4", "audio/3gpp", "audio/3gpp2"]
      .map { MediaType($0) })

  /// What workers load from now on, after one with these libraries lacked a library for a job.
  package func extended(for job: MediaJob) -> WorkerLibraries {
    // Facts need FFmpeg at most.
    guard job.images == nil, job.transcoding == nil else { return .all }
    switch self {
    case .facts: return .containers
    case .images: return .posters
    case .containers, .posters, .all: return .all
    }
  }

  private static let option = "--libraries"
}
