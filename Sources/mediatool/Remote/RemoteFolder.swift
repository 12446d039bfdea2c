package import MediaModel

/// Objects of a bucket whose keys begin alike, as files of a folder. All methods block.
package protocol RemoteFolder: Sendable {
  /// Size of an object in bytes, and its entity tag; nil if there is none.
  func look(at name: String) throws(MediaFailure) -> (bytes: Int, etag: String?)?

  /// Reads one version of an object from its beginning, piece by piece, until `body` returns false.
  /// - Returns: Whether there is such an object.
  func read(_ name: String, _ body: ([UInt8]) throws -> Bool) throws -> Bool

  /// Calls `body` with each object whose name has no slash, with its size in bytes and its entity tag, as far as the listing has them.
  func list(_ body: (_ name: String, _ bytes: Int?, _ etag: String?) -> Void) throws(MediaFailure)

  /// Removes an object, if there is one.
  func remove(_ name: String) throws(MediaFailure)

  /// Writes a small object.
  func write(_ bytes: [UInt8], to name: String) throws(MediaFailure)

  /// Begins an object that appears when it is complete.
  func upload(to name: String) throws(MediaFailure) -> any RemoteUpload
}

/// An object while it is written. It appears with ``commit()``. Used by one thread at a time.
package protocol RemoteUpload: AnyObject {
  /// Appends bytes, of which a part is kept in memory.
  func append(_ bytes: [UInt8]) throws(MediaFailure)

  /// Makes the object appear, and checks what the service has of it.
  /// - Returns: Its entity tag; nil if the service did not state it.
  func commit() throws(MediaFailure) -> String?

  /// Removes what was written of an object that did not appear.
  /// - Returns: Whether nothing is left.
  func abandon() -> Bool
}
