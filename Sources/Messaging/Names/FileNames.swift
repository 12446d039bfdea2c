public import MediaModel

/// Makes safe file names for the files of one message, for display and saving (A13).
///
/// A name is never a path and has no character with a meaning in terminals, HTML or file systems. It contains no
/// bidirectional controls, so `photo_exe.jpg` cannot appear as `photo_gpj.exe`. It ends with an extension of its type,
/// has at most 40 characters, and is unique in the message, ignoring case. In HTML it must still be escaped like any
/// text.
public struct FileNames: Sendable {
  /// Maximum Unicode scalars of a name.
  public static let longest = 40
  /// Unicode scalars of an original name that are read: half of them at its beginning, half at its end.
  private static let longestRead = 512

  private var used: Set<String> = []
  private var next: [String: Int] = [:]

  /// Creates an empty set of names.
  public init() {}

  /// Returns a name for the next file.
  ///
  /// - Parameters:
  ///   - name: The original name. It is untrusted and may contain a path.
  ///   - type: The type determined from the content. The extension is one of this type.
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
    var scalars = baseName(name).unicodeScalars.compactMap(harmless)
    // The middle is cut anyway. Without it the time is linear: Swift finds the beginning of a flag by reading all flags before it.
    if scalars.count > longestRead { scalars.removeSubrange(longestRead / 2..<scalars.count - longestRead / 2) }
    var base = String(String.UnicodeScalarView(scalars))
    base = base.split(separator: " ").joined(separator: " ")
    // A leading dot hides a file; Windows drops a trailing one.
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

  /// A safe replacement for a character; nil to drop it.
  private static func harmless(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    switch scalar {
    // HTML tags, and characters that Windows forbids.
    case "<", ">", ":", "\"", "|", "?", "*": return "_"
    case "\t", "\n", "\r": return " "
    // Joiners belong to the spelling of Persian, Indic scripts and emoji.
    case "\u{200C}", "\u{200D}": return scalar
    default: break
    }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate: return nil
    case .spaceSeparator: return " "
    default: return scalar.properties.isNoncharacterCodePoint ? nil : scalar
    }
  }

  /// Changes names that are devices on Windows with any extension.
  private static func deviceFree(_ stem: String) -> String {
    let first = stem.prefix { $0 != "." }.lowercased()
    let isNumbered =
      first.count == 4 && (first.hasPrefix("com") || first.hasPrefix("lpt")) && first.last?.isNumber == true
    return ["con", "prn", "aux", "nul"].contains(first) || isNumbered ? "_" + stem : stem
  }

  /// The beginning of a text, cut between characters.
  private static func cut(_ text: String, to scalars: Int) -> String {
    var cut = text.prefix(max(1, scalars))
    while cut.unicodeScalars.count > max(1, scalars), cut.count > 1 { cut.removeLast() }
    // A character may have any number of scalars.
    var whole = String(String.UnicodeScalarView(cut.unicodeScalars.prefix(max(1, scalars))))
    while whole.last == "." || whole.last == " " { whole.removeLast() }
    return whole.isEmpty ? "_" : whole
  }
}

extension FileNames {
  /// The last component of a path with slashes or backslashes.
  static func baseName(_ name: String) -> Substring {
    let scalars = name.unicodeScalars
    guard let slash = scalars.lastIndex(where: { $0 == "/" || $0 == "\\" }) else { return name[...] }
    return Substring(scalars[scalars.index(after: slash)...])
  }

  /// The name before its last dot, and the rest with the dot; without an extension if the dot is first or last.
  static func split(_ name: String) -> (stem: String, ending: String) {
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex, name.index(after: dot) < name.endIndex else {
      return (name, "")
    }
    return (String(name[..<dot]), String(name[dot...]))
  }

  /// A name for an unnamed file: `image.jpg`, `contact.vcf`, `file`.
  static func placeholder(for type: MediaType) -> String {
    let stem = type.kind == .other ? "file" : type.kind.rawValue
    return type.preferredExtension.map { "\(stem).\($0)" } ?? stem
  }
}
