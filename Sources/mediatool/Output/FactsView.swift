internal import Foundation
internal import MediaModel

/// What `probe` shows of one file alone: a line for each fact.
enum FactsView {
  /// Names and facts, in the order of interest; what the file does not state is absent.
  static func facts(_ record: ProbeRecord) -> [(name: String, text: Table.Cell)] {
    var facts: [(name: String, text: Table.Cell)] = [("File", Table.Cell(path: record.path, .heading))]
    func add(_ name: String, _ text: String?) { if let text, !text.isEmpty { facts.append((name, Table.Cell(text))) } }
    for problem in ProbeTable.problems(record) { facts.append(("Problem", problem)) }
    guard let info = record.info else { return facts }
    add("Type", "\(info.type) (\(info.kind.rawValue))")
    add(
      "Size",
      info.bytes < 1_000
        ? HumanNumbers.size(info.bytes) : "\(HumanNumbers.size(info.bytes)) (\(info.bytes.grouped) bytes)")
    add("Dimensions", info.displaySize.map(dimensions))
    add("Duration", info.duration.map(HumanNumbers.duration))
    add("Frames", info.frames.flatMap { $0 > 1 ? $0.grouped : nil })
    add("Pages", info.pages.map(\.grouped))
    add("Tracks", info.tracks.map(\.grouped))
    add("Video", video(info))
    add("Audio", audio(info))
    add("Bit rate", info.bitRate.map { "\(HumanNumbers.size(max(0, $0)).dropLast(1))bit/s" })
    add("Taken", info.takenAt.map { time in moment(time) + (info.takenAtSource.map { " (\($0.rawValue))" } ?? "") })
    add("Location", place(info))
    add("Camera", ProbeTable.camera(info))
    add("Title", info.title)
    add("Artist", info.artist)
    add("Album", info.album)
    add(
      "Color",
      [info.colorProfile, info.hdr?.rawValue, info.colorPrimaries?.rawValue].compactMap { $0 }.joined(separator: ", "))
    add("Alpha", info.alpha == true ? "yes" : nil)
    add("Rotation", turned(info))
    add("Thumbnail", info.embeddedThumbnail.map { "embedded, " + HumanNumbers.dimensions($0.width, $0.height) })
    add("Cover art", info.coverArt == true ? "yes" : nil)
    add("Motion photo", info.motionPhoto == true ? "yes" : nil)
    add("SHA-256", info.sha256)
    return facts
  }

  private static func dimensions(_ size: PixelSize) -> String {
    let pixels = Double(size.width) * Double(size.height) / 1_000_000
    return HumanNumbers.dimensions(size.width, size.height)
      + (pixels < 0.1 ? "" : String(format: " (%.1f megapixels)", pixels))
  }

  private static func video(_ info: MediaInfo) -> String? {
    guard let codec = info.videoCodec else { return nil }
    return [codec, info.frameRate.map { number($0, " frames/s") }].compactMap { $0 }.joined(separator: ", ")
  }

  private static func audio(_ info: MediaInfo) -> String? {
    guard let codec = info.audioCodec else { return nil }
    let channels = info.channels.map { $0 == 1 ? "mono" : $0 == 2 ? "stereo" : "\($0) channels" }
    let rate = info.sampleRate.map { number(Double($0) / 1_000, " kHz") }
    return [codec, channels, rate].compactMap { $0 }.joined(separator: ", ")
  }

  private static func place(_ info: MediaInfo) -> String? {
    guard let latitude = info.latitude, let longitude = info.longitude else { return nil }
    let altitude = info.altitude.map { number($0.rounded(), " m") }
    return [String(format: "%.5f, %.5f", latitude, longitude), altitude].compactMap { $0 }.joined(separator: ", ")
  }

  /// `2024-06-30 12:00:03 +02:00`.
  private static func moment(_ time: MediaInfo.CaptureTime) -> String {
    let (second, zone) = (HumanNumbers.second(time), time.description.dropFirst(19))
    return zone.isEmpty ? second : "\(second) \(zone == "Z" ? "UTC" : zone)"
  }

  private static func turned(_ info: MediaInfo) -> String? {
    if let rotation = info.rotation { return "\(rotation)° clockwise" }
    guard let orientation = info.orientation, orientation.rawValue != 1 else { return nil }
    return "EXIF orientation \(orientation.rawValue)"
  }

  /// A number with two digits behind its point at most, and its unit.
  private static func number(_ value: Double, _ unit: String) -> String {
    let text = String(format: "%.2f", value)
    let end = text.reversed().drop { $0 == "0" }.drop { $0 == "." }
    return (text.contains(".") ? String(end.reversed()) : text) + unit
  }
}
