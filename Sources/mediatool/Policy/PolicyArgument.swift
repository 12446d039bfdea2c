internal import ArgumentParser
internal import AttachmentPolicy
internal import Foundation

/// The rules that `--policy` names: a preset, or a JSON file.
struct PolicyArgument: Sendable {
  let rules: AttachmentRules

  /// More than any rules have.
  private static let longest = 1 << 20

  /// For an option's `transform`. A preset's name is never taken for a file; `./mattermost` is one.
  static func parse(_ argument: String) throws -> PolicyArgument {
    if let preset = Preset(rawValue: argument) { return PolicyArgument(rules: preset.rules) }
    let path = RawPath(RawArguments.bytes(of: argument))
    guard let data = try? contents(of: path) else {
      let presets = Preset.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("there is neither a file of that name nor a preset; presets are \(presets).")
    }
    do {
      return PolicyArgument(rules: try JSONDecoder().decode(AttachmentRules.self, from: data))
    } catch let error as DecodingError {
      throw ValidationError("the rules in \(DisplayText.visible(path)) cannot be read: \(reason(error)).")
    }
  }

  private static func contents(of path: RawPath) throws -> Data {
    let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path.text))
    let data = try handle.read(upToCount: longest + 1) ?? Data()
    guard data.count <= longest else { throw ValidationError("it is too long.") }
    return data
  }

  /// What is wrong, and where; the file is a stranger's, so it is shown as one.
  private static func reason(_ error: DecodingError) -> String {
    let context =
      switch error {
      case .dataCorrupted(let context), .keyNotFound(_, let context), .typeMismatch(_, let context),
        .valueNotFound(_, let context):
        context
      @unknown default: DecodingError.Context(codingPath: [], debugDescription: "\(error)")
      }
    let place = context.codingPath.map(\.stringValue).joined(separator: ".")
    let text = context.debugDescription.trimmingCharacters(in: CharacterSet(charactersIn: "."))
    return DisplayText.visible(place.isEmpty ? text : "\(place): \(text)")
  }
}

extension PolicyArgument {
  static let help = ArgumentHelp(
    "Rules: \(Preset.allCases.map(\.rawValue).joined(separator: ", ")), or a JSON file. (default: photo-tray)",
    valueName: "preset|file")
}
