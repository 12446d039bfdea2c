internal import MediaModel

/// A result without the bytes of its images and its transcoded file, which follow the JSON one after another.
struct WireResult: Codable {
  /// A rendition with the length of its data instead of the data.
  struct Image: Codable {
    var name: String
    var type: MediaType
    var width: Int
    var height: Int
    var frames: Int
    var from: Rendition.Source
    var quality: Int?
    var similarity: Double?
    var length: Int

    init(_ rendition: Rendition) {
      name = rendition.name
      type = rendition.type
      width = rendition.width
      height = rendition.height
      frames = rendition.frames
      from = rendition.from
      quality = rendition.quality
      similarity = rendition.similarity
      length = rendition.data.count
    }
  }

  /// `ThumbnailResult` without image data.
  struct Thumbnails: Codable {
    var renditions: [Image]
    var placeholder: Placeholder?
    var posterTime: Double?
    var framesDecoded: Int?
    var peaks: [Float]?
    var icon: MediaIcon?
    var bytesRead: Int
    var error: MediaFailure?
  }

  /// A storyboard without image data.
  struct Board: Codable {
    var strip: Image
    var tiles: [Storyboard.Tile]
  }

  /// `TranscodeResult` without the file's bytes.
  struct Transcoded: Codable {
    var file: File?
    var fittingDuration: Double?
    var encodings: Int
    var bytesRead: Int
    var error: MediaFailure?

    init(_ result: TranscodeResult) {
      file = result.file.map(File.init)
      fittingDuration = result.fittingDuration
      encodings = result.encodings
      bytesRead = result.bytesRead
      error = result.error
    }
  }

  /// `TranscodeResult.File` with the length of its data instead of the data.
  struct File: Codable {
    var type: MediaType
    var width: Int?
    var height: Int?
    var duration: Double
    var frames: Int?
    var videoCodec: String?
    var audioCodec: String?
    var isCopy: Bool
    var isCut: Bool
    var length: Int

    init(_ file: TranscodeResult.File) {
      type = file.type
      width = file.width
      height = file.height
      duration = file.duration
      frames = file.frames
      videoCodec = file.videoCodec
      audioCodec = file.audioCodec
      isCopy = file.isCopy
      isCut = file.isCut
      length = file.data.count
    }
  }

  var info: MediaInfo
  var thumbnails: Thumbnails?
  var storyboard: Board?
  var storyboardFailure: MediaFailure?
  var transcoded: Transcoded?
  var bytesRead: Int

  /// The result without bytes, and the bytes of all images in order, then those of the storyboard and of the transcoded file.
  static func split(_ result: MediaJobResult) -> (facts: WireResult, bytes: [UInt8]) {
    let images = (result.thumbnails?.renditions ?? []) + (result.storyboard.map { [$0.strip] } ?? [])
    var bytes: [UInt8] = []
    let file = result.transcoded?.file?.data ?? []
    bytes.reserveCapacity(images.reduce(file.count) { $0 + $1.data.count })
    for image in images { bytes += image.data }
    bytes += file
    let facts = WireResult(
      info: result.info,
      thumbnails: result.thumbnails.map { made in
        Thumbnails(
          renditions: made.renditions.map(Image.init), placeholder: made.placeholder, posterTime: made.posterTime,
          framesDecoded: made.framesDecoded, peaks: made.peaks, icon: made.icon, bytesRead: made.bytesRead,
          error: made.error)
      },
      storyboard: result.storyboard.map { Board(strip: Image($0.strip), tiles: $0.tiles) },
      storyboardFailure: result.storyboardFailure, transcoded: result.transcoded.map(Transcoded.init),
      bytesRead: result.bytesRead)
    return (facts, bytes)
  }

  /// The result with its bytes inserted.
  func joined(with bytes: [UInt8]) throws(ProtocolViolation) -> MediaJobResult {
    var rest = bytes[...]
    func take(_ length: Int) throws(ProtocolViolation) -> [UInt8] {
      guard (0...rest.count).contains(length) else {
        throw ProtocolViolation("an image extends past the end of the message")
      }
      defer { rest = rest.dropFirst(length) }
      return Array(rest.prefix(length))
    }
    func rendition(_ image: Image) throws(ProtocolViolation) -> Rendition {
      Rendition(
        name: image.name, type: image.type, width: image.width, height: image.height, frames: image.frames,
        from: image.from, quality: image.quality, similarity: image.similarity, data: try take(image.length))
    }
    var result = MediaJobResult(info: info, storyboardFailure: storyboardFailure, bytesRead: bytesRead)
    if let thumbnails {
      var renditions: [Rendition] = []
      for image in thumbnails.renditions { renditions.append(try rendition(image)) }
      result.thumbnails = ThumbnailResult(
        renditions: renditions, placeholder: thumbnails.placeholder, posterTime: thumbnails.posterTime,
        framesDecoded: thumbnails.framesDecoded, peaks: thumbnails.peaks, icon: thumbnails.icon,
        bytesRead: thumbnails.bytesRead, error: thumbnails.error)
    }
    if let storyboard {
      result.storyboard = Storyboard(strip: try rendition(storyboard.strip), tiles: storyboard.tiles)
    }
    if let transcoded {
      var file: TranscodeResult.File?
      if let made = transcoded.file {
        file = TranscodeResult.File(
          type: made.type, width: made.width, height: made.height, duration: made.duration, frames: made.frames,
          videoCodec: made.videoCodec, audioCodec: made.audioCodec, isCopy: made.isCopy, isCut: made.isCut,
          data: try take(made.length))
      }
      result.transcoded = TranscodeResult(
        file: file, fittingDuration: transcoded.fittingDuration, encodings: transcoded.encodings,
        bytesRead: transcoded.bytesRead, error: transcoded.error)
    }
    guard rest.isEmpty else { throw ProtocolViolation("trailing bytes after the images") }
    return result
  }
}
