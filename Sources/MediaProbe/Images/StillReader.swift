internal import MediaModel

/// Reads the header of a picture.
enum StillReader {
  /// nil: no reader for the type.
  static func header(of type: MediaType, _ reader: ByteReader) -> StillHeader? { nil }
}

/// Turns a picture's header into facts.
enum StillMetadata {
  static func apply(_ header: StillHeader, to info: inout MediaInfo, reader: ByteReader) {}
}
