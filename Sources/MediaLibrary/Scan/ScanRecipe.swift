/// What a scan makes of each file beside its facts, in the words that a catalogue keeps.
package struct ScanRecipe: Hashable, Sendable {
  /// The names of the renditions.
  package var renditions: Set<String>
  /// Whether all of each file is read for its digest.
  package var digests: Bool

  package init(renditions: Set<String> = [], digests: Bool = false) {
    (self.renditions, self.digests) = (renditions, digests)
  }

  /// The recipe in those words; what is no name of a rendition is the mark of a digest.
  package init(_ words: String) {
    let names = words.split(separator: ",").map(String.init)
    digests = names.contains(Self.digest)
    renditions = Set(names.filter { $0 != Self.digest })
  }

  /// The words: `digest,grid,message`.
  package var words: String {
    ((digests ? [Self.digest] : []) + renditions.sorted()).joined(separator: ",")
  }

  /// Whether a file that was looked into with this recipe has all that another one asks for.
  package func covers(_ other: ScanRecipe) -> Bool {
    renditions.isSuperset(of: other.renditions) && (digests || !other.digests)
  }

  /// Both together: what a file has after it was looked into once more.
  package func union(_ other: ScanRecipe) -> ScanRecipe {
    ScanRecipe(renditions: renditions.union(other.renditions), digests: digests || other.digests)
  }

  private static let digest = "digest"
}
