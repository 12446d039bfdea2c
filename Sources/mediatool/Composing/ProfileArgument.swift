internal import ArgumentParser
internal import FileSupport
internal import Foundation
internal import Messaging

/// The carrier profile that `--profile` names: a preset, or a JSON file.
struct ProfileArgument: Sendable {
  let profile: CarrierProfile
  /// The JSON file, which no output may replace; nil for a preset.
  var file: FileIdentity?

  /// For an option's `transform`. A preset's name always means the preset; `./mms-300k` is a file.
  static func parse(_ argument: String) throws -> ProfileArgument {
    if let preset = CarrierProfile.preset(argument) { return ProfileArgument(profile: preset) }
    let presets = CarrierProfile.presets.map(\.name)
    let (profile, file) = try JSONArgument.value(
      CarrierProfile.self, of: argument, called: "profile", presets: presets)
    return ProfileArgument(profile: profile, file: file)
  }

  /// The presets, for a shell.
  static var completion: CompletionKind { .list(CarrierProfile.presets.map(\.name)) }

  static let help = ArgumentHelp(
    """
    Apply this carrier profile: \(CarrierProfile.presets.map(\.name).joined(separator: ", ")), or a JSON file. The presets from \
    text through megapixel are OMA content classes; in the other names k is 1,024 and m is 1,048,576 bytes. (default: mms-300k)
    """,
    valueName: "preset|file")
}
