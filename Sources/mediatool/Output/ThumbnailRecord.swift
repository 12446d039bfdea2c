internal import FileSupport
internal import MediaModel

/// The JSON record of `thumbnail` for one file (docs/design.md §7).
struct ThumbnailRecord: Encodable, Sendable {
  /// An image that was written.
  struct Written: Encodable, Sendable {
    let rendition: Facts
    /// Where the image is: the folder that the user named, with the name of the image.
    let file: PathBytes

    /// The facts of a rendition, without its bytes, which were written to the disk.
    struct Facts: Encodable, Sendable {
      let name: String
      let type: MediaType
      let width: Int
      let height: Int
      let bytes: Int
      let from: Rendition.Source
      /// For an animation only.
      let frames: Int?
      let quality: Int?

      init(_ rendition: Rendition) {
        name = rendition.name
        type = rendition.type
        width = rendition.width
        height = rendition.height
        bytes = rendition.data.count
        from = rendition.from
        frames = rendition.frames > 1 ? rendition.frames : nil
        quality = rendition.quality
      }
    }

    func encode(to encoder: any Encoder) throws {
      try PathKeys.encode(file, as: "file", to: encoder)
      try rendition.encode(to: encoder)
    }
  }

  /// A storyboard that was written.
  struct Board: Encodable, Sendable {
    let file: PathBytes
    /// The WebVTT file next to it.
    let index: PathBytes
    let frames: Int

    private enum Keys: CodingKey { case frames }

    func encode(to encoder: any Encoder) throws {
      try PathKeys.encode(file, as: "file", to: encoder)
      try PathKeys.encode(index, as: "index", to: encoder)
      var container = encoder.container(keyedBy: Keys.self)
      try container.encode(frames, forKey: .frames)
    }
  }

  let path: PathBytes
  /// Present even if empty, so that `jq '.renditions[]'` works on every line.
  var renditions: [Written] = []
  var placeholder: Placeholder?
  /// Seconds, to the millisecond.
  var posterTime: Double?
  var framesDecoded: Int?
  /// 0…1, to three decimal places: finer than a waveform of a thousand rows.
  var peaks: [Float]?
  /// Never together with a rendition.
  var icon: MediaIcon?
  var storyboard: Board?
  /// Absent if the file could not be opened.
  var bytesRead: Int?
  /// Number of requests for a remote source.
  var requests: Int?
  var error: MediaFailure?

  private enum Keys: CodingKey {
    case renditions, placeholder, posterTime, framesDecoded, storyboard, peaks, icon, bytesRead, requests, error
  }

  func encode(to encoder: any Encoder) throws {
    try PathKeys.encode(path, as: "path", to: encoder)
    var container = encoder.container(keyedBy: Keys.self)
    try container.encode(renditions, forKey: .renditions)
    try container.encodeIfPresent(placeholder, forKey: .placeholder)
    try container.encodeIfPresent(posterTime?.rounded(toPlaces: 3), forKey: .posterTime)
    try container.encodeIfPresent(framesDecoded, forKey: .framesDecoded)
    try container.encodeIfPresent(peaks?.map { Double($0).rounded(toPlaces: 3) ?? 0 }, forKey: .peaks)
    try container.encodeIfPresent(icon, forKey: .icon)
    try container.encodeIfPresent(storyboard, forKey: .storyboard)
    try container.encodeIfPresent(bytesRead, forKey: .bytesRead)
    try container.encodeIfPresent(requests, forKey: .requests)
    try container.encodeIfPresent(ReportedFailure(error), forKey: .error)
  }
}
