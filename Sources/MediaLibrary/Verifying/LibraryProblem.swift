public import FileSupport

/// Something that is not as it should be in a library.
public enum LibraryProblem: Hashable, Sendable {
  /// Which of the stores: the library's own or its copy.
  public enum Where: String, Hashable, Sendable, Codable {
    /// The library itself.
    case library
    /// The copy.
    case copy
  }

  /// The database contradicts itself.
  case catalogue(detail: String)
  /// What the catalogue derives from its rows (counts, words to search, squares of the map) differs from them.
  case derived(detail: String)
  /// A rendition that files have is not in the store.
  case missingRendition(ContentDigest, in: Where)
  /// The bytes of a rendition are others than those that belong there.
  case damagedRendition(ContentDigest, in: Where)
  /// A rendition is in the store, and no file has it: a process died before it said so, or before it was erased.
  case orphanRendition(ContentDigest, in: Where)
  /// An original that the library owns is not there.
  case missingOriginal(PathBytes, in: Where)
  /// The bytes of an original are others than those that belong there.
  case damagedOriginal(PathBytes, in: Where)
  /// An original is there, and the catalogue does not know it.
  case orphanOriginal(PathBytes, in: Where)
  /// A file that was being written when a process died.
  case leftover(PathBytes)

  /// A stable name for the kind of problem.
  public var code: String {
    switch self {
    case .catalogue: "catalogueDamaged"
    case .derived: "catalogueDerived"
    case .missingRendition: "renditionMissing"
    case .damagedRendition: "renditionDamaged"
    case .orphanRendition: "renditionOrphan"
    case .missingOriginal: "originalMissing"
    case .damagedOriginal: "originalDamaged"
    case .orphanOriginal: "originalOrphan"
    case .leftover: "leftover"
    }
  }
}

/// What was looked at, and how many problems there were.
public struct VerificationReport: Hashable, Sendable, Codable {
  /// Files in stores whose bytes were compared with their digests.
  public var checked = 0
  /// How many problems of each ``LibraryProblem/code`` there were.
  public var problems: [String: Int] = [:]
  /// How many of these were put right.
  public var repaired = 0
  /// Renditions that no file has, and that were left where they are, for the catalogue was rebuilt: a scan may want them.
  public var unclaimed = 0

  /// Whether all is as it should be.
  public var isIntact: Bool { problems.isEmpty }
}
