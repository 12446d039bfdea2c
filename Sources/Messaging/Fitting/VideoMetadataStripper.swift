/// A video's or an audio file's file without its metadata, images and audio untouched to the bit: no place, no date, no camera, no names, no tags,
/// and no tracks but images and audio.
///
/// For files of the ISO base media family (ISO/IEC 14496-12, QuickTime): MP4, QuickTime, 3GPP. They are blanked in place: what goes becomes a `free`
/// box of zeros, and so do the bytes between samples, so that the length and every offset in the file stay (docs/decisions/0058).
/// Looks at the file's structure alone. Linear in its length; what is not built as the standards say gives nil, and has to be encoded anew.
/// What stands between the images of H.264 and H.265 as user data, a dashcam's places among it, becomes filling. What other codecs have in their streams stays.
public enum VideoMetadataStripper {
  /// The file without metadata, as long as before; nil where only a new container will do: it is of another family, not whole, contradicts
  /// itself, is encrypted, or holds neither images nor audio.
  public static func bytes(of file: [UInt8]) -> [UInt8]? {
    var video = MovieFile(file)
    do throws(MovieFile.Malformed) { try video.blank() } catch { return nil }
    return video.bare
  }
}

extension MovieFile {
  /// Of the whole file: what is seen and heard, and its index.
  mutating func blank() throws(Malformed) {
    let boxes = try keep(["ftyp", "moov", "mdat", "styp", "sidx", "moof", "mfra"], in: 0..<file.count)
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
    for (samples, units) in claimed { try blankSEI(in: samples, units) }
  }

  /// ISO/IEC 14496-12, 8.2.1. Gives the tracks that stay.
  private mutating func movie(_ movie: MovieBox) throws(Malformed) -> [Int: MovieTrack] {
    let boxes = try keep(["mvhd", "trak", "mvex", "iods"], in: movie.body)
    _ = try withoutTimes(try one("mvhd", of: boxes))
    var tracks: [(box: MovieBox, kind: TrackKind)] = []
    for box in boxes where box.type == "trak" { tracks.append((box, try kind(of: box))) }
    for track in tracks where !track.kind.stays { try blank(track.box) }
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
    /// Images that are files, each with metadata of its own: small ones beside a video (drones), or Motion JPEG.
    case stills
    /// Positions, texts, chapters, time codes.
    case other

    var stays: Bool { self == .video || self == .audio }
  }

  private func kind(of track: MovieBox) throws(Malformed) -> TrackKind {
    let media = try children(of: try one("mdia", of: try children(of: track.body)).body)
    switch try name(try one("hdlr", of: media).body, 8) {
    case "soun": return .audio
    case "vide":
      let tables = try one("stbl", of: try children(of: try one("minf", of: media).body))
      let entries = try behind(8, try one("stsd", of: try children(of: tables.body)).body)
      let stills = ["jpeg", "mjpa", "mjpb", "MJPG", "dmb1", "png ", "tiff", "gif "]
      return try children(of: entries).contains { stills.contains($0.type) } ? .stills : .video
    default: return .other
    }
  }

  private func number(of track: MovieBox) throws(Malformed) -> Int {
    let header = try one("tkhd", of: try children(of: track.body)).body
    return try number(header, try number(header, 0, 1) == 1 ? 20 : 12, 4)
  }

  private mutating func track(
    _ track: MovieBox, isImage: Bool, among tracks: Set<Int>
  ) throws(Malformed) -> NALUnits? {
    let boxes = try keep(["tkhd", "mdia", "edts", "tref", "tapt"], in: track.body)
    try withoutTimes(try one("tkhd", of: boxes))
    for box in boxes {
      switch box.type {
      case "edts": _ = try keep(["elst"], in: box.body)
      case "tapt": _ = try keep(["clef", "prof", "enof"], in: box.body)
      // A reference to a track that is gone is an error to players.
      case "tref":
        for box in try children(of: box.body) where try !refers(box, to: tracks) { try blank(box) }
      default: break
      }
    }
    return try media(try one("mdia", of: boxes), isImage: isImage)
  }

  private func refers(_ reference: MovieBox, to tracks: Set<Int>) throws(Malformed) -> Bool {
    guard reference.isWhole, !reference.body.isEmpty, reference.body.count % 4 == 0 else { return false }
    for at in stride(from: 0, to: reference.body.count, by: 4) {
      if !tracks.contains(try number(reference.body, at, 4)) { return false }
    }
    return true
  }

  private mutating func media(_ media: MovieBox, isImage: Bool) throws(Malformed) -> NALUnits? {
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

  /// Samples that are in this very file, and no path of any other.
  private mutating func references(_ references: MovieBox) throws(Malformed) {
    for box in try children(of: try behind(8, references.body)) {
      guard box.isWhole, try number(box.body, 3, 1) & 1 == 1 else { throw Malformed() }
      zero(try behind(4, box.body))
    }
  }

  /// Dates of creation and change of `mvhd`, `tkhd` or `mdhd`.
  private mutating func withoutTimes(_ header: MovieBox) throws(Malformed) {
    switch try number(header.body, 0, 1) {
    case 0: zero(try part(header.body, 4, 8))
    case 1: zero(try part(header.body, 4, 16))
    default: throw Malformed()
    }
  }

  /// The maker and the name of a handler.
  private mutating func withoutName(_ handler: MovieBox) throws(Malformed) { zero(try behind(12, handler.body)) }
}
