internal import Foundation
internal import MediaEngine
public import MediaLibrary
internal import MediaModel

/// Posters, storyboards and waveforms.
extension MediaService {
  /// A frame of a video, in the box of the size `view`.
  /// - Parameters:
  ///   - second: The position in whole seconds from the start. Default nil: the frame that represents the video. Other frames
  ///     are made when they are asked for, and the first 64 of a file are stored.
  ///   - accepted: The formats that the reader can show, the preferred first; JPEG if there is none.
  /// - Throws: ``ServiceError/notFound``, also if the reader has no right; ``ServiceError/Code/invalidRequest`` for a position after the end;
  ///   ``ServiceError/Code/unavailable`` if the file is not a video.
  public func poster(
    of id: FileID, at second: Int? = nil, accepting accepted: [RenditionName.Format] = [], for reader: Reader
  ) async throws(ServiceError) -> Rendered {
    guard let name = RenditionName(named: "view", format: nil) else { throw ServiceError.notFound }
    guard let second else { return try await rendition(name, of: id, accepting: accepted, for: reader) }
    return try await ServiceError.mapping {
      let found = try await decoded(id, by: reader)
      let info = try decodable(found.file)
      guard info.kind == .video else { throw ServiceError(.unavailable, "The file is not a video.") }
      guard second >= 0, Double(second) <= info.duration ?? 0 else {
        throw ServiceError(.invalidRequest, "`at` is beyond the end of the video.")
      }
      let format = accepted.first { $0 != .avif } ?? .jpeg
      let key = RenditionKey(file: id, name: "poster-\(second).\(format.rawValue)")
      let stored = try await library.catalogue.renditions(of: id).first { $0.name == key.name }
      if let known = try await read(stored) { return known }
      var request = RenditionRequest(name: key.name, box: name.box, fit: name.fit)
      request.format = format.request
      return try await frame(key, request, of: found.file, at: second)
    }
  }

  /// The frame at a position, made by one job for equal requests, unless an earlier one has stored it.
  func frame(
    _ key: RenditionKey, _ request: RenditionRequest, of file: CatalogueFile, at second: Int
  ) async throws -> Rendered {
    try await attachments.renditions.run(key) { [self] in
      let stored = try await library.catalogue.renditions(of: key.file)
      if let known = try await read(stored.first { $0.name == key.name }) { return known }
      let rendition = try await render(request, of: file, at: second)
      if Self.hasRoom(stored) { try await keep([rendition], of: key.file) }
      return Rendered(rendition.data, rendition.type)
    }
  }

  /// The index of a video's storyboard (WebVTT), which refers to the address of its image.
  public func storyboard(of id: FileID, for reader: Reader) async throws(ServiceError) -> Rendered {
    try await ServiceError.mapping {
      let found = try await decoded(id, by: reader)
      let index = try await made(Self.storyboardIndex, of: found)
      let image = address(of: .storyboardImage, of: id, generation: found.record.generation)
      let relative = image.split(separator: "/").last.map(String.init) ?? image
      let text = String(decoding: index.bytes, as: UTF8.self)
        .replacingOccurrences(of: "\n\(Self.storyboardImage)#", with: "\n\(relative)#")
      return Rendered(Array(text.utf8), index.type)
    }
  }

  /// The image of a video's storyboard (WebP).
  public func storyboardImage(of id: FileID, for reader: Reader) async throws(ServiceError) -> Rendered {
    try await ServiceError.mapping {
      try await made(Self.storyboardImage, of: try await decoded(id, by: reader))
    }
  }

  /// The peaks of an audio file: `{"peaks":[…]}` with 100 numbers from 0 to 1 (`ThumbnailResult.peaks`).
  public func waveform(of id: FileID, for reader: Reader) async throws(ServiceError) -> Rendered {
    try await ServiceError.mapping {
      try await made(Self.waveformName, of: try await decoded(id, by: reader))
    }
  }

  /// What is made together, with the names under which it is stored; no rendition of a size has such a name.
  enum Parts: String {
    case storyboard, waveform

    var names: [String] {
      switch self {
      case .storyboard: [MediaService.storyboardImage, MediaService.storyboardIndex]
      case .waveform: [MediaService.waveformName]
      }
    }
  }

  private static let storyboardImage = "storyboard.webp"
  private static let storyboardIndex = "storyboard.vtt"
  private static let waveformName = "waveform.json"

  /// What is stored under a name, or else made with all that belongs to it.
  private func made(_ name: String, of found: ReadableAttachment) async throws -> Rendered {
    let stored = try await library.catalogue.renditions(of: found.file.id).first { $0.name == name }
    if let known = try await read(stored) { return known }
    let parts: Parts = name == Self.waveformName ? .waveform : .storyboard
    guard let part = try await make(parts, of: found.file)[name] else {
      throw ServiceError(.unavailable, "This file has no \(parts.rawValue).")
    }
    return part
  }

  /// Parts by their names, made by one job for equal requests, unless an earlier one has stored them.
  func make(_ parts: Parts, of file: CatalogueFile) async throws -> [String: Rendered] {
    try await attachments.parts.run(RenditionKey(file: file.id, name: parts.rawValue)) { [self] in
      var all: [String: Rendered] = [:]
      for stored in try await library.catalogue.renditions(of: file.id) where parts.names.contains(stored.name) {
        all[stored.name] = try await read(stored)
      }
      if all.count == parts.names.count { return all }
      let made = parts == .waveform ? [try await makeWaveform(file)] : try await makeStoryboard(file)
      try await keep(made, of: file.id)
      for part in made { all[part.name] = Rendered(part.data, part.type) }
      return all
    }
  }

  private func makeStoryboard(_ file: CatalogueFile) async throws -> [Rendition] {
    let info = try decodable(file)
    guard info.kind == .video, let duration = info.duration else {
      throw ServiceError(.unavailable, "A storyboard needs a video whose duration is known.")
    }
    var request = MediaPreview.Request(renditions: [])
    (request.thumbnails.placeholder, request.thumbnails.peaks) = (false, 0)
    // A frame every two seconds, as far as a strip of 100 frames allows.
    request.storyboardFrames = Int(min(100, max(1, duration / 2)).rounded(.up))
    let preview = try await engine.preview(source(of: file), request, domain: domain(of: file))
    guard var board = preview.storyboard else {
      if let failure = preview.storyboardFailure ?? preview.thumbnails.error { throw failure }
      throw ServiceError(.unavailable, "This file has no storyboard: its video cannot be decoded.")
    }
    board.strip.name = Self.storyboardImage
    let index = Rendition(
      name: Self.storyboardIndex, type: MediaType("text/vtt"), width: board.strip.width, height: board.strip.height,
      from: .poster, data: Array(board.webVTT(image: Self.storyboardImage).utf8))
    return [board.strip, index]
  }

  private func makeWaveform(_ file: CatalogueFile) async throws -> Rendition {
    struct Waveform: Encodable {
      let peaks: [Float]
    }
    let info = try decodable(file)
    guard info.kind == .audio else { throw ServiceError(.unavailable, "The file is not an audio file.") }
    var options = ThumbnailOptions()
    (options.placeholder, options.prefersWaveform) = (false, true)
    let result = try await engine.render(
      source(of: file), info: info, requests: [], options: options, domain: domain(of: file))
    guard let peaks = result.peaks else {
      if let failure = result.error { throw failure }
      throw ServiceError(.unavailable, "The file has no audio.")
    }
    return Rendition(
      name: Self.waveformName, type: MediaType("application/json"), width: peaks.count, height: 1, from: .waveform,
      data: [UInt8](try JSONEncoder().encode(Waveform(peaks: peaks))))
  }
}
