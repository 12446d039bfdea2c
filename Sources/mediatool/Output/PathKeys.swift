internal import FileSupport
internal import Foundation

/// Encodes a path as text, and in addition as bytes if it is not valid UTF-8 (docs/design.md §3).
struct PathKeys: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }
  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }

  /// Encodes `path` under a key, and its bytes in base64 under `…Bytes` if it is not valid UTF-8.
  static func encode(_ path: PathBytes, as name: String, to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: PathKeys.self)
    try container.encode(path.text, forKey: PathKeys(stringValue: name))
    if !path.isUTF8 {
      try container.encode(Data(path.bytes).base64EncodedString(), forKey: PathKeys(stringValue: name + "Bytes"))
    }
  }
}
