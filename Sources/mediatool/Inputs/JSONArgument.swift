internal import ArgumentParser
internal import Foundation

/// A value that an option takes out of a JSON file.
enum JSONArgument {
  /// More than any such value has.
  private static let longest = 1 << 20

  /// The value in the file of that name.
  /// - Parameters:
  ///   - called: What it is: `rules`.
  ///   - presets: The names that could have been given in place of a file.
  static func value<Value: Decodable>(
    _ type: Value.Type, of argument: String, called: String, presets: String
  ) throws -> Value {
    let path = RawPath(RawArguments.bytes(of: argument))
    guard let data = try? contents(of: path) else {
      throw ValidationError("there is neither a file of that name nor a preset; presets are \(presets).")
    }
    do { return try JSONDecoder().decode(type, from: data) } catch let error as DecodingError {
      throw ValidationError("the \(called) in \(DisplayText.visible(path)) cannot be read: \(reason(error)).")
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
