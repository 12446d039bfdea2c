/// Byte-wise comparison for names from outside.
///
/// Swift compares strings by canonical equivalence, so that both spellings of `é` are equal. File systems, photo
/// libraries and digests compare bytes. With Swift's comparison, two files with similar names would be merged.
package enum NameBytes {
  /// Whether the UTF-8 bytes are equal.
  package static func areEqual(_ left: String, _ right: String) -> Bool {
    // The cheap comparison first: most names differ under canonical equivalence too.
    left == right && left.utf8.elementsEqual(right.utf8)
  }

  /// Hashes the string. Equal bytes are canonically equivalent, so `String`'s own hash is valid.
  package static func hash(_ name: String, into hasher: inout Hasher) { hasher.combine(name) }
}
