extension ErasureRequest {
  /// How far an erasure is.
  public struct Progress: Hashable, Sendable {
    /// A part of an erasure, in the order in which they run. One in which there is nothing to erase may be skipped.
    public enum Step: String, Sendable, CaseIterable {
      /// The snapshots in the copy are written again without what is erased.
      case snapshots
      /// The rows of moments. Until the last row is deleted, nothing is erased: a process that ends has erased nothing of the catalogue.
      case moments
      /// The rows of files.
      case files
      /// Originals of the library with their copies, and attachments of drafts.
      case originals
      /// Renditions that no other file uses.
      case renditions
      /// The catalogue is rewritten, so that it has no old bytes.
      case rewriting
    }

    /// What is being erased.
    public var step: Step
    /// How much of this step is done: snapshots, rows or files. 0 when it begins.
    public var done: Int
    /// How much there is in this step; nil if that is not known.
    public var total: Int?

    init(_ step: Step, _ done: Int, of total: Int? = nil) { (self.step, self.done, self.total) = (step, done, total) }
  }
}
