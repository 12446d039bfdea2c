internal import MediaModel

/// Converts the results of the image readers to facts.
enum StillMetadata {
  /// Copies header, EXIF, XMP and ICC to the facts. EXIF takes precedence over XMP.
  ///
  /// Orientation comes from EXIF, or from JPEG XL's codestream, which its decoder applies. No decoder or browser that
  /// we know honours XMP's tiff:Orientation. HEIF and AVIF use their own properties for display and ignore EXIF, whose
  /// value is still reported as stated in the file.
  static func apply(_ header: StillHeader, to info: inout MediaInfo, reader: ByteReader) {
    let exif = header.exif.flatMap(EXIFFacts.init)
    info.orientation = header.containerOrientation ?? exif?.orientation
    applySize(header, to: &info)

    info.frames = header.frames
    info.animated = header.frames.map { $0 > 1 } ?? header.animated
    // A sum of fractions, rounded to the precision that any format can state.
    info.duration = header.duration.map { ($0 * 1_000_000).rounded() / 1_000_000 }
    info.pages = header.pages
    info.tracks = header.tracks
    info.alpha = header.alpha

    let icc = header.icc.flatMap(ICCProfile.init)
    info.colorProfile = icc?.description
    info.hdr = header.hdr ?? icc?.hdr
    if info.hdr == .pq || info.hdr == .hlg { info.colorPrimaries = header.primaries ?? icc?.primaries }
    if header.motionPhoto { info.motionPhoto = true }

    let xmp = header.xmp
    info.make = exif?.make ?? xmp?[.make]
    info.model = exif?.model ?? xmp?[.model]
    // Prefer a title to a caption. In EXIF there may be only ImageDescription, which is used for either.
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
    // Capture time before creation time, because an edited image is created later. Some editors write EXIF's date
    // format.
    for property in [XMPPacket.Property.dateTimeOriginal, .dateCreated, .dateTimeDigitized, .createDate] {
      if let text = xmp?[property],
        let taken = MediaInfo.CaptureTime(xmp: text) ?? MediaInfo.CaptureTime(exif: Array(text.utf8))
      {
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
