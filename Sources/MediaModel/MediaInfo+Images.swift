extension MediaType {
  /// Whether files of the type may have an image: pixels, a page, a cover, a waveform or a photo. No image is made of any other file, so nothing but its facts
  /// has to be read.
  package var mayHaveImage: Bool { Self.mayHaveImage(self, kind) }

  fileprivate static func mayHaveImage(_ type: MediaType, _ kind: MediaKind) -> Bool {
    switch kind {
    case .image, .video, .contact: true
    case .audio: type.rawValue != "audio/midi"
    case .document: type == .pdf
    case .text, .archive, .other: false
    }
  }
}

extension MediaType.Claim {
  /// Whether the declared name or type is that of files that may have an image.
  package var mayHaveImage: Bool {
    switch self {
    case .mediaType(let name):
      return MediaType(String(name.prefix { $0 != ";" }.filter { !$0.isWhitespace })).mayHaveImage
    case .fileName(let path):
      let name = path.split(separator: "/").last ?? ""
      // Scalars, because a search for characters from the end takes quadratic time in a name of flags.
      guard let dot = name.unicodeScalars.lastIndex(of: ".") else { return false }
      return MediaType.types(forExtension: String(name.unicodeScalars[dot...].dropFirst())).contains(
        where: \.mayHaveImage)
    }
  }
}

extension MediaInfo {
  /// Whether an image may be made of the file. If not, the result is its icon, with the failure of its facts.
  package var mayHaveImage: Bool {
    // A truncated or corrupt file may be partly decodable. For any other failure, the failure is the result.
    if let error, ![.truncated, .corrupt, .tooManyFrames].contains(error.code) { return false }
    return MediaType.mayHaveImage(type, kind)
  }
}
