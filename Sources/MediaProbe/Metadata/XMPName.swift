/// The qualified names that the XMP reader recognises. To read one more property, add a line.
enum XMPName {
  case property(XMPPacket.Property)
  case rdf, description
  case item
  case itemField(ItemField)

  enum ItemField {
    case semantic, length, padding
  }

  /// Local names first: most names in a packet are rejected before their namespace is looked up.
  static let known: [(local: StaticString, namespace: StaticString, name: XMPName)] = [
    ("RDF", rdfNamespace, .rdf),
    ("Description", rdfNamespace, .description),
    ("Make", tiff, .property(.make)),
    ("Model", tiff, .property(.model)),
    ("DateTimeOriginal", exif, .property(.dateTimeOriginal)),
    ("DateTimeDigitized", exif, .property(.dateTimeDigitized)),
    ("GPSLatitude", exif, .property(.gpsLatitude)),
    ("GPSLongitude", exif, .property(.gpsLongitude)),
    ("GPSAltitude", exif, .property(.gpsAltitude)),
    ("GPSAltitudeRef", exif, .property(.gpsAltitudeReference)),
    ("CreateDate", xmp, .property(.createDate)),
    ("DateCreated", photoshop, .property(.dateCreated)),
    ("title", dublinCore, .property(.title)),
    ("creator", dublinCore, .property(.creator)),
    // Ultra HDR Image Format v1.1.
    ("Version", "http://ns.adobe.com/hdr-gain-map/1.0/", .property(.gainMapVersion)),
    // JPEG exports from Apple's Photos; found in the second image of the MPF index.
    ("HDRGainMapVersion", "http://ns.apple.com/HDRGainMap/1.0/", .property(.appleGainMapVersion)),
    ("AuxiliaryImageType", "http://ns.apple.com/pixeldatainfo/1.0/", .property(.auxiliaryImageType)),
    // Android's Motion Photo format 1.0, and its predecessor.
    ("MotionPhoto", camera, .property(.motionPhoto)),
    ("MicroVideo", camera, .property(.microVideo)),
    ("MicroVideoOffset", camera, .property(.microVideoOffset)),
    ("Item", container, .item),
    ("Semantic", containerItem, .itemField(.semantic)),
    ("Length", containerItem, .itemField(.length)),
    ("Padding", containerItem, .itemField(.padding)),
  ]

  private static let rdfNamespace: StaticString = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
  private static let tiff: StaticString = "http://ns.adobe.com/tiff/1.0/"
  private static let exif: StaticString = "http://ns.adobe.com/exif/1.0/"
  private static let xmp: StaticString = "http://ns.adobe.com/xap/1.0/"
  private static let photoshop: StaticString = "http://ns.adobe.com/photoshop/1.0/"
  private static let dublinCore: StaticString = "http://purl.org/dc/elements/1.1/"
  private static let camera: StaticString = "http://ns.google.com/photos/1.0/camera/"
  private static let container: StaticString = "http://ns.google.com/photos/1.0/container/"
  private static let containerItem: StaticString = "http://ns.google.com/photos/1.0/container/item/"
}
