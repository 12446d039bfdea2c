/// What a scan makes of each file in addition to its facts, with the text form that a catalogue stores.
package struct ScanRecipe: Hashable, Sendable {
  /// The names of the renditions.
  package var renditions: Set<String>
  /// Whether to compute the digest of each file.
  package var digests: Bool

  package init(renditions: Set<String> = [], digests: Bool = false) {
    (self.renditions, self.digests) = (renditions, digests)
  }

  /// Parses the text form; a part that is not the name of a rendition is the mark of a digest.
  package init(_ words: String) {
    let names = words.split(separator: ",").map(String.init)
    digests = names.contains(Self.digest)
    renditions = Set(names.filter { $0 != Self.digest })
  }

  /// The text form, for example `digest,grid,message`.
  package var words: String {
    ((digests ? [Self.digest] : []) + renditions.sorted()).joined(separator: ",")
  }

  /// Whether a file that was examined with this recipe has everything that another one requests.
  package func covers(_ other: ScanRecipe) -> Bool {
    renditions.isSuperset(of: other.renditions) && (digests || !other.digests)
  }

  /// The union of both: what a file has after it was examined again.
  package func union(_ other: ScanRecipe) -> ScanRecipe {
    ScanRecipe(renditions: renditions.union(other.renditions), digests: digests || other.digests)
  }

  private static let digest = "digest"
}
