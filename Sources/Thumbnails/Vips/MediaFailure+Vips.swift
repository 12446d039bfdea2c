internal import CMediaShims
internal import MediaModel

extension MediaFailure {
  /// A failure of a libvips operation. Its text is only a hint: all threads share the error buffer.
  static func vips(_ error: mediatool_vips_error) -> MediaFailure {
    let text = withUnsafeBytes(of: error.text) { raw in
      String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
    }
    return MediaFailure(.corrupt, "The image cannot be decoded.", detail: text.isEmpty ? nil : text)
  }
}
