internal import MediaModel

extension MailStructure {
  /// Adds the parts that the decoded body of a part contains: the files and messages of a `winmail.dat` (TNEF), the uuencode and yEnc of a plain text,
  /// and the parts of an encoded message; and those inside of them.
  ///
  /// They are at the end of the list, after those that contain them, so that positions stay valid; their sections continue that of their container,
  /// as in `2.tnef.1`. A part that contains none, or was searched before, adds none.
  /// - Parameters:
  ///   - position: The position of the part.
  ///   - octets: Its decoded body.
  ///   - limits: At a limit the search ends.
  /// - Returns: The positions of the parts that were added.
  @discardableResult
  public mutating func addEmbeddedParts(
    of position: Int, octets: some Collection<UInt8>, limits: Limits = Limits()
  ) -> Range<Int> {
    let start = parts.count
    guard parts.indices.contains(position) else { return start..<start }
    let limit = max(0, limits.maxEmbeddedOctets)
    var found = [(position: position, octets: Array(octets.prefix(limit)), depth: 0)]
    // A line of uuencode that says 63 octets may have two: what is decoded needs a limit too.
    var left = limit
    while let container = found.popLast(), parts.count < limits.maxParts {
      guard parts[container.position].mayContainParts else { continue }
      parts[container.position].isSearched = true
      let first = parts.count
      container.octets.withUnsafeBufferPointer {
        embed(Octets($0), in: container.position, maxParts: limits.maxParts - first, limits)
      }
      guard container.depth < limits.maxEmbeddedDepth else { continue }
      for child in first..<parts.count where parts[child].mayContainParts {
        guard let range = parts[child].rangeInContainer, left > 0 else { continue }
        let octets = parts[child].decoded(container.octets[range], maxOctets: left)
        left -= octets.count
        found.append((child, octets, container.depth + 1))
      }
    }
    return start..<parts.count
  }

  /// Adds the embedded parts of all parts of a whole mail.
  ///
  /// - Parameter message: The bytes that this structure was read from.
  public mutating func addEmbeddedParts(in message: some Collection<UInt8>, limits: Limits = Limits()) {
    for position in parts.indices where parts[position].mayContainParts && parts[position].container == nil {
      guard let range = parts[position].bodyRange, range.count <= limits.maxEmbeddedOctets / 3 * 4 else { continue }
      let body = message.dropFirst(range.lowerBound).prefix(range.count)
      addEmbeddedParts(
        of: position, octets: parts[position].decoded(body, maxOctets: limits.maxEmbeddedOctets), limits: limits)
    }
  }

  /// The decoded body of a part of a whole mail, embedded parts too. Of a multipart it is the body as it is.
  ///
  /// - Parameter message: The bytes that this structure was read from.
  public func content(of position: Int, in message: some Collection<UInt8>) -> [UInt8] {
    content(of: position, in: message, maxOctets: Int.max)
  }

  /// The decoded body of an embedded part.
  ///
  /// - Parameter octets: The decoded body of its ``Part/container``.
  public func content(of position: Int, inContainer octets: some Collection<UInt8>) -> [UInt8] {
    guard parts.indices.contains(position), let range = parts[position].rangeInContainer else { return [] }
    return parts[position].decoded(octets.dropFirst(range.lowerBound).prefix(range.count))
  }

  /// - Parameter maxOctets: Octets of the encoded body in the mail that are read, and of the decoded one that are kept.
  func content(of position: Int, in message: some Collection<UInt8>, maxOctets: Int) -> [UInt8] {
    guard parts.indices.contains(position) else { return [] }
    var path = [position]
    while let container = parts[path[path.count - 1]].container { path.append(container) }
    guard let outermost = path.popLast(), let range = parts[outermost].bodyRange else { return [] }
    let body = message.dropFirst(range.lowerBound).prefix(min(range.count, maxOctets))
    var octets = parts[outermost].decoded(body, maxOctets: maxOctets)
    while let next = path.popLast() { octets = content(of: next, inContainer: octets) }
    return octets
  }
}

extension MailStructure.Part {
  /// The encoding of an RTF body in TNEF.
  static let compressedRTF = "x-compressed-rtf"

  var isTNEF: Bool { role == .tnef || type.rawValue == "application/ms-tnef" }

  /// Whether embedded parts can be in its body.
  var mayContainParts: Bool {
    if isSearched || isOverLimit { return false }
    return isTNEF || isMessage && !isUnencoded || isMessage && container != nil && message == nil
      || type == .plainText && !isTextEncoded
  }

  /// A body of this part, decoded.
  /// - Parameter maxOctets: Where it is cut.
  func decoded(_ body: some Collection<UInt8>, maxOctets: Int = .max) -> [UInt8] {
    if isMultipart { return Array(body) }
    if encoding == Self.compressedRTF { return CompressedRTF.decoded(Array(body)[...]) }
    var decoder = MailPartDecoder(encoding: encoding)
    if maxOctets == .max { return decoder.feed(body) + decoder.finish() }
    var result: [UInt8] = []
    var rest = body[...]
    while !rest.isEmpty, result.count < maxOctets {
      result += decoder.feed(rest.prefix(65_536))
      rest = rest.dropFirst(65_536)
    }
    return Array((result + decoder.finish()).prefix(max(0, maxOctets)))
  }
}
