extension Verdict {
  /// A change that would make a selection fit.
  public enum Suggestion: Hashable, Sendable {
    /// Remove these files, the smallest set without which the others are accepted.
    case drop([MediaAttachment.ID])
    /// Reduce this image to at most this many bytes and, where pixels exceed a limit, this many pixels.
    case shrink(MediaAttachment.ID, maxBytes: Int?, maxPixels: Int?)
    /// Use this preset: it accepts the selection together with the draft.
    case usePreset(AttachmentRules.Preset)
  }
}

/// `{"action":"drop","files":[…]}`, `{"action":"shrink","file":…,"maxBytes":…}`, `{"action":"usePreset","preset":…}`.
extension Verdict.Suggestion: Codable {
  private enum CodingKeys: CodingKey { case action, files, file, maxBytes, maxPixels, preset }

  /// Reads the keys that belong to `action`. An action of a newer version is an error.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    switch try values.decode(String.self, forKey: .action) {
    case "drop": self = .drop(try values.decode([MediaAttachment.ID].self, forKey: .files))
    case "shrink":
      self = .shrink(
        try values.decode(MediaAttachment.ID.self, forKey: .file),
        maxBytes: try values.decodeIfPresent(Int.self, forKey: .maxBytes),
        maxPixels: try values.decodeIfPresent(Int.self, forKey: .maxPixels))
    case "usePreset": self = .usePreset(try values.decode(AttachmentRules.Preset.self, forKey: .preset))
    case let action:
      throw DecodingError.dataCorruptedError(
        forKey: .action, in: values, debugDescription: "unknown action '\(action)'")
    }
  }

  /// Writes `action` and the keys that belong to it; a limit that is nil has no key.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .drop(let files):
      try values.encode("drop", forKey: .action)
      try values.encode(files, forKey: .files)
    case .shrink(let file, let maxBytes, let maxPixels):
      try values.encode("shrink", forKey: .action)
      try values.encode(file, forKey: .file)
      try values.encodeIfPresent(maxBytes, forKey: .maxBytes)
      try values.encodeIfPresent(maxPixels, forKey: .maxPixels)
    case .usePreset(let preset):
      try values.encode("usePreset", forKey: .action)
      try values.encode(preset, forKey: .preset)
    }
  }
}
