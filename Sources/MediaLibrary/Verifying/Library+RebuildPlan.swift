public import FileSupport

extension Library {
  /// What a rebuild is about to replace a catalogue with, presented for acceptance if data would be lost.
  public struct RebuildPlan: Sendable {
    /// The source of the new catalogue: the old one, or a snapshot in the copy. Nil for an empty catalogue.
    public var source: PathBytes?
    /// The contents of the new catalogue.
    public var contents = CatalogueContents()
    /// The contents that can be read in the old catalogue and the snapshots, the greatest number of each; nil if nothing can be read.
    public var known: CatalogueContents?
    /// Catalogues that exist and cannot be used, each with the reason.
    public var unusable: [String] = []
    /// Whether the library has a copy that the options do not name.
    public var lacksCopy = false

    /// Whether the new catalogue has less than can be read now, or may have less than what cannot be read.
    public var losesRows: Bool {
      if let known, known.exceeds(contents) { return true }
      return source == nil && (!unusable.isEmpty || lacksCopy)
    }

    /// The source of the new catalogue and its contents, in a sentence without its full stop.
    var origin: String {
      source.map { "made from \($0): \(contents)" } ?? "empty, because no catalogue and no snapshot could be read"
    }

    /// The loss and the existing data, in sentences.
    public var description: String {
      var lines: [String] = []
      if let source {
        lines.append("The new catalogue would be made from \(source): \(contents).")
      } else {
        lines.append("The new catalogue would be empty.")
      }
      if let known, known.exceeds(contents) { lines.append("The catalogues that can be read have \(known).") }
      lines += unusable.map { "Cannot be used: \($0)\($0.hasSuffix(".") ? "" : ".")" }
      if lacksCopy { lines.append("The library has a copy; name it with --copy.") }
      return lines.joined(separator: " ")
    }
  }
}

extension Library.RebuildPlan: CustomStringConvertible {}
