extension MailStructure {
  /// The decoded body of a part of a whole mail, embedded parts too. Of a multipart it is the body as it is.
  ///
  /// To read many parts, use ``ContentReader``.
  /// - Parameter message: The bytes that this structure was read from.
  public func content(of position: Int, in message: some Collection<UInt8>) -> [UInt8] {
    content(of: position, in: message, maxOctets: .max)
  }

  /// The decoded body of an embedded part.
  ///
  /// - Parameter octets: The decoded body of its ``Part/container``.
  public func content(of position: Int, inContainer octets: some Collection<UInt8>) -> [UInt8] {
    guard parts.indices.contains(position), let range = parts[position].rangeInContainer else { return [] }
    return Octets.with(octets) { parts[position].decoded($0, range) }
  }

  func content(of position: Int, in message: some Collection<UInt8>, maxOctets: Int) -> [UInt8] {
    Octets.with(message) {
      var reader = ContentReader($0)
      return reader.content(of: position, in: self, maxOctets: maxOctets)
    }
  }

  /// Reads the decoded bodies of many parts of a mail.
  ///
  /// A container such as `winmail.dat` is decoded once for all parts in it, if these are read in the order of the list, or each after its
  /// container. What is decoded is kept until a part outside of it is read.
  public struct ContentReader {
    private let octets: Octets
    /// The containers that are decoded, each inside of the one before.
    private var open: [(position: Int, octets: [UInt8])] = []

    /// A reader of a mail.
    /// - Parameter source: The source that the structure was read from.
    public init(_ source: Source) { self.init(Octets(source)) }

    init(_ octets: Octets) { self.octets = octets }

    /// The decoded body of a part, embedded parts too. Of a multipart it is the body as it is. A position that is not in the list has none.
    ///
    /// A decoded body may have up to 32 times the octets of the encoded one.
    /// - Parameters:
    ///   - structure: The structure of the mail. Embedded parts may have been added since the last call.
    ///   - maxOctets: Stops after so many octets of the decoded body; the decoded body of a container ends there too. No limit by default.
    public mutating func content(of position: Int, in structure: MailStructure, maxOctets: Int = .max) -> [UInt8] {
      guard structure.parts.indices.contains(position) else { return [] }
      let maxOctets = max(0, maxOctets)
      openContainers(of: position, in: structure, maxOctets)
      return decoded(structure.parts[position], maxOctets)
    }

    /// Passes on the decoded body of a part in pieces of at most some 256 KiB, so that a large one needs no memory. Of a multipart it is the body as it is.
    ///
    /// A part in a container such as `winmail.dat`, and compressed RTF, is decoded as a whole.
    /// - Parameters:
    ///   - structure: The structure of the mail.
    ///   - maxOctets: The most that is decoded as a whole.
    ///   - body: Called with each piece; an error ends the reading.
    /// - Returns: False, without a call, if more than `maxOctets` would have to be decoded as a whole.
    public mutating func read(
      _ position: Int, in structure: MailStructure, maxOctets: Int, _ body: ([UInt8]) throws -> Void
    ) rethrows -> Bool {
      guard structure.parts.indices.contains(position) else { return true }
      let maxOctets = min(max(0, maxOctets), .max - 1)
      let part = structure.parts[position]
      openContainers(of: position, in: structure, maxOctets + 1)
      guard !open.contains(where: { $0.octets.count > maxOctets }) else { return false }
      guard open.isEmpty, let range = part.bodyRange else {
        let content = decoded(part, maxOctets + 1)
        guard content.count <= maxOctets else { return false }
        try body(content)
        return true
      }
      try part.decode(octets, range, body)
      return true
    }

    /// Decodes the containers of a part, those that are not open yet.
    private mutating func openContainers(of position: Int, in structure: MailStructure, _ maxOctets: Int) {
      var path: [Int] = []
      var next = structure.parts[position].container
      while let container = next {
        path.append(container)
        next = structure.parts[container].container
      }
      path.reverse()
      let known = zip(open, path).prefix { $0.position == $1 }.count
      open.removeLast(open.count - known)
      for container in path[known...] {
        open.append((container, decoded(structure.parts[container], maxOctets)))
      }
    }

    /// The body of a part whose container is the last that is decoded.
    private func decoded(_ part: Part, _ maxOctets: Int) -> [UInt8] {
      if let container = open.last {
        guard let range = part.rangeInContainer else { return [] }
        return Octets.with(container.octets) { part.decoded($0, range, maxOctets: maxOctets) }
      }
      guard let range = part.bodyRange else { return [] }
      return part.decoded(octets, range, maxOctets: maxOctets)
    }
  }
}
