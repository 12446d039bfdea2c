internal import ISOBaseMedia

/// Removes the metadata of a video or audio file: location, dates, camera, names, tags, and every track that is neither video nor audio. Both
/// streams stay bit-identical.
///
/// Takes files of the ISO base media family (ISO/IEC 14496-12, QuickTime File Format): MP4, QuickTime, 3GPP, fragmented or not. The copy is as long
/// as the file, and every offset in it stays: a removed box becomes a `free` box of zeros, and bytes between samples become zeros
/// (docs/decisions/0058). In H.264 and H.265, SEI messages of unregistered user data, where dashcams write locations, become filler payload
/// (ITU-T H.264 and H.265, annex D). What other codecs have in their streams stays.
///
/// Reads the structure and decodes nothing. Pure, without files or global state, linear in the length of the file.
public enum VideoMetadataStripper {
  /// The file without metadata, as long as before; nil where it needs a new container: it is of another family, cut, contradicts itself, is
  /// encrypted, or has neither video nor audio.
  ///
  /// Stripping a stripped file gives the same bytes; so does stripping a file without metadata.
  /// - Parameter file: The whole file.
  public static func strip(_ file: [UInt8]) -> [UInt8]? {
    var video = MovieFile(file)
    do throws(MovieFile.Malformed) { try video.overwrite() } catch { return nil }
    return video.stripped
  }

  /// What ``strip(_:)`` changes, for a file that is not read into memory. Reads the structure, and of H.264 and H.265 the lengths of all units.
  /// - Parameters:
  ///   - count: The size of the file.
  ///   - read: Reads up to so many bytes at an offset; fewer only at the end of the file.
  /// - Returns: Nil as ``strip(_:)``, and if more than ``StrippingPlan/maxFills`` ranges change.
  package static func plan(
    count: Int, read: @escaping (_ offset: Int, _ count: Int) throws -> [UInt8]
  ) throws -> StrippingPlan? {
    let reader = MovieReader(count: count, read: read)
    var video = MovieFile(reader)
    var isWhole = true
    do throws(MovieFile.Malformed) { try video.overwrite() } catch { isWhole = false }
    if let failure = reader.failure, !(failure is MovieFile.Malformed) { throw failure }
    return isWhole && reader.failure == nil ? video.plan?.plan() : nil
  }
}

extension MovieFile {
  /// Keeps the media data and its index, and overwrites all other boxes of the file.
  mutating func overwrite() throws(Malformed) {
    let boxes = try keep(["ftyp", "moov", "mdat", "styp", "sidx", "moof", "mfra"], in: 0..<count)
    media = boxes.filter { $0.type == "mdat" }.map(\.body)
    unclaimed = media.reduce(0) { $0 + $1.count }
    for range in media { zero(range) }
    let tracks = try movie(try one("moov", of: boxes))
    for box in boxes {
      switch box.type {
      case "moof": try fragment(box, of: tracks)
      case "mfra": _ = try keep(["tfra", "mfro"], in: box.body)
      default: break
      }
    }
    for (samples, units) in claimed { try overwriteSEI(in: samples, units) }
  }

  /// Strips a movie box (ISO/IEC 14496-12, 8.2.1) and returns the tracks to keep.
  mutating func movie(_ movie: Box) throws(Malformed) -> [Int: MovieTrack] {
    let boxes = try keep(["mvhd", "trak", "mvex", "iods"], in: movie.body)
    _ = try withoutTimes(try one("mvhd", of: boxes))
    var tracks: [(box: Box, kind: TrackKind)] = []
    for box in boxes where box.type == "trak" { tracks.append((box, try kind(of: box))) }
    for track in tracks where !track.kind.stays { try overwrite(track.box) }
    let hasStills = tracks.contains { $0.kind == .stills }
    tracks.removeAll { !$0.kind.stays }
    guard !tracks.isEmpty, !hasStills || tracks.contains(where: { $0.kind == .video }) else { throw Malformed() }
    var staying: [Int: MovieTrack] = [:]
    for track in tracks {
      guard staying.updateValue(MovieTrack(), forKey: try number(of: track.box)) == nil else { throw Malformed() }
    }
    for box in boxes where box.type == "mvex" {
      for box in try keep(["mehd", "trex"], in: box.body) where box.type == "trex" {
        let track = try number(box.body, 4, 4)
        staying[track]?.sampleSize = try number(box.body, 16, 4)
      }
    }
    let numbers = Set(staying.keys)
    for track in tracks {
      staying[try number(of: track.box)]?.units = try self.track(
        track.box, isImage: track.kind == .video, among: numbers)
    }
    return staying
  }

  private enum TrackKind {
    case video, audio
    /// Still images with metadata of their own: thumbnails next to a video (drones), or Motion JPEG.
    case stills
    /// Locations, texts, chapters, timecodes.
    case other

    var stays: Bool { self == .video || self == .audio }
  }

  private func kind(of track: Box) throws(Malformed) -> TrackKind {
    let boxes = try children(of: track.body)
    if isSequence {
      // The thumbnails of another track of images may show what was cut off.
      for references in boxes where references.type == "tref" {
        if try children(of: references.body).contains(where: { $0.type == "thmb" }) { return .other }
      }
    }
    let media = try children(of: try one("mdia", of: boxes).body)
    let images: [FourCC] = isSequence ? ["vide", "pict", "auxv"] : ["vide"]
    let handler = try name(try one("hdlr", of: media).body, 8)
    switch handler {
    case "soun": return .audio
    case _ where images.contains(handler):
      let tables = try one("stbl", of: try children(of: try one("minf", of: media).body))
      let entries = try behind(8, try one("stsd", of: try children(of: tables.body)).body)
      let stills: [FourCC] = ["jpeg", "mjpa", "mjpb", "MJPG", "dmb1", "png ", "tiff", "gif "]
      return try children(of: entries).contains { stills.contains($0.type) } ? .stills : .video
    default: return .other
    }
  }

  private func number(of track: Box) throws(Malformed) -> Int {
    let header = try one("tkhd", of: try children(of: track.body)).body
    return try number(header, try number(header, 0, 1) == 1 ? 20 : 12, 4)
  }

  private mutating func track(
    _ track: Box, isImage: Bool, among tracks: Set<Int>
  ) throws(Malformed) -> NALUnits? {
    let boxes = try keep(["tkhd", "mdia", "edts", "tref", "tapt"], in: track.body)
    try withoutTimes(try one("tkhd", of: boxes))
    for box in boxes {
      switch box.type {
      case "edts": _ = try keep(["elst"], in: box.body)
      case "tapt": _ = try keep(["clef", "prof", "enof"], in: box.body)
      // A reference to a removed track is an error to players.
      case "tref":
        for box in try children(of: box.body) where try !refers(box, to: tracks) { try overwrite(box) }
      default: break
      }
    }
    return try media(try one("mdia", of: boxes), isImage: isImage)
  }

  private func refers(_ reference: Box, to tracks: Set<Int>) throws(Malformed) -> Bool {
    guard reference.isWhole, !reference.body.isEmpty, reference.body.count % 4 == 0 else { return false }
    for at in stride(from: 0, to: reference.body.count, by: 4) {
      if !tracks.contains(try number(reference.body, at, 4)) { return false }
    }
    return true
  }

  private mutating func media(_ media: Box, isImage: Bool) throws(Malformed) -> NALUnits? {
    let boxes = try keep(["mdhd", "hdlr", "elng", "minf"], in: media.body)
    try withoutTimes(try one("mdhd", of: boxes))
    try withoutName(try one("hdlr", of: boxes))
    let information = try keep(["vmhd", "smhd", "hdlr", "dinf", "stbl"], in: try one("minf", of: boxes).body)
    for box in information {
      switch box.type {
      case "hdlr": try withoutName(box)
      case "dinf":
        for box in try keep(["dref"], in: box.body) { try references(box) }
      default: break
      }
    }
    return try samples(try one("stbl", of: information), isImage: isImage)
  }

  /// Requires that samples are in this file, and refuses references to others.
  private mutating func references(_ references: Box) throws(Malformed) {
    for box in try children(of: try behind(8, references.body)) {
      guard box.isWhole, try number(box.body, 3, 1) & 1 == 1 else { throw Malformed() }
      zero(try behind(4, box.body))
    }
  }

  /// Clears the creation and modification times of `mvhd`, `tkhd` or `mdhd`.
  private mutating func withoutTimes(_ header: Box) throws(Malformed) {
    switch try number(header.body, 0, 1) {
    case 0: zero(try part(header.body, 4, 8))
    case 1: zero(try part(header.body, 4, 16))
    default: throw Malformed()
    }
  }

  /// Clears the vendor and the name of a handler.
  private mutating func withoutName(_ handler: Box) throws(Malformed) { zero(try behind(12, handler.body)) }
}
