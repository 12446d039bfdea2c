public import FileSupport

extension Library.VerificationReport {
  /// A problem that a verification of a library finds.
  public enum Problem: Hashable, Sendable {
    /// The store with the problem: the library's own or its copy.
    public enum Where: String, Hashable, Sendable, Codable {
      /// The library itself.
      case library
      /// The copy of the library: its backup in a second folder.
      case copy
    }

    /// The database is inconsistent.
    case catalogue(detail: String)
    /// Derived data of the catalogue (counts, search words, grid cells) differs from its rows.
    case derived(detail: String)
    /// An element of the catalogue's schema (an index, a trigger, a table) is missing, or differs from the expected one.
    case schema(detail: String)
    /// The row, the facts or a rendition of a file cannot be decoded. Listings skip such a file.
    case damagedRow(FileID, detail: String)
    /// A rendition of a file is missing from the store.
    case missingRendition(ContentDigest, in: Where)
    /// The bytes of a rendition do not match their digest.
    case damagedRendition(ContentDigest, in: Where)
    /// A rendition in the store that no file uses: a process died before it recorded or erased it.
    case orphanRendition(ContentDigest, in: Where)
    /// An original that the library owns is missing.
    case missingOriginal(PathBytes, in: Where)
    /// The bytes of an original do not match their digest.
    case damagedOriginal(PathBytes, in: Where)
    /// An original that the catalogue does not know.
    case orphanOriginal(PathBytes, in: Where)
    /// A draft that cannot be read, by its file. Not one of a newer version, which that can read.
    case damagedDraft(PathBytes)
    /// A temporary file of a process that died.
    case leftover(PathBytes)

    /// A stable name for the kind of problem.
    public var code: String {
      switch self {
      case .catalogue: "catalogueDamaged"
      case .derived: "catalogueDerived"
      case .schema: "catalogueSchema"
      case .damagedRow: "catalogueRow"
      case .missingRendition: "renditionMissing"
      case .damagedRendition: "renditionDamaged"
      case .orphanRendition: "renditionOrphan"
      case .missingOriginal: "originalMissing"
      case .damagedOriginal: "originalDamaged"
      case .orphanOriginal: "originalOrphan"
      case .damagedDraft: "draftDamaged"
      case .leftover: "leftover"
      }
    }
  }
}

extension Library {
  /// The number of checked files, and of problems by kind.
  public struct VerificationReport: Hashable, Sendable, Codable {
    /// What a rebuild made the catalogue from, with counts, such as `made from /copy/catalogue-000002.sqlite: 120 files`; nil without a rebuild.
    public var rebuildOrigin: String?
    /// Files in stores whose bytes were compared with their digests.
    public var checked = 0
    /// Number of problems by ``Library/VerificationReport/Problem/code``.
    public var problems: [String: Int] = [:]
    /// Number of problems that were repaired.
    public var repaired = 0
    /// Number of stored files that no file uses, and that a running scan may be about to record. Verify again when it has ended.
    public var unsettled = 0
    /// Renditions that no file uses and that stay in the store, because the catalogue was rebuilt and a scan may use them.
    public var unclaimed = 0

    /// The pass of a verification in parts (``Library/verify(atMost:at:_:until:)``); nil otherwise.
    public var pass: Pass?

    /// Whether there are no problems.
    public var isIntact: Bool { problems.isEmpty }
  }
}
