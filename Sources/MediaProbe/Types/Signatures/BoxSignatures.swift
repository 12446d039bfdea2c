internal import ISOBaseMedia
internal import MediaModel

/// Signatures of box-based formats: ISO base media (ISO/IEC 14496-12), HEIF, JPEG 2000, JPEG XL, QuickTime.
enum BoxSignatures {
  static func type(of reader: ByteReader) -> MediaType? {
    switch reader.fourCC(4) {
    // A media segment begins with `styp`, which has the same layout (8.16.2).
    case "ftyp", "styp": return fileType(reader)
    // ITU-T T.800, I.5.1: the signature box. Motion JPEG 2000 begins the same way and is identified by its brand.
    case "jP  ":
      guard reader.u32be(0) == 12, reader.u32be(8) == 0x0D0A_870A else { return nil }
      // ITU-T T.801, M.2.1 and T.805, B.1.1: the extended and the compound format.
      return reader.has("ftypmjp2", at: 16)
        ? .motionJPEG2000 : reader.has("ftypjpx ", at: 16) ? .jpx : reader.has("ftypjpm ", at: 16) ? .jpm : .jp2
    // ISO/IEC 18181-2, 9.1: the container.
    case "JXL ": return reader.u32be(0) == 12 && reader.u32be(8) == 0x0D0A_870A ? .jxl : nil
    case "moov", "mdat", "wide", "free", "skip", "pnot": return isOldQuickTime(reader) ? .quickTime : nil
    default: return nil
    }
  }

  /// The type for the major brand. If that is only structural or unknown, the first compatible brand with a type
  /// decides.
  private static func fileType(_ reader: ByteReader) -> MediaType? {
    guard let size = reader.u32be(0), size == 0 || size >= 12, let major = reader.fourCC(8) else { return nil }
    let brands = (0..<min(64, max(0, (Int(size) - 16) / 4))).compactMap { reader.fourCC(16 + $0 * 4) }
    switch major {
    // HEIF, 10.2: "mif1" and "msf1" are structural; the coding is among the compatible brands.
    case "mif1", "mif2", "msf1":
      let coded = brands.lazy.compactMap(type(ofBrand:)).first { $0.kind == .image }
      return coded ?? (major == "msf1" ? .heifSequence : .heif)
    case "crx ":
      return CR3Signature.type(of: reader, brands: brands, others: brands.compactMap(type(ofBrand:)))
    default:
      return type(ofBrand: major) ?? brands.lazy.compactMap(type(ofBrand:)).first ?? .mp4
    }
  }

  /// The type for a brand (https://mp4ra.org/registered-types/brands); nil if the brand implies no type.
  private static func type(ofBrand brand: FourCC) -> MediaType? {
    switch brand {
    case "avif", "avis": .avif
    case "heic", "heix", "heim", "heis": .heic
    case "hevc", "hevx", "hevm", "hevs": .heicSequence
    case "crx ": .canonCR3
    case "qt  ": .quickTime
    case "M4A ", "M4B ", "M4P ", "F4A ", "F4B ": .mp4Audio
    case "3gp1", "3gp2", "3gp3", "3gp4", "3gp5", "3gp6", "3gp7", "3gp8", "3gp9", "3gr6", "3gr7", "3gr9", "3gs6",
      "3gs7", "3gs9", "3ge6", "3ge7", "3ge9", "3gg6", "3gg9", "3gh9", "3gm9", "3gma", "3gt8", "3gt9", "3gtv", "3gf9":
      .video3GPP
    case "3g2a", "3g2b", "3g2c", "KDDI": .video3GPP2
    case "mjp2", "mj2s": .motionJPEG2000
    case "isom", "iso2", "iso3", "iso4", "iso5", "iso6", "iso7", "iso8", "iso9", "isoa", "isob", "isoc", "avc1", "mp41",
      "mp42", "mp71", "M4V ", "M4VH", "M4VP", "F4V ", "F4P ", "MSNV", "mmp4", "dash", "cmfc", "cmf2", "av01", "dby1":
      .mp4
    default: nil
    }
  }

  /// QuickTime files from before `ftyp`: initial atoms that lead to `moov` or `mdat`.
  /// https://developer.apple.com/documentation/quicktime-file-format
  private static func isOldQuickTime(_ reader: ByteReader) -> Bool {
    var offset = 0
    for _ in 0..<8 {
      let room = reader.count - offset
      guard let header = Box.Header(reader, at: offset, room: room) else { return false }
      let isLarge = header.length == 16
      switch header.type {
      // Below 512 MiB the first byte is no letter, so English text is never mistaken for an atom.
      case "moov", "mdat": return isLarge || header.size.map { $0 < 0x2000_0000 || $0 <= room } ?? false
      case "wide", "free", "skip", "pnot", "PICT", "uuid":
        guard !isLarge, let size = header.size, size <= room else { return false }
        offset += size
      default: return false
      }
    }
    return false
  }
}
