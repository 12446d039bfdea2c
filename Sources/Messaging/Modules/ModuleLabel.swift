/// The accessibility label of a file, in English.
enum ModuleLabel {
  /// `Video beach.mp4, 1 minute 5 seconds`, `Contact anna.vcf, 1.2 kB, damaged`.
  static func text(for module: MessageModule) -> String {
    let noun =
      switch module.kind {
      case .text: "Text"
      case .image: "Image"
      case .video: "Video"
      case .audio: "Audio"
      case .contact: "Contact"
      case .calendar: "Calendar"
      case .other: module.isWholeMessage ? "Message" : "File"
      }
    var parts = [module.showsName ? module.filename.map { "\(noun) \($0)" } ?? noun : noun]
    if module.kind == .video || module.kind == .audio {
      if let duration = module.duration { parts.append(length(duration)) }
    } else if module.kind != .image, let size = module.size {
      parts.append(size)
    }
    switch module.state {
    case .ready: break
    case .placeholder: parts.append("no preview")
    case .corrupted: parts.append("damaged")
    case .tooLarge: parts.append("too large to show")
    case .notDownloaded: parts.append("not downloaded")
    }
    return parts.joined(separator: ", ")
  }

  /// Spells out a duration: `1 hour 2 minutes 1 second`. Less than a second counts as 1.
  static func length(_ seconds: Double) -> String {
    // Clamped so that the conversion cannot trap.
    let whole = max(1, Int(min(seconds, 1e9).rounded()))
    let units = [(whole / 3600, "hour"), (whole / 60 % 60, "minute"), (whole % 60, "second")]
    return units.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)\($0.0 == 1 ? "" : "s")" }.joined(separator: " ")
  }
}
