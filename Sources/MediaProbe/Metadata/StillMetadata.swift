internal import MediaModel

/// Turns what the readers of images found into facts.
enum StillMetadata {
  /// Moves header, EXIF, XMP and ICC into the facts. EXIF goes before XMP, which speaks where EXIF is silent.
  ///
  /// Orientation is EXIF's, or JPEG XL's own, which its decoder applies; XMP's tiff:Orientation is honoured by no decoder or browser we know of. HEIF and
  /// AVIF turn by their own properties and ignore EXIF when shown; its number is still reported as what the file says.
  static func apply(_ header: StillHeader, to info: inout MediaInfo, reader: ByteReader) {
    let exif = header.exif.flatMap(EXIFFacts.init)
    info.orientation = header.containerOrientation ?? exif?.orientation
    applySize(header, to: &info)

    info.frames = header.frames
    info.animated = header.frames.map { $0 > 1 } ?? header.animated
    // Sums of fractions, rounded to what any format can state.
    info.duration = header.duration.map { ($0 * 1_000_000).rounded() / 1_000_000 }
    info.pages = header.pages
    info.alpha = header.alpha

    let icc = header.icc.flatMap(ICCProfile.init)
    info.colorProfile = icc?.description
    info.hdr = header.hdr ?? icc?.hdr
    if info.hdr == .pq || info.hdr == .hlg { info.colorPrimaries = header.primaries ?? icc?.primaries }
    if header.motionPhoto { info.motionPhoto = true }

    let xmp = header.xmp
    info.make = exif?.make ?? xmp?[.make]
    info.model = exif?.model ?? xmp?[.model]
    // A title before a caption: in EXIF only ImageDescription may be there, which is used for either.
    info.title = exif?.title ?? xmp?[.title] ?? exif?.imageDescription ?? header.title
    info.artist = exif?.artist ?? xmp?[.creator] ?? header.artist
    applyTime(exif, xmp, to: &info)
    applyLocation(exif, xmp, to: &info)
    info.embeddedThumbnail = header.embeddedThumbnail ?? exif?.thumbnail

    info.error = reader.failure ?? header.failure ?? info.error
  }

  private static func applySize(_ header: StillHeader, to info: inout MediaInfo) {
    guard let stored = header.size, stored.isPositive else { return }
    let displayed = header.displaySize ?? (info.orientation ?? .up).displayed(stored)
    info.width = displayed.width
    info.height = displayed.height
  }

  private static func applyTime(_ exif: EXIFFacts?, _ xmp: XMPPacket?, to info: inout MediaInfo) {
    if let taken = exif?.takenAt {
      info.takenAt = taken
      info.takenAtSource = .exif
      return
    }
    // Capture before creation: an edited image is created later than it was taken. Some editors write EXIF's form of a date.
    for property in [XMPPacket.Property.dateTimeOriginal, .dateCreated, .dateTimeDigitized, .createDate] {
      if let text = xmp?[property], let taken = CaptureTime(xmp: text) ?? CaptureTime(exif: Array(text.utf8)) {
        info.takenAt = taken
        info.takenAtSource = .xmp
        return
      }
    }
  }

  private static func applyLocation(_ exif: EXIFFacts?, _ xmp: XMPPacket?, to info: inout MediaInfo) {
    var position = exif?.position
    var altitude = exif?.altitude
    if position == nil, let latitude = xmp?[.gpsLatitude], let longitude = xmp?[.gpsLongitude] {
      position = GeoPosition(xmpLatitude: latitude, longitude: longitude)
    }
    if altitude == nil, position != nil, let text = xmp?[.gpsAltitude] {
      altitude = GeoPosition.altitude(xmp: text, reference: xmp?[.gpsAltitudeReference])
    }
    info.latitude = position?.latitude
    info.longitude = position?.longitude
    info.altitude = altitude
  }
}
