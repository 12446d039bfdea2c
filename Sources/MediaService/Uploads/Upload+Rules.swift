/// When bytes of an upload are accepted, and when it is complete. Pure: no disk, no database, no clock.
extension Upload {
  /// A request that sends more bytes.
  public struct Append: Hashable, Sendable {
    /// The protocol of the request.
    public var form: Form
    /// The offset at which its bytes begin.
    public var offset: Int
    /// Number of bytes in its body; nil if it does not state them.
    public var bytes: Int?
    /// Whether the file ends with it, which IETF requests state; nil in tus.
    public var isLast: Bool?
    /// The length of the whole file, if the request states it.
    public var length: Int?
    /// The digest of its body; the bytes are kept only if it is right.
    public var checksum: Checksum?

    /// A request with these values.
    public init(
      form: Form, offset: Int, bytes: Int?, isLast: Bool? = nil, length: Int? = nil, checksum: Checksum? = nil
    ) {
      (self.form, self.offset, self.bytes) = (form, offset, bytes)
      (self.isLast, self.length, self.checksum) = (isLast, length, checksum)
    }
  }

  /// What follows from a request.
  enum Beginning: Hashable {
    /// Its bytes are taken, up to an offset.
    case receives(until: Int)
    /// It repeats the end of an upload that is complete: the answer is repeated too.
    case repeats
  }

  /// States the length, once.
  /// - Throws: `lengthMismatch` if it contradicts what is known, `tooLarge` above `limit`.
  mutating func setLength(_ length: Int, limit: Int) throws(ServiceError) {
    guard length >= offset, self.length == nil || self.length == length else {
      throw .inconsistentLength(
        "The length does not match the length or the offset of the upload.", limit: self.length ?? offset,
        actual: length, offset: offset)
    }
    guard length <= limit else { throw .fileTooLarge(limit: limit, actual: length) }
    self.length = length
  }

  /// Begins a request.
  /// - Parameter limit: Bytes that a file may have.
  mutating func begin(_ append: Append, limit: Int) throws(ServiceError) -> Beginning {
    if !state.isOpen && state != .finished { throw .uploadGone }
    guard append.form == form else {
      throw ServiceError(
        .conflict, "The upload was created with another protocol (tus or IETF); continue it with that protocol.")
    }
    guard append.offset == offset else { throw .offsetMismatch(expected: offset, provided: append.offset) }
    if state != .receiving {
      guard append.bytes ?? 0 == 0, append.isLast ?? true else {
        throw .inconsistentLength("The upload is already complete; it takes no more bytes.", limit: offset, actual: nil)
      }
      return .repeats
    }
    if let length = append.length { try setLength(length, limit: limit) }
    if let bytes = append.bytes {
      let (end, isTooLarge) = offset.addingReportingOverflow(bytes)
      guard bytes >= 0, !isTooLarge, end <= length ?? .max else {
        throw .inconsistentLength(
          "The request has more bytes than remain to be uploaded; send the rest of the file from the current offset.",
          limit: length, actual: end, offset: offset)
      }
      guard end <= limit else { throw .fileTooLarge(limit: limit, actual: end) }
      if append.isLast == true {
        guard end == length ?? end else {
          throw .inconsistentLength(
            "The request is marked as the last one, but bytes are still missing; continue the upload at its offset.",
            limit: length, actual: end, offset: offset)
        }
      }
    }
    // A piece with a checksum is kept completely or not at all, so it is limited (docs/uploads.md).
    if append.checksum != nil, append.bytes ?? .max > Checksum.maxBytes {
      throw .pieceTooLarge(offset: offset, actual: append.bytes)
    }
    return .receives(until: min(length ?? limit, append.bytes.map { offset + $0 } ?? .max))
  }

  /// Ends a request whose body arrived.
  /// - Parameter isWhole: Whether the whole body arrived, up to its end.
  /// - Returns: Whether the upload is complete.
  mutating func end(_ append: Append, isWhole: Bool) throws(ServiceError) -> Bool {
    switch form {
    case .tus: return offset == length
    case .ietf:
      guard append.isLast == true, isWhole else { return false }
      guard offset == length ?? offset else {
        throw .inconsistentLength(
          "The request is marked as the last one, but bytes are still missing; continue the upload at its offset.",
          limit: length, actual: offset, offset: offset)
      }
      length = offset
      return true
    }
  }
}
