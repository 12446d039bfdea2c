internal import HTTPTypes

/// The conditions of a request for a representation with a strong entity tag, in the order of RFC 9110, section 13.2.2.
///
/// No representation has a modification date, so conditions on dates are ignored, and a date in `If-Range` does not match.
enum Conditions {
  /// What a request gets.
  enum Outcome: Hashable {
    /// The whole representation.
    case full
    /// A part of it.
    case partial(Range<Int>)
    /// 304: the client has it.
    case notModified
    /// 412: the client assumes another one.
    case failed
    /// 416: there are no such bytes.
    case unsatisfiable
  }

  /// Evaluates the conditions of a GET or HEAD request.
  /// - Parameters:
  ///   - entityTag: The strong tag of the representation, with its quotes.
  ///   - size: Its size in bytes.
  static func evaluate(
    _ fields: HTTPFields, isHead: Bool, entityTag: String, size: Int
  ) -> Outcome {
    guard let current = EntityTag(entityTag) else { return .full }
    if let field = fields[.ifMatch], !EntityTags(field).contains(current.isStronglyEqual) { return .failed }
    if let field = fields[.ifNoneMatch], EntityTags(field).contains(current.isWeaklyEqual) { return .notModified }
    // Range is defined for GET alone.
    guard !isHead, let field = fields[.range] else { return .full }
    if let field = fields[.ifRange] {
      guard let tag = EntityTag(field.trimmingOptionalSpace), tag.isStronglyEqual(to: current) else { return .full }
    }
    switch ByteRange(field, size: size) {
    case .everything: return .full
    case .bytes(let range): return .partial(range)
    case .unsatisfiable: return .unsatisfiable
    }
  }
}
