/// A catalogue, a store of renditions and drafts, that belong together.
///
/// One process writes at a time, which ``open(at:for:)`` makes sure of; any number reads meanwhile.
public final class Library: Sendable {
  /// What a library is opened for.
  public enum Access: Sendable {
    /// Reading; there has to be one.
    case reading
    /// Writing; one is made when there is none. Fails with ``LibraryError/Code/locked`` while another process writes.
    case writing
  }

  /// Where it lies.
  public let location: LibraryLocation
  /// What it was opened for.
  public let access: Access
  /// What is known of its files.
  public let catalogue: any MediaCatalogue
  /// The bytes of its renditions.
  public let store: any RenditionStore

  init(location: LibraryLocation, access: Access, catalogue: any MediaCatalogue, store: any RenditionStore) {
    (self.location, self.access, self.catalogue, self.store) = (location, access, catalogue, store)
  }
}
