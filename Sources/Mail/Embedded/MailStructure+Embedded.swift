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
    return addEmbeddedParts(
      of: position, body: octets.count <= limit ? Array(octets) : Array(octets.prefix(limit)), limits)
  }

  /// - Parameter body: The decoded body, not longer than the limit.
  @discardableResult
  private mutating func addEmbeddedParts(of position: Int, body: [UInt8], _ limits: Limits) -> Range<Int> {
    let start = parts.count
    let limit = max(0, limits.maxEmbeddedOctets)
    var found = [(position: position, octets: body, depth: 0)]
    // A line of uuencode that says 63 octets may have two: what is decoded needs a limit too.
    var left = limit
    while let container = found.popLast(), parts.count < limits.maxParts {
      guard parts[container.position].mayContainParts else { continue }
      parts[container.position].isSearched = true
      let first = parts.count
      Octets.with(container.octets) { octets in
        embed(octets, in: container.position, maxParts: limits.maxParts - first, limits)
        guard container.depth < limits.maxEmbeddedDepth else { return }
        for child in first..<parts.count where parts[child].mayContainParts {
          guard let range = parts[child].rangeInContainer, left > 0 else { continue }
          let octets = parts[child].decoded(octets, range, maxOctets: left)
          left -= octets.count
          found.append((child, octets, container.depth + 1))
        }
      }
    }
    return start..<parts.count
  }

  /// Adds the embedded parts of all parts of a whole mail.
  ///
  /// - Parameter message: The bytes that this structure was read from.
  public mutating func addEmbeddedParts(in message: some Collection<UInt8>, limits: Limits = Limits()) {
    Octets.with(message) { addEmbeddedParts(in: $0, limits) }
  }

  /// Adds the embedded parts of all parts of a whole mail.
  ///
  /// - Parameter source: The source that this structure was read from.
  public mutating func addEmbeddedParts(in source: Source, limits: Limits = Limits()) {
    addEmbeddedParts(in: Octets(source), limits)
  }

  private mutating func addEmbeddedParts(in octets: Octets, _ limits: Limits) {
    for position in parts.indices where parts[position].mayContainParts && parts[position].container == nil {
      guard let range = parts[position].bodyRange, range.count <= limits.maxEmbeddedOctets / 3 * 4 else { continue }
      if parts[position].type == .plainText {
        // Most texts contain no file: they are read in pieces, and not kept.
        var marks = TextFileMarks()
        parts[position].decode(octets, range) { marks.take($0) }
        guard marks.areFound else {
          parts[position].isSearched = true
          continue
        }
      }
      let body = parts[position].decoded(octets, range, maxOctets: limits.maxEmbeddedOctets)
      addEmbeddedParts(of: position, body: body, limits)
    }
  }
}

extension MailStructure.Part {
  /// The encoding of an RTF body in TNEF.
  static let compressedRTF = "x-compressed-rtf"

  /// Whether it is the body of a TNEF stream, in its encoding. A field of a mail, also of an attached one, may claim the encoding, but has another section.
  private var isCompressedRTF: Bool { encoding == Self.compressedRTF && section.hasSuffix(".tnef.body") }

  var isTNEF: Bool { role == .tnef || type.rawValue == "application/ms-tnef" }

  /// Whether embedded parts can be in its body.
  var mayContainParts: Bool {
    if isSearched || isOverLimit { return false }
    return isTNEF || isMessage && !isUnencoded || isMessage && container != nil && message == nil
      || type == .plainText && !isTextEncoded
  }

  /// The body of this part, which is in no container, decoded piece by piece.
  func decode(_ octets: Octets, _ range: Range<Int>, _ body: ([UInt8]) throws -> Void) rethrows {
    var decoder = MailPartDecoder(encoding: isMultipart ? nil : encoding)
    let range = range.clamped(to: 0..<octets.count)
    var offset = range.lowerBound
    while offset < range.upperBound {
      let end = offset + min(range.upperBound - offset, 262_144)
      var piece: [UInt8] = []
      octets.forEachPiece(of: offset..<end) {
        piece += decoder.feed($0)
        return true
      }
      if !piece.isEmpty { try body(piece) }
      offset = end
    }
    let rest = decoder.finish()
    if !rest.isEmpty { try body(rest) }
  }

  /// The body of this part, decoded.
  /// - Parameter maxOctets: Where it is cut.
  func decoded(_ octets: Octets, _ range: Range<Int>, maxOctets: Int = .max) -> [UInt8] {
    if isMultipart { return octets[range.prefix(maxOctets)] }
    if isCompressedRTF {
      return CompressedRTF.decoded(octets[range], maxOctets: maxOctets)
    }
    var decoder = MailPartDecoder(encoding: encoding)
    var result: [UInt8] = []
    octets.forEachPiece(of: range) {
      result += decoder.feed($0)
      return result.count < maxOctets
    }
    result += decoder.finish()
    return result.count > maxOctets ? Array(result.prefix(max(0, maxOctets))) : result
  }
}
