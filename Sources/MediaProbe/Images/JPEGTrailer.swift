internal import Glibc
internal import ISOBaseMedia
internal import MediaModel

/// Reads what follows the scans of a JPEG: the end marker, other images of an MPF index (CIPA DC-007), a gain map, a
/// video.
struct JPEGTrailer {
  /// In an ordinary photo, the end marker is this close to the end of the file.
  private static let tailSize = 2_048
  /// Beyond this many bytes the end marker is not searched, and the image is assumed to be complete.
  private static let scanLimit = 67_108_864

  private let reader: ByteReader
  private let xmp: XMPPacket?
  private let images: [Range<Int>]
  /// The end of the file, read once for all checks.
  private let tail: [UInt8]
  /// The offset of the video of a motion photo; nil if none is declared or it is missing.
  private(set) var motionVideoStart: Int?

  /// - Parameter images: Ranges of the images in the MPF index, the primary one first.
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
      // The first image has offset 0, the start of the file; the other offsets are relative to the index.
      let lower = images.isEmpty ? 0 : start + offset
      images.append(lower..<lower + size)
    }
    return images
  }

  /// Whether the stream has an end marker after the first scan, which begins at `scan`.
  ///
  /// Inside of scans, 0xFF is always followed by a zero or a restart marker. Any 0xFFD9 after `scan` is therefore an
  /// end marker.
  func hasEndOfImage(after scan: Int) -> Bool {
    // Search first where nearly every file has it, then before the video, then everywhere.
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

  /// The video offset from Samsung's trailer: named blocks, then a directory that is located from the end of the file.
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
      // 0x0A30 is MotionPhoto_Data: an 8-byte header, its name, the video.
      let video = count - 8 - length - Int(back) + 8 + 16
      if type == 0x0A30, video > 0, reader.has("MotionPhoto_Data", at: video - 16), isVideo(at: video) { return video }
    }
    return nil
  }

  private func isVideo(at offset: Int) -> Bool {
    guard let head = reader.slice(offset, 8) else { return false }
    return ByteReader(head).fourCC(4) == "ftyp"
  }

  /// Whether there is a gain map: declared by the image itself, or an Apple one among the other images.
  ///
  /// Editors copy the declaration but drop the map. The map must therefore exist, unless the file is truncated before
  /// it.
  func hasGainMap(isStated: Bool, imageIsWhole: Bool) -> Bool {
    let others = images.dropFirst().prefix(4)
    guard isStated else { return others.contains(where: isAppleGainMap) }
    if !imageIsWhole { return true }
    if others.contains(where: { isImage(at: $0.lowerBound) }) { return true }
    guard let distance = xmp?.distance(ofItem: "GainMap"), distance < reader.count else { return false }
    return isImage(at: reader.count - distance)
  }

  private func isImage(at offset: Int) -> Bool { reader.slice(offset, 3) == [0xFF, 0xD8, 0xFF] }

  /// Number of images in the MPF index that a viewer may show in place of the primary one: those of its size that are not a gain map. Smaller
  /// ones are previews, which no viewer shows for the image.
  func images(ofSize size: PixelSize) -> Int {
    images.dropFirst().prefix(4).count { range in
      isImage(at: range.lowerBound) && JPEGFrame.first(in: reader, range)?.size == size && !isGainMap(range)
    }
  }

  /// Whether an image states that it is a gain map (ISO 21496-1, Adobe, Apple).
  private func isGainMap(_ range: Range<Int>) -> Bool {
    guard var segments = JPEGSegments(reader, range) else { return false }
    while let segment = segments.next(), (0xE0...0xEF).contains(segment.marker) {
      let start = segment.body.lowerBound
      if segment.marker == 0xE2, reader.has("urn:iso:std:iso:ts:21496:-1\0", at: start) { return true }
      if segment.marker == 0xE1, segment.body.count > 29, reader.has("http://ns.adobe.com/xap/1.0/\0", at: start) {
        let packet = XMPPacket(reader.bytes(start + 29, segment.body.count - 29))
        if packet.isAppleGainMap || packet.statesGainMap { return true }
      }
    }
    return false
  }

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
