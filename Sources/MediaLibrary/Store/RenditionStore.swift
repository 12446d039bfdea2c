public import FileSupport

/// Stores the bytes of renditions by their digests, next to the ``MediaCatalogue`` of a library (docs/design.md §2). A directory implements it; an object
/// store can.
///
/// Blocking. A value may be used from many threads, and a store by many processes. When a call returns, its effect is on the disk. Equal bytes are
/// stored once.
public protocol RenditionStore: Sendable {
  /// Stores bytes and returns their address.
  @discardableResult
  func put(_ bytes: [UInt8]) throws(LibraryError) -> ContentDigest
  /// The bytes at an address; nil if there are none. They are not verified; ``Library/verify(_:)`` does that.
  func read(_ address: ContentDigest) throws(LibraryError) -> [UInt8]?
  /// Whether there are bytes at an address.
  func contains(_ address: ContentDigest) throws(LibraryError) -> Bool
  /// Removes the bytes at an address. Does nothing if there are none.
  func remove(_ address: ContentDigest) throws(LibraryError)
  /// The addresses in the store in order, after a given one.
  func addresses(after: ContentDigest?, limit: Int) throws(LibraryError) -> [ContentDigest]
  /// The path of the bytes at an address, if the store has paths.
  func path(of address: ContentDigest) -> PathBytes?
}
