public import MediaModel

/// What the service delivers of a file without metadata: for the package Fuzz, which cannot use `package` names.
@_spi(Fuzzing) public enum StrippingFuzzing {
  /// As `MetadataStripper.stripKeepingAppearance(_:type:orientation:)`, which reads TIFF, WebP, HEIC, AVIF and JPEG XL too.
  public static func strip(
    _ file: [UInt8], type: MediaType, orientation: MediaInfo.Orientation?
  ) -> [UInt8]? {
    MetadataStripper.stripKeepingAppearance(file, type: type, orientation: orientation)
  }
}
