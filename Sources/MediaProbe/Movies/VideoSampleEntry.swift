internal import ISOBaseMedia
internal import MediaModel

/// A sample entry of video (ISO/IEC 14496-12, 12.1.3).
struct VideoSampleEntry {
  /// libavcodec's name of the codec.
  let codec: String
  /// Whether the codec carries alpha.
  let hasAlpha: Bool
  /// Size as stored.
  private(set) var size = PixelSize(width: 0, height: 0)
  /// Pixel aspect ratio; nil if it is not stated.
  private(set) var aspect: (width: Int, height: Int)?
  /// The transfer function, by ITU-T H.273; nil if it is not stated.
  private(set) var transfer: Int?
  /// The color primaries, by ITU-T H.273.
  private(set) var primaries: Int?

  /// Whether the codec has more than eight bits, so that the bit stream can have a transfer function that the header does not state.
  private var hasDeepColor = false
  private var isDolbyVision = false

  init(_ source: Box.MemorySource, _ box: Box) throws(UnusualMovie) {
    let configuration: FourCC?
    (codec, configuration) = try Self.codec(of: box.type)
    // The QuickTime names of ProRes 4444.
    hasAlpha = box.type == "ap4h" || box.type == "ap4x"
    var fields = MovieFields(source, box.body)
    // Reserved bytes and the data reference; version, vendor and quality.
    try fields.skip(24)
    size = PixelSize(width: try fields.unsigned(2), height: try fields.unsigned(2))
    // Resolution, data size, frames per sample.
    try fields.skip(14)
    let name = source.bytes[fields.rest].prefix(32)
    try fields.skip(32)
    // Colors of a palette would follow a depth up to eight.
    let depth = try fields.unsigned(2)
    try fields.skip(2)
    try UnusualMovie.unless(
      size.width > 0 && size.height > 0 && (depth == 24 || depth == 32)
        && !name.dropFirst().starts(with: Array("Planar Y'CbCr".utf8)))
    var isConfigured = configuration == nil
    for child in try source.distinctBoxes(in: fields.rest) {
      if child.type == configuration {
        try readConfiguration(source, child)
        isConfigured = true
      } else {
        try read(source, child)
      }
    }
    try UnusualMovie.unless(isConfigured)
    try checkColor()
  }

  /// libavcodec's name, and the type of the box with the configuration, if there must be one.
  private static func codec(of type: FourCC) throws(UnusualMovie) -> (String, FourCC?) {
    switch type {
    case "avc1", "avc3": return ("h264", "avcC")
    case "hvc1", "hev1": return ("hevc", "hvcC")
    case "av01": return ("av1", "av1C")
    case "apch", "apcn", "apcs", "apco", "ap4h", "ap4x": return ("prores", nil)
    default: throw UnusualMovie()
    }
  }

  /// The profile decides whether the video can have more than eight bits (ISO/IEC 14496-15; AV1-ISOBMFF, 2.3).
  private mutating func readConfiguration(_ source: Box.MemorySource, _ box: Box) throws(UnusualMovie) {
    var fields = MovieFields(source, box.body)
    let (first, profile, flags) = (try fields.unsigned(1), try fields.unsigned(1), try fields.unsigned(1))
    try fields.skip(1)
    switch box.type {
    case "avcC": hasDeepColor = profile >= 110
    case "hvcC": hasDeepColor = profile & 0x1F > 1
    default: hasDeepColor = flags & 0x40 != 0
    }
    try UnusualMovie.unless(first == (box.type == "av1C" ? 0x81 : 1))
  }

  private mutating func read(_ source: Box.MemorySource, _ box: Box) throws(UnusualMovie) {
    var fields = MovieFields(source, box.body)
    switch box.type {
    case "pasp":
      let (width, height) = (try fields.unsigned(4), try fields.unsigned(4))
      // libavformat reduces larger ones.
      try UnusualMovie.unless((1...32_767).contains(width) && (1...32_767).contains(height))
      aspect = (width, height)
    case "colr":
      let kind = try fields.type()
      try UnusualMovie.unless(kind == "nclx" || kind == "nclc")
      primaries = try fields.unsigned(2)
      transfer = try fields.unsigned(2)
      // The matrix, and in MP4 the range.
      try fields.skip(kind == "nclx" ? 3 : 2)
    // libavformat refuses shorter ones.
    case "mdcv": try fields.skip(24)
    case "clli": try fields.skip(4)
    case "fiel": try fields.skip(2)
    case "dvcC", "dvvC":
      try fields.skip(24)
      isDolbyVision = true
    case "btrt", "clap", "gama", "amve", "free", "skip": break
    default: throw UnusualMovie()
    }
  }

  /// Checks that the header states the colors, or that they are those of usual video.
  private func checkColor() throws(UnusualMovie) {
    if let transfer { try UnusualMovie.unless((1...18).contains(transfer) && transfer != 3) }
    let isStated = transfer != nil && transfer != 2
    try UnusualMovie.unless(isStated || !hasDeepColor)
    // Without a transfer function of its own the method of Dolby Vision depends on its profile.
    try UnusualMovie.unless(!isDolbyVision || hdr != nil)
  }

  /// The HDR method.
  var hdr: MediaInfo.HDR? { transfer == 16 ? .pq : transfer == 18 ? .hlg : nil }
}
