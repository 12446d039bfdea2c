/// Names given by somebody else are compared by their bytes in UTF-8.
///
/// Swift's own comparison takes `é` and `e` with an accent for the same. A disk, a photo library and a digest do not: two files whose names
/// look alike would become one.
package enum NameBytes {
  /// Whether the bytes are the same.
  package static func areEqual(_ left: String, _ right: String) -> Bool {
    // What does not look alike is soon seen.
    left == right && left.utf8.elementsEqual(right.utf8)
  }

  /// Feeds the name: the same bytes look the same, so the string's own hash will do.
  package static func hash(_ name: String, into hasher: inout Hasher) { hasher.combine(name) }
}
