/// The revision of the rules by which this package makes renditions. It is part of the engine's version, which a
/// catalogue keeps with each file.
///
/// It changes whenever the same file and request give other pixels than before. Renditions of an earlier revision are
/// not shown any more, and the next scan that asks for renditions makes them again.
///
/// | revision | what changed |
/// |---|---|
/// | 1 | |
/// | 2 | embedded previews only in drafts, also of a TIFF with the marks of a camera raw; the still of an animation is its longest frame; alpha of AVIF sequences |
package enum RenditionRevision {
  /// The revision of this code.
  package static let current = 2
  /// The name in an engine's version.
  package static let name = "renditions"

  /// The revision of the engine with this version; nil for an engine of another program.
  package static func of(engine version: String) -> Int? {
    let parts = version.split(separator: ",").map { $0.drop { $0 == " " } }
    for part in parts {
      let words = part.split(separator: " ")
      if words.count == 2, words[0] == name { return Int(words[1]) }
    }
    // Revision 1 had no name.
    return parts.contains { $0.hasPrefix("libvips ") } ? 1 : nil
  }

  /// Whether renditions of the engine with this version are to be made again.
  package static func isOutdated(engine version: String) -> Bool {
    of(engine: version).map { $0 < current } ?? false
  }
}
