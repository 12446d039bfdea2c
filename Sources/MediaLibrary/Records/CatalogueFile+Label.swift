extension CatalogueFile {
  /// What a person or an app states about a file, one label at a time, so that many can be set in one transaction
  /// (``MediaCatalogue/setLabels(_:)``). A label replaces the one that the file had; labels that are not named stay.
  public enum Label: Hashable, Sendable {
    /// The title, stored unchanged (R-MYM-2); nil removes it.
    case title(String?)
    /// The caption, stored unchanged (R-MYM-2); nil removes it.
    case caption(String?)
    /// The location; nil removes it. A scan does not change it back (R-MYM-5, R-MYM-6).
    case location(Location?)
    /// The owner, and the owner's collection to which the file belongs; nil for none.
    case owner(String?, collection: MediaCollection.Choice)
  }
}
