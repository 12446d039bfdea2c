public import FileSupport

/// Bytes by their digest: the other seam of a library (docs/design.md §2). A directory now; an object store for a cluster.
///
/// Blocking; a value may be used from many threads and a store by many processes. What a call says is done is on the disk. The same bytes are kept once,
/// however often they are put.
public protocol RenditionStore: Sendable {
  /// Keeps bytes and gives their address.
  @discardableResult
  func put(_ bytes: [UInt8]) throws(LibraryError) -> ContentDigest
  /// The bytes at an address; nil when there are none. They are not checked; a verification does that.
  func read(_ address: ContentDigest) throws(LibraryError) -> [UInt8]?
  /// Whether there are bytes at an address.
  func contains(_ address: ContentDigest) throws(LibraryError) -> Bool
  /// Removes the bytes at an address; none there is as good.
  func remove(_ address: ContentDigest) throws(LibraryError)
  /// The addresses of all that is kept, in order, after one of them.
  func addresses(after: ContentDigest?, limit: Int) throws(LibraryError) -> [ContentDigest]
  /// The path of the bytes at an address, where the store has paths.
  func path(of address: ContentDigest) -> PathBytes?
}
