public import MediaModel

/// Gives the parts of one message their names: what stands in SMIL, in Content-Location and, in brackets, in Content-ID (A24).
///
/// A name has letters and digits of ASCII and `_#.()?&%-` alone, at most 40 characters, and no two of a message are alike. It is never a path.
public struct PartNames: Sendable {
  /// Characters of a name at most.
  public static let longest = 40

  private var used: Set<String>
  /// How far the numbers of a name have come, so that a thousand parts of one name cost a thousand steps.
  private var next: [String: Candidate] = [:]

  /// No name is given yet, but the reserved ones belong to others: `smil.xml`, `text_0.txt`.
  public init(reserved: [String] = []) { used = Set(reserved) }

  /// A name for the next part.
  ///
  /// - Parameters:
  ///   - name: What the part is called, as it came: foreign text, with a path perhaps.
  ///   - type: What it is: a part without a name is called by it.
  public mutating func name(for name: String?, type: MediaType) -> String {
    let clean = Self.clean(name ?? "", type: type)
    var candidate = next[clean] ?? Candidate(clean)
    while used.contains(candidate.name) { candidate.advance() }
    next[clean] = candidate
    used.insert(candidate.name)
    return candidate.name
  }

  private static func clean(_ name: String, type: MediaType) -> String {
    let base = String(
      String.UnicodeScalarView(
        FileNames.baseName(name).unicodeScalars.map { scalar in
          switch scalar {
          case "a"..."z", "A"..."Z", "0"..."9", "_", "#", ".", "(", ")", "?", "&", "%", "-": scalar
          default: "#"
          }
        }))
    guard base.contains(where: { $0 != "." }) else { return FileNames.placeholder(for: type) }
    let (stem, ending) = FileNames.split(base)
    guard base.count > longest else { return base }
    return ending.count < longest ? String(stem.prefix(longest - ending.count)) + ending : String(base.prefix(longest))
  }
}

/// A name and the number behind its stem. When the number does not fit, the stem loses a character, and is tried without a number first.
private struct Candidate {
  private var stem: String
  private let ending: String
  private var number = 1

  init(_ name: String) { (stem, ending) = FileNames.split(name) }

  var name: String { number == 1 ? stem + ending : "\(stem)_\(number)\(ending)" }

  mutating func advance() {
    number += 1
    guard name.count > PartNames.longest, !stem.isEmpty else { return }
    stem.removeLast()
    number = 1
  }
}
