/// Names given by somebody else are compared by their bytes in UTF-8.
///
/// Swift's own comparison takes `é` and `e` with an accent for the same. A disk, a photo library and a digest do not: two files whose names
/// look alike would become one.
package enum NameBytes {
  /// Whether the bytes are the same.
  package static func areEqual(_ left: String, _ right: String) -> Bool {
    left.utf8.count == right.utf8.count && left.utf8.elementsEqual(right.utf8)
  }

  /// Feeds the bytes, and an end that no name has.
  package static func hash(_ name: String, into hasher: inout Hasher) {
    var name = name
    name.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    hasher.combine(0xFF as UInt8)
  }
}
