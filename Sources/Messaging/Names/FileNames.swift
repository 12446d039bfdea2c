public import MediaModel

/// Gives the files of one message names to be shown and saved under (A13).
///
/// A name is never a path, holds no character that a terminal, a page's tags or a file system acts on, does not turn the writing direction (so that
/// `photo_exe.jpg` cannot be `photo_gpj.exe`), ends in an extension of its type, has at most 40 characters, and no two of a message are
/// alike, in capitals or not. To a page it is still text, to be escaped as any text.
public struct FileNames: Sendable {
  /// Unicode scalars of a name at most.
  public static let longest = 40

  private var used: Set<String> = []
  private var next: [String: Int] = [:]

  /// No name is given yet.
  public init() {}

  /// A name for the next file.
  ///
  /// - Parameters:
  ///   - name: What the file is called, as it came: foreign text, with a path perhaps.
  ///   - type: What it is by its content. The extension is one of this type.
  public mutating func name(for name: String?, type: MediaType) -> String {
    let clean = Self.clean(name ?? "", type: type)
    let (stem, ending) = Self.split(clean)
    let key = clean.lowercased()
    var number = next[key] ?? 1
    var candidate = clean
    while true {
      if number > 1 {
        candidate =
          Self.cut(stem, to: Self.longest - ending.unicodeScalars.count - "_\(number)".count) + "_\(number)" + ending
      }
      number += 1
      if used.insert(candidate.lowercased()).inserted { break }
    }
    next[key] = number
    return candidate
  }

  private static func clean(_ name: String, type: MediaType) -> String {
    var base = String(String.UnicodeScalarView(baseName(name).unicodeScalars.compactMap(harmless)))
    base = base.split(separator: " ").joined(separator: " ")
    // A leading dot hides a file, a trailing one is lost on Windows.
    base = String(base.drop { $0 == "." || $0 == " " })
    while base.last == "." || base.last == " " { base.removeLast() }
    guard !base.isEmpty else { return placeholder(for: type) }
    var (stem, ending) = split(base)
    let known = type.extensions
    if let usual = known.first, !known.contains(ending.dropFirst().lowercased()) {
      (stem, ending) = (base, "." + usual)
    }
    if ending.unicodeScalars.count > longest / 2 { (stem, ending) = (base, "") }
    return cut(deviceFree(stem), to: longest - ending.unicodeScalars.count) + ending
  }

  /// A character as it may stand in a name; nil for what is left out.
  private static func harmless(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    switch scalar {
    // Tags of a page, and what Windows forbids.
    case "<", ">", ":", "\"", "|", "?", "*": return "_"
    case "\t", "\n", "\r": return " "
    // Joiners belong to the spelling of Persian, of Indian scripts and of emoji.
    case "\u{200C}", "\u{200D}": return scalar
    default: break
    }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate: return nil
    case .spaceSeparator: return " "
    default: return scalar.properties.isNoncharacterCodePoint ? nil : scalar
    }
  }

  /// Names that are devices on Windows, whatever the extension.
  private static func deviceFree(_ stem: String) -> String {
    let first = stem.prefix { $0 != "." }.lowercased()
    let isNumbered =
      first.count == 4 && (first.hasPrefix("com") || first.hasPrefix("lpt")) && first.last?.isNumber == true
    return ["con", "prn", "aux", "nul"].contains(first) || isNumbered ? "_" + stem : stem
  }

  /// The beginning of a text, no character divided.
  private static func cut(_ text: String, to scalars: Int) -> String {
    var cut = text.prefix(max(1, scalars))
    while cut.unicodeScalars.count > max(1, scalars), cut.count > 1 { cut.removeLast() }
    // One character may be any number of scalars.
    var whole = String(String.UnicodeScalarView(cut.unicodeScalars.prefix(max(1, scalars))))
    while whole.last == "." || whole.last == " " { whole.removeLast() }
    return whole.isEmpty ? "_" : whole
  }
}

extension FileNames {
  /// What stands behind the last slash, forward or backward.
  static func baseName(_ name: String) -> Substring {
    let scalars = name.unicodeScalars
    guard let slash = scalars.lastIndex(where: { $0 == "/" || $0 == "\\" }) else { return name[...] }
    return Substring(scalars[scalars.index(after: slash)...])
  }

  /// The name before its last dot, and the rest with the dot; no ending where the dot is first or last.
  static func split(_ name: String) -> (stem: String, ending: String) {
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex, name.index(after: dot) < name.endIndex else {
      return (name, "")
    }
    return (String(name[..<dot]), String(name[dot...]))
  }

  /// The name of what has none: `image.jpg`, `contact.vcf`, `file`.
  static func placeholder(for type: MediaType) -> String {
    let stem = type.kind == .other ? "file" : type.kind.rawValue
    return type.preferredExtension.map { "\(stem).\($0)" } ?? stem
  }
}
