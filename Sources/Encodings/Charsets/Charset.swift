/// A character set by its MIBenum, the IANA number that WSP uses.
///
/// A number without a name here is kept and encoded again; its text is decoded as if no charset had been declared.
public struct Charset: Hashable, Sendable {
  /// The MIBenum; 0 is WSP's "any charset".
  public let mib: Int

  /// The charset with this number.
  public init(mib: Int) { self.mib = mib }

  /// US-ASCII. Declared US-ASCII with octets from 0x80 up is decoded as UTF-8 or ISO-8859-1, because phones write that.
  public static let usASCII = Charset(mib: 3)
  /// ISO-8859-1.
  public static let latin1 = Charset(mib: 4)
  /// UTF-8, which this library writes.
  public static let utf8 = Charset(mib: 106)
  /// ISO-10646-UCS-2: big-endian without a byte order mark.
  public static let ucs2 = Charset(mib: 1000)
  /// UTF-16, big-endian.
  public static let utf16BE = Charset(mib: 1013)
  /// UTF-16, little-endian.
  public static let utf16LE = Charset(mib: 1014)
  /// UTF-16 with a byte order mark; big-endian without one.
  public static let utf16 = Charset(mib: 1015)

  /// The charset of a textual parameter such as `iso-8859-1`; nil for a name that is not in `Charset.table`.
  public init?(name: String) {
    guard let mib = Self.byName[name.lowercased()] else { return nil }
    self.mib = mib
  }

  /// The preferred MIME name; nil if the number has no name here.
  public var name: String? { Self.byNumber[mib]?.names.first }

  /// Whether its code units have 16 bits or more, so that texts contain NUL octets.
  package var isWide: Bool { [1000, 1001, 1013, 1014, 1015, 1017, 1018, 1019].contains(mib) }

  /// The name for the C library's `iconv`; nil if this module decodes the charset, or does not know it.
  var converterName: String? { Self.byNumber[mib]?.converter }
}

extension Charset {
  struct Row: Sendable {
    let mib: Int
    /// The preferred MIME name, then aliases, in lower case.
    let names: [String]
    let converter: String?
  }

  private static let byNumber: [Int: Row] = Dictionary(table.map { ($0.mib, $0) }) { first, _ in first }
  private static let byName: [String: Int] = Dictionary(
    table.flatMap { row in row.names.map { ($0, row.mib) } }
  ) { first, _ in first }

  /// The supported charsets. To add one, add a line.
  ///
  /// Numbers and names are those of the IANA character sets registry (as of 2025). Where senders use a vendor's superset under a standard's name, the
  /// superset is decoded, as in the WHATWG Encoding Standard: CP932 for Shift_JIS, CP949 for both Korean names, GBK for GB2312.
  private static let table: [Row] = [
    row(3, "us-ascii ascii iso646-us ansi_x3.4-1968"),
    row(4, "iso-8859-1 latin1 iso_8859-1 l1"),
    row(106, "utf-8 utf8"),
    row(1000, "iso-10646-ucs-2 ucs-2 ucs2"),
    row(1013, "utf-16be"),
    row(1014, "utf-16le"),
    row(1015, "utf-16 utf16"),
    row(5, "iso-8859-2 latin2 iso_8859-2", "ISO-8859-2"),
    row(6, "iso-8859-3 latin3", "ISO-8859-3"),
    row(7, "iso-8859-4 latin4", "ISO-8859-4"),
    row(8, "iso-8859-5 cyrillic", "ISO-8859-5"),
    row(9, "iso-8859-6 arabic", "ISO-8859-6"),
    row(10, "iso-8859-7 greek", "ISO-8859-7"),
    row(11, "iso-8859-8 hebrew iso-8859-8-i", "ISO-8859-8"),
    row(12, "iso-8859-9 latin5", "ISO-8859-9"),
    row(13, "iso-8859-10 latin6", "ISO-8859-10"),
    row(109, "iso-8859-13", "ISO-8859-13"),
    row(110, "iso-8859-14", "ISO-8859-14"),
    row(111, "iso-8859-15 latin-9", "ISO-8859-15"),
    row(112, "iso-8859-16", "ISO-8859-16"),
    row(17, "shift_jis shift-jis sjis ms_kanji", "CP932"),
    row(2024, "windows-31j cp932", "CP932"),
    row(18, "euc-jp", "EUC-JP"),
    row(39, "iso-2022-jp", "ISO-2022-JP"),
    row(36, "ks_c_5601-1987 ks_c_5601 ksc5601", "CP949"),
    row(38, "euc-kr", "CP949"),
    row(113, "gbk cp936 windows-936", "GBK"),
    row(114, "gb18030", "GB18030"),
    row(2025, "gb2312 gb_2312-80", "GBK"),
    row(2026, "big5", "BIG5"),
    row(2101, "big5-hkscs", "BIG5-HKSCS"),
    row(2084, "koi8-r", "KOI8-R"),
    row(2088, "koi8-u", "KOI8-U"),
    row(2250, "windows-1250 cp1250", "CP1250"),
    row(2251, "windows-1251 cp1251", "CP1251"),
    row(2252, "windows-1252 cp1252", "CP1252"),
    row(2253, "windows-1253 cp1253", "CP1253"),
    row(2254, "windows-1254 cp1254", "CP1254"),
    row(2255, "windows-1255 cp1255", "CP1255"),
    row(2256, "windows-1256 cp1256", "CP1256"),
    row(2257, "windows-1257 cp1257", "CP1257"),
    row(2258, "windows-1258 cp1258", "CP1258"),
    row(2259, "tis-620", "TIS-620"),
    row(1017, "utf-32", "UTF-32"),
    row(1018, "utf-32be", "UTF-32BE"),
    row(1019, "utf-32le", "UTF-32LE"),
  ]

  private static func row(_ mib: Int, _ names: String, _ converter: String? = nil) -> Row {
    Row(mib: mib, names: names.split(separator: " ").map(String.init), converter: converter)
  }
}
