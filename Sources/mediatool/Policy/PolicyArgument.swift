internal import ArgumentParser
internal import AttachmentPolicy

/// The policy that `--policy` names: a preset, or a JSON file.
struct PolicyArgument: Sendable {
  let rules: AttachmentRules

  /// For an option's `transform`. A preset's name always means the preset; `./mattermost` is a file.
  static func parse(_ argument: String) throws -> PolicyArgument {
    if let preset = AttachmentRules.Preset(rawValue: argument) { return PolicyArgument(rules: preset.rules) }
    let presets = AttachmentRules.Preset.allCases.map(\.rawValue)
    return PolicyArgument(
      rules: try JSONArgument.value(AttachmentRules.self, of: argument, called: "policy", presets: presets))
  }
}

extension PolicyArgument {
  static let help = ArgumentHelp(
    """
    Apply these rules: \(AttachmentRules.Preset.allCases.map(\.rawValue).joined(separator: ", ")), or a JSON file. In these \
    names k is 1,024 and m is 1,048,576 bytes. (default: photo-tray)
    """,
    valueName: "preset|file")
}
