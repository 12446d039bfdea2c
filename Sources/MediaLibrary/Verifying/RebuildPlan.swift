public import FileSupport

/// What a rebuild is about to put in the place of a catalogue: asked for before anything is replaced, where something would be lost.
public struct RebuildPlan: Sendable {
  /// What the new catalogue is made from: the old one, or a snapshot in the copy. Nil for an empty one.
  public var source: PathBytes?
  /// What the new catalogue knows.
  public var contents = CatalogueContents()
  /// What can still be read in the old catalogue and in the snapshots, the most of each; nil when nothing can.
  public var known: CatalogueContents?
  /// Catalogues that are there and cannot be used, each with the reason.
  public var unusable: [String] = []
  /// Whether the library has a copy that was not named.
  public var lacksCopy = false

  /// Whether the new catalogue knows less than can be read now, or may know less than what cannot be read.
  public var losesRows: Bool {
    if let known, known.exceeds(contents) { return true }
    return source == nil && (!unusable.isEmpty || lacksCopy)
  }

  /// What would be lost, and what there is, in sentences.
  public var description: String {
    var lines: [String] = []
    if let source {
      lines.append("The new catalogue would be made from \(source): \(contents).")
    } else {
      lines.append("The new catalogue would be empty.")
    }
    if let known, known.exceeds(contents) { lines.append("Readable now: \(known).") }
    lines += unusable.map { "Not usable: \($0)" }
    if lacksCopy { lines.append("The library has a copy; name it with --copy.") }
    return lines.joined(separator: " ")
  }
}

extension RebuildPlan: CustomStringConvertible {}
