public import MediaModel

/// Makes names for the parts of one message, as used in SMIL, in Content-Location and, in angle brackets, in Content-ID
/// (A24).
///
/// A name has only ASCII letters and digits and `_#.()?&%-`, at most 40 characters, and is unique in the message. It is
/// never a path.
public struct PartNames: Sendable {
  /// Maximum characters of a name.
  public static let longest = 40

  private var used: Set<String>
  /// The next number for each name, so that a thousand parts of one name cost a thousand steps.
  private var next: [String: Candidate] = [:]

  /// Creates an empty set of names. Reserved ones are not given out: `smil.xml`, `text_0.txt`.
  public init(reserved: [String] = []) { used = Set(reserved) }

  /// Returns a name for the next part.
  ///
  /// - Parameters:
  ///   - name: The original name. It is untrusted and may contain a path.
  ///   - type: The media type, which names a part without a name.
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

/// A name with a number after its stem. If the number does not fit, the stem loses a character, and is first tried
/// without a number.
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
