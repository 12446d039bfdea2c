internal import MediaModel

extension CarrierProfile {
  /// The predefined profiles: the classes of MMS conformance, and the message sizes of current carriers.
  ///
  /// Sizes of the classes: OMA-TS-MMS-CONF 1.2, of `megapixel` 1.3. The others are from AOSP's carrier configurations:
  /// 307,200 is the default, 18 carriers have 614,400, 71 have 1,048,576 and 5 have 1,258,291, most with images of 2592
  /// × 1944.
  public static let presets: [CarrierProfile] = [
    preset("text", 30 * 1024, 0, 0, .text),
    preset("image-basic", 30 * 1024, 160, 120, .imageBasic),
    preset("image-rich", 100 * 1024, 640, 480, .imageRich),
    preset("video-basic", 100 * 1024, 640, 480, .videoBasic),
    preset("video-rich", 300 * 1024, 640, 480, .videoRich),
    preset("megapixel", 600 * 1024, 1600, 1200, .megapixel),
    preset("mms-300k", 307_200, 640, 480, .videoRich),
    preset("mms-600k", 614_400, 2592, 1944, .modern),
    preset("mms-1m", 1_048_576, 2592, 1944, .modern),
    preset("mms-1.2m", 1_258_291, 2592, 1944, .modern),
  ]

  /// The preset with that name; nil if there is none.
  public static func preset(_ name: String) -> CarrierProfile? { presets.first { $0.name == name } }

  private static func preset(
    _ name: String, _ bytes: Int, _ width: Int, _ height: Int, _ contentClass: ContentClass
  ) -> CarrierProfile {
    var profile = CarrierProfile()
    profile.name = name
    profile.maxMessageBytes = bytes
    profile.maxImageSize = PixelSize(width: width, height: height)
    profile.contentClass = contentClass
    return profile
  }
}
