internal import ISOBaseMedia

/// What libavformat calls the tags of a movie.
enum MovieTagNames {
  /// The keys that ``ContainerTags`` uses.
  static let used: Set<String> = [
    "title", "artist", "author", "performer", "album", "make", "model", "manufacturer", "date", "creation_time",
    "location", "com.apple.quicktime.title", "com.apple.quicktime.artist", "com.apple.quicktime.author",
    "com.apple.quicktime.album", "com.apple.quicktime.make", "com.apple.quicktime.model",
    "com.apple.quicktime.creationdate", "com.apple.quicktime.location.iso6709", "com.android.manufacturer",
    "com.android.model",
  ]

  /// The keys of these for the types of boxes. Letters after `©`, which is one byte.
  static let byType: [FourCC: String] = [
    copyright("nam"): "title", copyright("ART"): "artist", copyright("aut"): "artist", copyright("alb"): "album",
    copyright("mak"): "make", "manu": "make", copyright("mod"): "model", "modl": "model", copyright("day"): "date",
    copyright("xyz"): "location",
  ]

  /// Types that libavformat reads wherever they are, and the assets of 3GPP TS 26.244, 8, which its versions read differently.
  static let unusual: Set<FourCC> = [
    "ACLR", "APRG", "AALP", "ARES", "avss", "av1C", "chpl", "co64", "colr", "ctts", "dinf", "DpxE", "dref", "edts",
    "elst", "enda", "fiel", "adrm", "ftyp", "glbl", "hdlr", "ilst", "jp2h", "mdat", "mdhd", "mdia", "meta", "minf",
    "moof", "moov", "mvex", "mvhd", "SMI ", "alac", "avcC", "pasp", "sidx", "stbl", "stco", "stps", "strf", "stsc",
    "stsd", "stss", "stsz", "stts", "stz2", "sdtp", "tkhd", "tfdt", "tfhd", "trak", "traf", "tref", "tmcd", "chap",
    "trex", "trun", "udta", "wave", "esds", "dac3", "dec3", "ddts", "wide", "wfex", "cmov", "chan", "dvc1", "sgpd",
    "sbgp", "hvcC", "uuid", "hoov", "----", "sinf", "frma", "senc", "saiz", "saio", "pssh", "schm", "schi", "tenc",
    "dfLa", "st3d", "sv3d", "dOps", "dmlp", "SmDm", "CoLL", "vpcC", "mdcv", "clli", "dvcC", "dvvC", "dvwC", "kind",
    "SA3D", "SAND", "iloc", "pcmC", "pitm", "vvcC", "evcC", "lhvC", "vexu", "hfov", "amve", "clap", "srat", "iacb",
    "iinf", "iprp", "iref", "ispe", "irot", "imir", "ipco", "ipma", "grpl", "idat", "keys", "HMMT", "loci", "titl",
    "auth", "perf", "albm", "yrrc", "ID32",
  ]

  private static func copyright(_ letters: StaticString) -> FourCC {
    FourCC(rawValue: 0xA900_0000 | FourCC(stringLiteral: letters).rawValue)
  }
}
