/// Builds the bytes of test images piece by piece.
func joined(_ parts: [UInt8]...) -> [UInt8] { parts.flatMap { $0 } }
func be16(_ value: Int) -> [UInt8] { [UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value)] }
func be32(_ value: Int) -> [UInt8] { be16(value >> 16) + be16(value) }
func be64(_ value: Int) -> [UInt8] { be32(value >> 32) + be32(value) }
func le16(_ value: Int) -> [UInt8] { be16(value).reversed() }
func le32(_ value: Int) -> [UInt8] { be32(value).reversed() }
func ascii(_ text: String) -> [UInt8] { Array(text.utf8) }

/// A TIFF structure: directories one after another, each value behind its directory.
struct TIFFFixture {
  struct Entry {
    var tag: Int
    var type: Int
    var count: Int
    var value: [UInt8]
  }

  var isBigEndian = false
  var isBig = false
  /// The chain of directories.
  var directories: [[Entry]]
  /// Directories that an entry of the first one points to: tag and entries.
  var children: [(tag: Int, entries: [Entry])] = []
  /// Bytes behind everything else; `dataOffset` says where they begin.
  var data: [UInt8] = []

  func u16(_ value: Int) -> [UInt8] { isBigEndian ? be16(value) : le16(value) }
  func u32(_ value: Int) -> [UInt8] { isBigEndian ? be32(value) : le32(value) }
  func offset(_ value: Int) -> [UInt8] {
    isBig ? (isBigEndian ? be64(value) : be64(value).reversed()) : u32(value)
  }

  func short(_ tag: Int, _ values: Int...) -> Entry {
    Entry(tag: tag, type: 3, count: values.count, value: values.flatMap(u16))
  }
  func long(_ tag: Int, _ values: Int...) -> Entry {
    Entry(tag: tag, type: 4, count: values.count, value: values.flatMap(u32))
  }
  func text(_ tag: Int, _ text: String) -> Entry {
    Entry(tag: tag, type: 2, count: text.utf8.count + 1, value: ascii(text) + [0])
  }
  func bytes(_ tag: Int, _ bytes: [UInt8], type: Int = 7) -> Entry {
    Entry(tag: tag, type: type, count: bytes.count, value: bytes)
  }
  func rational(_ tag: Int, _ values: (Int, Int)...) -> Entry {
    Entry(tag: tag, type: 5, count: values.count, value: values.flatMap { u32($0.0) + u32($0.1) })
  }

  private var headSize: Int { isBig ? 16 : 8 }

  private func size(_ entries: [Entry]) -> Int {
    let fixed = isBig ? 16 + 20 * entries.count : 6 + 12 * entries.count
    return fixed + entries.reduce(0) { $0 + ($1.value.count > (isBig ? 8 : 4) ? $1.value.count : 0) }
  }

  /// The first directory with its pointers to the children, which have to be counted before they are placed.
  private var first: [Entry] { directories[0] + children.map { long($0.tag, 0) } }

  var dataOffset: Int {
    headSize + size(first) + directories.dropFirst().reduce(0) { $0 + size($1) }
      + children.reduce(0) { $0 + size($1.entries) }
  }

  private func encoded(_ entries: [Entry], at start: Int, next: Int) -> [UInt8] {
    var head = isBig ? offset(entries.count) : u16(entries.count)
    var values: [UInt8] = []
    let valuesAt = start + (isBig ? 16 + 20 * entries.count : 6 + 12 * entries.count)
    let room = isBig ? 8 : 4
    for entry in entries {
      head += u16(entry.tag) + u16(entry.type) + offset(entry.count)
      if entry.value.count > room {
        head += offset(valuesAt + values.count)
        values += entry.value
      } else {
        head += entry.value + Array(repeating: 0, count: room - entry.value.count)
      }
    }
    return head + offset(next) + values
  }

  var encoded: [UInt8] {
    var result: [UInt8] = isBigEndian ? [0x4D, 0x4D] : [0x49, 0x49]
    result += u16(isBig ? 43 : 42)
    if isBig { result += u16(8) + u16(0) }
    result += offset(headSize)
    // Chain, then children.
    var starts = [headSize]
    starts.append(headSize + size(first))
    for directory in directories.dropFirst() { starts.append(starts[starts.count - 1] + size(directory)) }
    var childStart = starts[directories.count]
    var main = directories[0]
    var childBytes: [UInt8] = []
    for child in children {
      main.append(long(child.tag, childStart))
      childBytes += encoded(child.entries, at: childStart, next: 0)
      childStart += size(child.entries)
    }
    for (index, directory) in ([main] + directories.dropFirst()).enumerated() {
      result += encoded(
        directory, at: starts[index], next: index + 1 < directories.count ? starts[index + 1] : 0)
    }
    return result + childBytes + data
  }
}

/// A JPEG of a given size without pixels: every marker segment that a header reader looks at.
struct JPEGFixture {
  var size = (width: 40, height: 30)
  var marker: UInt8 = 0xC0
  /// Application and other segments before the frame header.
  var segments: [(marker: UInt8, body: [UInt8])] = []
  var scan: [UInt8] = [0x12, 0xFF, 0x00, 0x34]
  var end: [UInt8] = [0xFF, 0xD9]
  var trailer: [UInt8] = []

  static func segment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] { [0xFF, marker] + be16(body.count + 2) + body }

  /// Where the body of segment `index` begins.
  func bodyOffset(_ index: Int) -> Int { segments[..<index].reduce(2) { $0 + 4 + $1.body.count } + 4 }

  var encoded: [UInt8] {
    var result: [UInt8] = [0xFF, 0xD8]
    for segment in segments { result += Self.segment(segment.marker, segment.body) }
    result += Self.segment(marker, joined([8], be16(size.height), be16(size.width), [1, 1, 0x11, 0]))
    result += Self.segment(0xDA, [1, 1, 0, 0, 63, 0])
    return result + scan + end + trailer
  }

  static func exif(_ tiff: [UInt8]) -> (marker: UInt8, body: [UInt8]) { (0xE1, ascii("Exif\0\0") + tiff) }
  static func xmp(_ packet: String) -> (marker: UInt8, body: [UInt8]) {
    (0xE1, ascii("http://ns.adobe.com/xap/1.0/\0") + ascii(packet))
  }
}

/// PNG out of chunks; checksums are zero, which no header reader looks at.
func pngFixture(_ chunks: [(name: String, body: [UInt8])]) -> [UInt8] {
  let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
  return signature + chunks.flatMap { joined(be32($0.body.count), ascii($0.name), $0.body, [0, 0, 0, 0]) }
}

/// An IHDR body.
func pngHeader(_ width: Int, _ height: Int, colour: UInt8 = 2) -> [UInt8] {
  joined(be32(width), be32(height), [8, colour, 0, 0, 0])
}

/// An fcTL body with a delay.
func pngFrame(_ number: Int, delay: Int, unit: Int) -> [UInt8] {
  joined(be32(number), be32(8), be32(8), be32(0), be32(0), be16(delay), be16(unit), [0, 0])
}

/// A box of the ISO base media file format.
func box(_ type: String, _ body: [UInt8]...) -> [UInt8] {
  let body = body.flatMap { $0 }
  return joined(be32(body.count + 8), ascii(type), body)
}

/// A full box.
func fullBox(_ type: String, version: UInt8 = 0, flags: Int = 0, _ body: [UInt8]...) -> [UInt8] {
  box(type, [version] + be32(flags).dropFirst(), body.flatMap { $0 })
}

/// An XMP packet around properties of its one description.
func xmpPacket(attributes: String = "", elements: String = "") -> String {
  """
  <?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">
  <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
   xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:tiff="http://ns.adobe.com/tiff/1.0/"
   xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/"
   xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/"
   xmlns:GCamera="http://ns.google.com/photos/1.0/camera/"
   xmlns:Container="http://ns.google.com/photos/1.0/container/"
   xmlns:Item="http://ns.google.com/photos/1.0/container/item/" \(attributes)>\(elements)</rdf:Description>
  </rdf:RDF></x:xmpmeta><?xpacket end="w"?>
  """
}
