internal import ISOBaseMedia
internal import MediaModel

/// An image sequence of HEIF or AVIF: its image track and the alpha of that (ISO/IEC 23008-12 §7).
struct HEIFSequence {
  private(set) var frames = 0
  private(set) var seconds = 0.0
  private(set) var size: PixelSize?
  private(set) var displaySize: PixelSize?
  private(set) var hasAlpha = false
  private(set) var hdr: MediaInfo.HDR?
  private(set) var primaries: MediaInfo.ColorPrimaries?
  /// Number of tracks with images.
  private(set) var imageTracks = 0
  /// The first sample of the image track, as a decoder gets it.
  private(set) var firstImage: HEIFCodedImage?
  /// The first sample of the only track with alpha.
  private(set) var firstAlpha: HEIFCodedImage?
  /// The times for which the first frames are shown.
  private(set) var delays: [Double] = []
  private(set) var tracks = ImageChoice.Tracks()
  private let reader: ByteReader

  init(_ reader: ByteReader, moov: Range<Int>) {
    self.reader = reader
    for track in BoxReader(reader, moov) where track.type == "trak" {
      guard let media = box("mdia", in: track.body), let handler = box("hdlr", in: media) else { continue }
      switch reader.fourCC(handler.lowerBound + 8) {
      case "pict":
        imageTracks += 1
        if frames == 0 { readImages(track.body, media) }
      case "auxv":
        firstAlpha = hasAlpha ? nil : sampleTable(media).flatMap { HEIFCodedImage(firstSampleOf: $0, reader) }
        hasAlpha = true
        if tracks.alpha == 0 { tracks.alpha = number(of: track.body) ?? 0 }
      default: break
      }
    }
  }

  private func box(_ type: FourCC, in range: Range<Int>) -> Range<Int>? { BoxReader(reader, range).first(type)?.body }

  private func sampleTable(_ media: Range<Int>) -> Range<Int>? {
    box("minf", in: media).flatMap { box("stbl", in: $0) }
  }

  private mutating func readImages(_ track: Range<Int>, _ media: Range<Int>) {
    guard let table = sampleTable(media) else { return }
    readSize(track)
    tracks.image = number(of: track) ?? 0
    // The colors refer to the alpha that they are multiplied by.
    tracks.isPremultiplied = box("tref", in: track).map { box("prem", in: $0) != nil } ?? false
    if let sizes = box("stsz", in: table) { frames = sampleCount(sizes) }
    if let times = box("stts", in: table), let head = box("mdhd", in: media) { seconds = duration(times, head) }
    delays = SampleTimes(reader, table: table, limit: min(frames, ShownImage.frameLimit)).delays
    firstImage = HEIFCodedImage(firstSampleOf: table, reader)
    if let description = box("stsd", in: table),
      let entry = BoxReader(reader, description.dropFirst(8)).first(where: { _ in true }),
      // A visual sample entry has 78 bytes before its boxes.
      let color = box("colr", in: entry.body.dropFirst(78)), reader.fourCC(color.lowerBound) == "nclx"
    {
      hdr = reader.u16be(color.lowerBound + 6).flatMap { MediaInfo.HDR(transferCharacteristics: Int($0)) }
      primaries = reader.u16be(color.lowerBound + 4).flatMap { MediaInfo.ColorPrimaries(colorPrimaries: Int($0)) }
    }
  }

  /// The number of a track, behind two times in its header, which are wider in version 1.
  private func number(of track: Range<Int>) -> Int? {
    guard let head = box("tkhd", in: track) else { return nil }
    let isWide = reader.u8(head.lowerBound) == 1
    return reader.u32be(head.lowerBound + (isWide ? 20 : 12)).map { Int($0) }
  }

  /// Width and height stand at the end of the track header as 16.16 fixed-point numbers, behind a matrix of nine numbers.
  private mutating func readSize(_ track: Range<Int>) {
    guard let head = box("tkhd", in: track), head.count >= 84, let width = reader.u32be(head.upperBound - 8),
      let height = reader.u32be(head.upperBound - 4)
    else { return }
    let stored = PixelSize(width: Int(width >> 16), height: Int(height >> 16))
    guard stored.isPositive else { return }
    size = stored
    let matrix = (0..<9).compactMap { reader.u32be(head.upperBound - 44 + 4 * $0).map(Int32.init(bitPattern:)) }
    tracks.orientation = DisplayMatrix(matrix)?.orientation ?? .up
    displaySize = tracks.orientation.displayed(stored)
  }

  /// As many samples as the table really holds, or as fit into the file.
  private func sampleCount(_ table: Range<Int>) -> Int {
    guard let size = reader.u32be(table.lowerBound + 4), let count = reader.u32be(table.lowerBound + 8) else {
      return 0
    }
    let room = size == 0 ? (table.count - 12) / 4 : reader.count / Int(size)
    return max(0, min(Int(count), room))
  }

  private func duration(_ times: Range<Int>, _ head: Range<Int>) -> Double {
    let isWide = reader.u8(head.lowerBound) == 1
    guard let scale = reader.u32be(head.lowerBound + (isWide ? 20 : 12)), scale > 0,
      let count = reader.u32be(times.lowerBound + 4)
    else { return 0 }
    var ticks = 0.0
    for index in 0..<min(Int(count), max(0, times.count - 8) / 8, 65_536) {
      let at = times.lowerBound + 8 + index * 8
      guard let samples = reader.u32be(at), let delta = reader.u32be(at + 4) else { break }
      ticks += Double(samples) * Double(delta)
    }
    return ticks / Double(scale)
  }
}
