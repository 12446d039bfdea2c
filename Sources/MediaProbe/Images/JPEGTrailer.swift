internal import Glibc

/// What follows the scans of a JPEG: its end, the further images of an MPF index (CIPA DC-007), a gain map, a video.
struct JPEGTrailer {
  /// The end marker of an ordinary photo stands this near to the end of the file.
  private static let tailSize = 2_048
  /// Beyond so many bytes the end marker is not looked for, and the image is taken to be whole.
  private static let scanLimit = 67_108_864

  private let reader: ByteReader
  private let xmp: XMPPacket?
  private let images: [Range<Int>]
  /// The end of the file, read once for all questions about it.
  private let tail: [UInt8]
  /// Where the video of a motion photo begins; nil when nothing says that there is one, or when it is not there.
  private(set) var motionVideoStart: Int?

  /// - Parameter images: Ranges of the images in the file that the MPF index names, the primary one first.
  init(reader: ByteReader, xmp: XMPPacket?, images: [Range<Int>]) {
    self.reader = reader
    self.xmp = xmp
    self.images = images
    tail = reader.bytes(max(0, reader.count - Self.tailSize), Self.tailSize)
    if let distance = xmp?.motionVideoDistance, distance < reader.count, isVideo(at: reader.count - distance) {
      motionVideoStart = reader.count - distance
    } else {
      motionVideoStart = samsungVideoStart
    }
  }

  /// The ranges in an MPF index whose TIFF structure begins at `start`.
  static func images(inIndex bytes: [UInt8], at start: Int) -> [Range<Int>] {
    guard let structure = TIFFStructure(ByteReader(bytes)),
      let directory = structure.directory(at: structure.firstDirectory),
      let entries = directory.bytes(0xB002, limit: 64 * 16)
    else { return [] }
    let numbers = ByteReader(entries.bytes)
    var images: [Range<Int>] = []
    for at in stride(from: 0, to: entries.bytes.count - 15, by: 16) {
      guard let size = numbers.unsigned(at + 4, width: 4, bigEndian: structure.isBigEndian),
        let offset = numbers.unsigned(at + 8, width: 4, bigEndian: structure.isBigEndian)
      else { break }
      // The first image's offset is 0 and means the file's beginning; the others count from the index.
      let lower = images.isEmpty ? 0 : start + offset
      images.append(lower..<lower + size)
    }
    return images
  }

  /// Whether the stream that begins its first scan at `scan` has an end marker. Inside scans 0xFF is always followed by a zero
  /// or a restart marker, so 0xFFD9 anywhere after `scan` is one.
  func hasEndOfImage(after scan: Int) -> Bool {
    // Looked for where it stands in nearly every file, then before the video, then everywhere.
    if hasEndOfImage(in: tail.suffix(max(0, reader.count - scan))) { return true }
    if let video = motionVideoStart, video > scan {
      let start = max(scan, video - 32 * Self.tailSize)
      if hasEndOfImage(in: reader.bytes(start, video - start)[...]) { return true }
    }
    var at = scan
    while at < reader.count {
      guard at - scan < Self.scanLimit, reader.failure == nil else { return true }
      let end = min(reader.count, at + 1_048_576)
      if hasEndOfImage(in: reader.bytes(at, end - at)[...]) { return true }
      at = end == reader.count ? end : end - 1
    }
    return false
  }

  private func hasEndOfImage(in bytes: ArraySlice<UInt8>) -> Bool {
    bytes.withUnsafeBytes { buffer in
      guard let start = buffer.baseAddress else { return false }
      var at = 0
      while at + 1 < buffer.count, let found = memchr(start + at, 0xFF, buffer.count - 1 - at) {
        at = UnsafeRawPointer(found) - start + 1
        if buffer[at] == 0xD9 { return true }
      }
      return false
    }
  }

  /// Samsung's trailer: named blocks, then a directory of them that is found from the end of the file.
  private var samsungVideoStart: Int? {
    let count = reader.count
    guard count > 64, tail.suffix(4) == [0x53, 0x45, 0x46, 0x54],
      let length = ByteReader(Array(tail.suffix(8))).u32le(0).map({ Int($0) }), length < count - 8
    else { return nil }
    let directory = ByteReader(reader.bytes(count - 8 - length, min(length, 4_096)))
    guard directory.has("SEFH", at: 0), let entries = directory.u32le(8) else { return nil }
    for index in 0..<min(Int(entries), 256) {
      let entry = 12 + index * 12
      guard let type = directory.u16le(entry + 2), let back = directory.u32le(entry + 4) else { return nil }
      // 0x0A30 is MotionPhoto_Data: its header of 8 bytes, its name, the video.
      let video = count - 8 - length - Int(back) + 8 + 16
      if type == 0x0A30, video > 0, reader.has("MotionPhoto_Data", at: video - 16), isVideo(at: video) { return video }
    }
    return nil
  }

  private func isVideo(at offset: Int) -> Bool {
    guard let head = reader.slice(offset, 8) else { return false }
    return ByteReader(head).fourCC(4) == "ftyp"
  }

  /// Whether there is a gain map: stated by the image itself, or an Apple one among the further images.
  ///
  /// Editors copy the statement and drop the map, so it has to be there, unless the file ends before the image does.
  func hasGainMap(isStated: Bool, imageIsWhole: Bool) -> Bool {
    let others = images.dropFirst().prefix(4)
    guard isStated else { return others.contains(where: isAppleGainMap) }
    if !imageIsWhole { return true }
    if others.contains(where: { isImage(at: $0.lowerBound) }) { return true }
    guard let distance = xmp?.distance(ofItem: "GainMap"), distance < reader.count else { return false }
    return isImage(at: reader.count - distance)
  }

  private func isImage(at offset: Int) -> Bool { reader.slice(offset, 3) == [0xFF, 0xD8, 0xFF] }

  private func isAppleGainMap(_ range: Range<Int>) -> Bool {
    guard isImage(at: range.lowerBound), var segments = JPEGSegments(reader, range) else { return false }
    while let segment = segments.next(), (0xE0...0xEF).contains(segment.marker) {
      let start = segment.body.lowerBound
      if segment.marker == 0xE1, segment.body.count > 29, reader.has("http://ns.adobe.com/xap/1.0/\0", at: start) {
        return XMPPacket(reader.bytes(start + 29, segment.body.count - 29)).isAppleGainMap
      }
    }
    return false
  }
}
