internal import MediaModel

/// The outer structure of Matroska and WebM (RFC 9559, 5): truncation, and the duration of a live recording.
struct MatroskaStructure {
  /// Whether the segment extends past the end of the file.
  private(set) var isCut = false
  /// Duration in seconds, only if the header does not state it, as in recordings from browsers.
  private(set) var duration: Double?

  private static let segmentName: UInt32 = 0x1853_8067
  private static let infoName: UInt32 = 0x1549_A966
  private static let clusterName: UInt32 = 0x1F43_B675
  private static let clusterMark: [UInt8] = [0x1F, 0x43, 0xB6, 0x75]
  /// How far from the end the last cluster is searched: five seconds of video at six megabits per second.
  private static let farthest = 4_194_304

  init(_ reader: ByteReader) {
    guard let header = EBML.size(reader, at: 4), let length = header.value, length < reader.count else {
      isCut = true
      return
    }
    let segment = 4 + header.width + length
    guard EBML.identifier(reader, at: segment)?.value == Self.segmentName, let size = EBML.size(reader, at: segment + 4)
    else {
      isCut = segment + 8 >= reader.count
      return
    }
    let content = segment + 4 + size.width
    // An unknown size means a live recording, not damage.
    if let length = size.value, length > reader.count - content { isCut = true }
    guard let scale = Self.timestampScale(reader, content), let last = Self.lastTimestamp(reader, after: content) else {
      return
    }
    duration = Double(last) * Double(scale) / 1e9
  }

  /// Nanoseconds per timestamp unit for a segment without a stated duration. Nil if the duration is stated, or if there
  /// is no header.
  private static func timestampScale(_ reader: ByteReader, _ content: Int) -> UInt64? {
    guard let info = elements(reader, from: content, limit: 64, until: { $0.name == infoName }).last,
      info.name == infoName
    else { return nil }
    var scale: UInt64 = 1_000_000
    let end = info.content + (info.length ?? 0)
    for element in elements(reader, from: info.content, limit: 64, until: { $0.content >= end })
    where element.content < end {
      if element.name == 0x4489 { return nil }
      if element.name == 0x2AD7B1, let value = number(reader, element), value > 0 { scale = value }
    }
    return scale
  }

  /// The highest timestamp in the last cluster, in timestamp units.
  private static func lastTimestamp(_ reader: ByteReader, after content: Int) -> UInt64? {
    let step = 262_144
    var end = reader.count
    while end > content, reader.count - end < farthest {
      let start = max(content, end - step)
      // An element ID may straddle the boundary.
      let window = reader.bytes(start, min(reader.count, end + 3) - start)
      // Search in the buffer: reading backwards through the reader would cause one file read per step.
      for index in window.indices.dropLast(3).reversed() where window[index...].starts(with: clusterMark) {
        if let stamp = clusterEnd(reader, start + index) { return stamp }
      }
      end = start
    }
    return nil
  }

  /// The highest timestamp of the cluster at `offset`; nil if there is none.
  private static func clusterEnd(_ reader: ByteReader, _ offset: Int) -> UInt64? {
    guard let cluster = element(reader, at: offset), cluster.name == clusterName else { return nil }
    let children = elements(reader, from: cluster.content, limit: 65_536) { $0.name == clusterName }
    // RFC 9559, 5.1.3: the timestamp precedes every block. A checksum (RFC 8794, 11.3.1) may precede it.
    guard let stamp = children.prefix(8).first(where: { $0.name == 0xE7 }), let base = number(reader, stamp) else {
      return nil
    }
    var latest: Int64 = 0
    for child in children {
      // A block in a group has its own element header, which is first in the group.
      var block = child
      if child.name == 0xA0, let inner = element(reader, at: child.content) { block = inner }
      guard block.name == 0xA3 || block.name == 0xA1, let track = EBML.size(reader, at: block.content),
        let relative = reader.u16be(block.content + track.width)
      else { continue }
      latest = max(latest, Int64(Int16(bitPattern: relative)))
    }
    return base < UInt64(Int64.max) ? base + UInt64(latest) : nil
  }

  private struct Element {
    let name: UInt32
    let content: Int
    /// Nil if unknown.
    let length: Int?
  }

  private static func element(_ reader: ByteReader, at offset: Int) -> Element? {
    guard let name = EBML.identifier(reader, at: offset), let size = EBML.size(reader, at: offset + name.width) else {
      return nil
    }
    return Element(name: name.value, content: offset + name.width + size.width, length: size.value)
  }

  /// Consecutive elements up to and including the first that `last` accepts.
  private static func elements(
    _ reader: ByteReader, from start: Int, limit: Int, until last: (Element) -> Bool
  ) -> [Element] {
    var found: [Element] = []
    var offset = start
    while found.count < limit, let next = element(reader, at: offset) {
      found.append(next)
      guard !last(next), let length = next.length, length <= reader.count - next.content else { break }
      offset = next.content + length
    }
    return found
  }

  private static func number(_ reader: ByteReader, _ element: Element) -> UInt64? {
    guard let length = element.length, (1...8).contains(length), let bytes = reader.slice(element.content, length)
    else { return nil }
    return bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }
}
