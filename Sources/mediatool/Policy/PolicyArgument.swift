internal import ArgumentParser
internal import AttachmentPolicy
internal import FileSupport

/// The policy that `--policy` names: a preset, or a JSON file.
struct PolicyArgument: Sendable {
  let rules: AttachmentRules
  /// The JSON file, which no output may replace; nil for a preset.
  var file: FileIdentity?

  /// For an option's `transform`. A preset's name always means the preset; `./mattermost` is a file.
  static func parse(_ argument: String) throws -> PolicyArgument {
    if let preset = AttachmentRules.Preset(rawValue: argument) { return PolicyArgument(rules: preset.rules) }
    let presets = AttachmentRules.Preset.allCases.map(\.rawValue)
    let (rules, file) = try JSONArgument.value(
      AttachmentRules.self, of: argument, called: "policy", presets: presets)
    return PolicyArgument(rules: rules, file: file)
  }
}

extension PolicyArgument {
  /// The presets, for a shell.
  static var completion: CompletionKind { .list(AttachmentRules.Preset.allCases.map(\.rawValue)) }

  static let help = ArgumentHelp(
    """
    Apply these rules: \(AttachmentRules.Preset.allCases.map(\.rawValue).joined(separator: ", ")), or a JSON file. In these \
    names k is 1,024 and m is 1,048,576 bytes. (default: photo-tray)
    """,
    valueName: "preset|file")
}
