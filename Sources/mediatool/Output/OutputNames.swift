internal import FileSupport
internal import Foundation

/// Gives every input a name of its own for its outputs (docs/decisions/0006).
///
/// Names depend on the inputs and their order alone: not on `--jobs`, not on what lies in the output folder. So a second run writes
/// the same names again. What is kept of a name is eight bytes, so that a million inputs cost tens of megabytes.
struct OutputNames {
  /// Hashes of the names that are given away, and of the pairs of name and extension that have asked for them.
  private var used: Set<UInt64> = []
  /// The last number tried for a name that more than one input asked for.
  private var numbers: [UInt64: Int] = [:]

  /// The name for outputs of a file: `2018/07/photo` for `photo.jpg` found there. Size and extension are added to it.
  ///
  /// - Parameters:
  ///   - file: The last component of the input's path.
  ///   - folders: The folders to mirror, joined by slashes; empty for none.
  mutating func claim(file: some Sequence<UInt8>, in folders: [UInt8] = []) -> String {
    let (stem, fileExtension) = Self.split(Self.safe(Array(file)))
    let folder = folders.split(separator: PathBytes.slash).map { Self.safe(Array($0)) + "/" }.joined()

    let plain = folder + Self.cut(stem, to: Self.longestStem)
    let plainKey = Self.key(plain)
    // A second photo.jpg is numbered. A photo.png beside a photo.jpg says what it is: photo.png.
    let sameKind = !used.insert(Self.key(plain + "\0" + fileExtension)).inserted
    if used.insert(plainKey).inserted { return plain }
    if !sameKind, !fileExtension.isEmpty {
      let full =
        folder + Self.cut(stem, to: Self.longestStem) + "." + Self.cut(fileExtension, to: Self.longestExtension)
      if used.insert(Self.key(full)).inserted { return full }
    }
    var number = numbers[plainKey, default: 1]
    while true {
      number += 1
      let numbered = "\(plain)-\(number)"
      if used.insert(Self.key(numbered)).inserted {
        numbers[plainKey] = number
        return numbered
      }
    }
  }

  /// A file name that stays where it is put: no slash, no NUL, no control character, neither `.` nor `..`.
  private static func safe(_ name: [UInt8]) -> String {
    var text = ""
    for scalar in String(decoding: name, as: UTF8.self).unicodeScalars {
      let isSafe = scalar != "/" && scalar != "\u{FFFD}" && scalar.properties.generalCategory != .control
      text.unicodeScalars.append(isSafe ? scalar : "_")
    }
    return text.isEmpty || text == "." || text == ".." ? "_" : text
  }

  /// `photo` and `jpg` of `photo.jpg`; a dot at the beginning begins no extension.
  private static func split(_ name: String) -> (stem: String, fileExtension: String) {
    let scalars = name.unicodeScalars
    guard let dot = scalars.lastIndex(of: "."), dot != scalars.startIndex else { return (name, "") }
    return (String(scalars[..<dot]), String(scalars[scalars.index(after: dot)...]))
  }

  /// A file name has at most 255 bytes, and `-1000000.16383x16383.webp` still has to fit behind this much.
  private static let longestStem = 180
  private static let longestExtension = 32

  /// The beginning of a text, in whole characters.
  private static func cut(_ text: String, to bytes: Int) -> String {
    guard text.utf8.count > bytes else { return text }
    var cut = ""
    for character in text {
      if cut.utf8.count + character.utf8.count > bytes { break }
      cut.append(character)
    }
    // One character longer than that: hundreds of marks on one letter.
    return cut.isEmpty ? "_" : cut
  }

  /// The hash of a name: the same for `Photo` and `photo`, and for the two spellings of é, which are one file on many disks.
  ///
  /// FNV-1a and not Swift's own hash, which differs from run to run. Should two names have the same hash, one gets a number it did not
  /// need; that they share a name cannot happen.
  private static func key(_ name: String) -> UInt64 {
    let isASCII = name.utf8.allSatisfy { $0 < 0x80 }
    let folded = isASCII ? name.lowercased() : name.lowercased().precomposedStringWithCanonicalMapping
    return folded.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}
