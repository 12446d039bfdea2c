internal import FileSupport
internal import Foundation

/// Gives every input a unique name for its outputs (docs/decisions/0006).
///
/// Names depend only on the inputs and their order: neither on `--jobs` nor on the content of the output folder. So a second run writes the same
/// names. The names of a million inputs are kept, which takes tens of megabytes. Every later name ends in the position of its input, which no other has,
/// so that a list without end takes no more memory.
struct OutputNames {
  /// Number of inputs whose names are kept.
  private let limit: Int
  /// Number of inputs so far.
  private var count = 0
  /// Hashes of used names, and of pairs of a name and an extension that were requested.
  private var used: Set<UInt64> = []
  /// The last number tried for a name that several inputs requested.
  private var numbers: [UInt64: Int] = [:]

  /// - Parameter limit: Number of inputs whose names are kept. 1,000,000 by default.
  init(limit: Int = 1_000_000) { self.limit = limit }

  /// The name for outputs of a file: `2018/07/photo` for `photo.jpg` found there. Size and extension are appended to it.
  ///
  /// - Parameters:
  ///   - file: The last component of the input's path.
  ///   - folders: The folders to mirror, joined by slashes; empty for none.
  mutating func claim(file: some Sequence<UInt8>, in folders: [UInt8] = []) -> String {
    let (stem, fileExtension) = Self.split(Self.safe(Array(file)))
    let folder = folders.split(separator: PathBytes.slash).map { Self.safe(Array($0)) + "/" }.joined()

    let plain = folder + Self.cut(stem, to: Self.longestStem)
    count += 1
    guard count <= limit else { return numbered(plain) }
    let plainKey = Self.key(plain)
    // A second photo.jpg is numbered. A photo.png after a photo.jpg keeps its extension: photo.png.
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

  /// A name with the position of the input, again until no kept name is equal.
  private func numbered(_ plain: String) -> String {
    var name = plain
    repeat { name += "-\(count)" } while used.contains(Self.key(name))
    return name
  }

  /// A safe file name: no slash, no NUL, no control character, neither `.` nor `..`.
  private static func safe(_ name: [UInt8]) -> String {
    var text = ""
    for scalar in String(decoding: name, as: UTF8.self).unicodeScalars {
      let isSafe = scalar != "/" && scalar != "\u{FFFD}" && scalar.properties.generalCategory != .control
      text.unicodeScalars.append(isSafe ? scalar : "_")
    }
    return text.isEmpty || text == "." || text == ".." ? "_" : text
  }

  /// `photo` and `jpg` of `photo.jpg`; a leading dot begins no extension.
  private static func split(_ name: String) -> (stem: String, fileExtension: String) {
    let scalars = name.unicodeScalars
    guard let dot = scalars.lastIndex(of: "."), dot != scalars.startIndex else { return (name, "") }
    return (String(scalars[..<dot]), String(scalars[scalars.index(after: dot)...]))
  }

  /// A file name has at most 255 bytes, and must have room for `-1000000.16383x16383.webp`.
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
    // A single character that is longer: hundreds of marks on one letter.
    return cut.isEmpty ? "_" : cut
  }

  /// The hash of a name: equal for `Photo` and `photo`, and for both encodings of é, which are one file on many disks.
  ///
  /// FNV-1a, because Swift's own hash differs from run to run. If two names have the same hash, one gets an unnecessary number; two inputs never
  /// share a name.
  private static func key(_ name: String) -> UInt64 {
    let isASCII = name.utf8.allSatisfy { $0 < 0x80 }
    let folded = isASCII ? name.lowercased() : name.lowercased().precomposedStringWithCanonicalMapping
    return folded.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}
