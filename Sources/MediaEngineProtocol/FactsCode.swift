internal import MediaModel

/// A binary encoding of a file's facts, in the order of the properties of `MediaInfo`: the answer to a probe. Encoding and decoding JSON took
/// longer than finding the facts.
///
/// Each value is preceded by 1, and a missing value is 0. A number has 8 bytes, little-endian; a text is its length in UTF-8, as a number, and
/// its bytes.
enum FactsCode {
  /// The first byte, with which no JSON begins.
  static let mark: UInt8 = 1

  static func bytes(_ info: MediaInfo, bytesRead: Int) -> [UInt8] {
    var out = FactsWriter()
    out.bytes.append(mark)
    out.add(bytesRead)
    out.add(info.kind.rawValue)
    out.add(info.type.rawValue)
    out.add(info.extension)
    out.add(info.bytes)
    for number in [info.width, info.height, info.orientation?.rawValue, info.rotation, info.frames] { out.add(number) }
    out.add(info.animated)
    out.add(info.alpha)
    out.add(info.pages)
    out.add(info.tracks)
    out.add(info.duration)
    out.add(info.frameRate)
    out.add(info.bitRate)
    out.add(info.videoCodec)
    out.add(info.audioCodec)
    out.add(info.channels)
    out.add(info.sampleRate)
    for text in [info.hdr?.rawValue, info.colorPrimaries?.rawValue, info.colorProfile] { out.add(text) }
    for text in [info.takenAt?.description, info.takenAtSource?.rawValue] { out.add(text) }
    for number in [info.latitude, info.longitude, info.altitude] { out.add(number) }
    for text in [info.make, info.model, info.title, info.artist, info.album] { out.add(text) }
    let small = info.embeddedThumbnail
    for number in [small?.width, small?.height, small?.bytes, small?.offset] { out.add(number) }
    out.add(info.coverArt)
    out.add(info.motionPhoto)
    let mismatch = info.mismatch
    for text in [mismatch?.declared, mismatch?.by.rawValue, mismatch?.class.rawValue, info.sha256] { out.add(text) }
    for text in [info.error?.code.rawValue, info.error?.message, info.error?.detail] { out.add(text) }
    return out.bytes
  }

  static func value(of bytes: [UInt8]) throws(ProtocolViolation) -> (info: MediaInfo, bytesRead: Int) {
    guard bytes.first == mark else { throw ProtocolViolation("invalid facts") }
    var rest = FactsReader(bytes: bytes[1...])
    let bytesRead: Int? = try rest.number()
    let kind: MediaKind? = try rest.name()
    let type = try rest.text()
    let suffix = try rest.text()
    let size: Int? = try rest.number()
    guard let bytesRead, let kind, let type, let size else { throw ProtocolViolation("incomplete facts") }
    var info = MediaInfo(type: MediaType(type), bytes: size)
    info.kind = kind
    info.extension = suffix
    info.width = try rest.number()
    info.height = try rest.number()
    info.orientation = try rest.number().flatMap(MediaInfo.Orientation.init)
    info.rotation = try rest.number()
    info.frames = try rest.number()
    info.animated = try rest.flag()
    info.alpha = try rest.flag()
    info.pages = try rest.number()
    info.tracks = try rest.number()
    info.duration = try rest.real()
    info.frameRate = try rest.real()
    info.bitRate = try rest.number()
    info.videoCodec = try rest.text()
    info.audioCodec = try rest.text()
    info.channels = try rest.number()
    info.sampleRate = try rest.number()
    info.hdr = try rest.name()
    info.colorPrimaries = try rest.name()
    info.colorProfile = try rest.text()
    info.takenAt = try rest.text().flatMap(MediaInfo.CaptureTime.init)
    info.takenAtSource = try rest.name()
    info.latitude = try rest.real()
    info.longitude = try rest.real()
    info.altitude = try rest.real()
    info.make = try rest.text()
    info.model = try rest.text()
    info.title = try rest.text()
    info.artist = try rest.text()
    info.album = try rest.text()
    info.embeddedThumbnail = try small(&rest)
    info.coverArt = try rest.flag()
    info.motionPhoto = try rest.flag()
    info.mismatch = try mismatch(&rest)
    info.sha256 = try rest.text()
    info.error = try failure(&rest)
    guard rest.bytes.isEmpty else { throw ProtocolViolation("trailing bytes after the facts") }
    return (info, bytesRead)
  }

  private static func small(_ rest: inout FactsReader) throws(ProtocolViolation) -> MediaInfo.EmbeddedThumbnail? {
    let (width, height) = (try rest.number(), try rest.number())
    let (bytes, offset) = (try rest.number(), try rest.number())
    guard let width, let height, let bytes else { return nil }
    return MediaInfo.EmbeddedThumbnail(width: width, height: height, bytes: bytes, offset: offset)
  }

  private static func mismatch(_ rest: inout FactsReader) throws(ProtocolViolation) -> MediaInfo.Mismatch? {
    let declared = try rest.text()
    let by: MediaInfo.Mismatch.Claimant? = try rest.name()
    let kind: MediaInfo.Mismatch.Class? = try rest.name()
    guard let declared, let by, let kind else { return nil }
    return MediaInfo.Mismatch(declared: declared, by: by, class: kind)
  }

  private static func failure(_ rest: inout FactsReader) throws(ProtocolViolation) -> MediaFailure? {
    let (code, message, detail) = (try rest.text(), try rest.text(), try rest.text())
    guard let code, let message else { return nil }
    return MediaFailure(.init(rawValue: code), message, detail: detail)
  }
}

/// Encodes values one after another.
private struct FactsWriter {
  var bytes: [UInt8] = []

  mutating func add(_ number: Int?) {
    bytes.append(number == nil ? 0 : 1)
    if let number { add(word: UInt64(bitPattern: Int64(number))) }
  }

  mutating func add(_ number: Double?) {
    bytes.append(number == nil ? 0 : 1)
    if let number { add(word: number.bitPattern) }
  }

  mutating func add(_ flag: Bool?) { add(flag.map { $0 ? 1 : 0 }) }

  mutating func add(_ text: String?) {
    bytes.append(text == nil ? 0 : 1)
    guard let text else { return }
    add(word: UInt64(text.utf8.count))
    bytes += text.utf8
  }

  private mutating func add(word: UInt64) {
    for shift in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(8 * shift))) }
  }
}

/// Decodes values. Lengths are limited by the remaining bytes.
private struct FactsReader {
  var bytes: ArraySlice<UInt8>

  mutating func number() throws(ProtocolViolation) -> Int? { try word().map { Int(Int64(bitPattern: $0)) } }

  mutating func real() throws(ProtocolViolation) -> Double? { try word().map(Double.init(bitPattern:)) }

  mutating func flag() throws(ProtocolViolation) -> Bool? { try number().map { $0 != 0 } }

  mutating func text() throws(ProtocolViolation) -> String? {
    guard let length = try number() else { return nil }
    guard (0...bytes.count).contains(length) else {
      throw ProtocolViolation("a string extends past the end of the message")
    }
    defer { bytes = bytes.dropFirst(length) }
    return String(decoding: bytes.prefix(length), as: UTF8.self)
  }

  /// A text that is one of the names of an enumeration; a violation for any other.
  mutating func name<Name: RawRepresentable<String>>() throws(ProtocolViolation) -> Name? {
    guard let text = try text() else { return nil }
    guard let name = Name(rawValue: text) else { throw ProtocolViolation("invalid name") }
    return name
  }

  private mutating func word() throws(ProtocolViolation) -> UInt64? {
    guard let isThere = bytes.popFirst(), isThere <= 1 else { throw ProtocolViolation("truncated facts") }
    guard isThere == 1 else { return nil }
    guard bytes.count >= 8 else { throw ProtocolViolation("truncated facts") }
    var word: UInt64 = 0
    for (place, byte) in bytes.prefix(8).enumerated() { word |= UInt64(byte) << UInt64(8 * place) }
    bytes = bytes.dropFirst(8)
    return word
  }
}
