extension MediaType {
  /// The camera raw formats, whose sensor data is not decoded: their embedded preview is all that is shown.
  package static let cameraRaws = [
    "image/x-adobe-dng", "image/x-canon-cr2", "image/x-canon-cr3", "image/x-nikon-nef", "image/x-sony-arw",
    "image/x-fuji-raf", "image/x-panasonic-rw2",
  ]
}

extension MediaInfo {
  /// Whether an embedded preview is all that can be shown of it: a camera raw's preview, a
  /// contact's photo.
  ///
  /// Of any other file, an image made from its preview is a draft.
  package var showsOnlyEmbeddedImage: Bool { kind == .contact || MediaType.cameraRaws.contains(type.rawValue) }
}
