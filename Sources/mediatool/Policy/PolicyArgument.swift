internal import ArgumentParser
internal import AttachmentPolicy
internal import Foundation
internal import Glibc

/// The rules that `--policy` names: a preset, or a JSON file.
struct PolicyArgument: Sendable {
  let rules: AttachmentRules

  /// More than any rules have.
  private static let longest = 1 << 20

  /// For an option's `transform`. A preset's name is never taken for a file; `./mattermost` is one.
  static func parse(_ argument: String) throws -> PolicyArgument {
    if let preset = Preset(rawValue: argument) { return PolicyArgument(rules: preset.rules) }
    let path = RawPath(RawArguments.bytes(of: argument))
    let data = try contents(of: path)
    do {
      return PolicyArgument(rules: try JSONDecoder().decode(AttachmentRules.self, from: data))
    } catch let error as DecodingError {
      throw unreadable(path, reason(error))
    }
  }

  private static func contents(of path: RawPath) throws(ValidationError) -> Data {
    // Not waiting for the other end of a pipe; a folder opens, and is refused when it is read.
    let descriptor = path.hasNUL ? -1 : path.withCString { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    guard descriptor >= 0 else {
      if !path.hasNUL, errno != ENOENT { throw unreadable(path, String(cString: strerror(errno))) }
      let presets = Preset.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("there is neither a file of that name nor a preset; presets are \(presets).")
    }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    let data: Data
    do { data = try handle.read(upToCount: longest + 1) ?? Data() } catch { throw unreadable(path, "no file of text") }
    guard data.count <= longest else { throw unreadable(path, "it is longer than any rules") }
    return data
  }

  private static func unreadable(_ path: RawPath, _ reason: String) -> ValidationError {
    ValidationError("the rules in \(DisplayText.visible(path)) cannot be read: \(reason).")
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
