internal import ArgumentParser
internal import FileSupport
internal import Foundation
internal import Glibc
internal import MediaModel

/// Reads the value of an option from a JSON file.
enum JSONArgument {
  /// Maximum size in bytes, more than any valid file has.
  private static let longest = 1 << 20

  /// Reads the value from a file.
  /// - Parameters:
  ///   - called: The noun for messages, for example `policy`.
  ///   - presets: The names that are possible instead of a file, for messages.
  /// - Returns: The value, and the file, which no output may replace.
  static func value<Value: Decodable>(
    _ type: Value.Type, of argument: String, called: String, presets: [String]
  ) throws -> (value: Value, file: FileIdentity?) {
    let path = PathBytes(RawArguments.bytes(of: argument))
    // Does not wait for the writer of a FIFO; a folder can be opened, and fails when it is read.
    let descriptor = path.hasNUL ? -1 : path.withCString { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    guard descriptor >= 0 else {
      if !path.hasNUL, errno != ENOENT { throw unreadable(called, path, String(cString: strerror(errno))) }
      throw ValidationError(
        "neither a preset nor an existing file; presets are \(presets.joined(separator: ", "))."
          + Suggestion.sentence(for: argument, among: presets))
    }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    let file = (try? FileStatus(descriptor: descriptor))?.identity
    let data: Data
    do { data = try handle.read(upToCount: longest + 1) ?? Data() } catch {
      throw unreadable(called, path, "not a regular file")
    }
    guard data.count <= longest else {
      throw unreadable(called, path, "it is larger than the limit of \(HumanNumbers.limit(longest))")
    }
    do { return (try JSONDecoder().decode(type, from: data), file) } catch let error as DecodingError {
      throw unreadable(called, path, reason(error))
    }
  }

  private static func unreadable(_ called: String, _ path: PathBytes, _ reason: String) -> ValidationError {
    ValidationError("the \(called) file \(DisplayText.visible(path)) cannot be read: \(reason).")
  }

  /// The error with its position. The file is untrusted, so its text is made safe to display.
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
