internal import CLibAV

/// Metadata tags of a file or a stream, with lower-case keys and sanitised values.
package struct AVTags {
  /// Maximum number of tags to read per file.
  private static let limit = 512

  private var values: [String: String] = [:]

  /// Tags with lower-case keys and sanitised values.
  init(_ values: [String: String]) { self.values = values }

  init(_ dictionary: OpaquePointer?) {
    var entry: UnsafeMutablePointer<AVDictionaryEntry>?
    for _ in 0..<Self.limit {
      entry = av_dict_get(dictionary, "", entry, AV_DICT_IGNORE_SUFFIX)
      guard let found = entry else { return }
      guard let key = Self.text(found.pointee.key), let value = Self.text(found.pointee.value) else { continue }
      if values[key.lowercased()] == nil { values[key.lowercased()] = value }
    }
  }

  /// The value of the first of these keys that is present.
  package subscript(names: String...) -> String? {
    for name in names { if let value = values[name] { return value } }
    return nil
  }

  /// Adds the tags of `other` whose keys are absent here.
  package func merging(_ other: AVTags) -> AVTags {
    var result = self
    result.values.merge(other.values) { mine, _ in mine }
    return result
  }

  private static func text(_ pointer: UnsafeMutablePointer<CChar>?) -> String? {
    guard let pointer else { return nil }
    var bytes: [UInt8] = []
    while bytes.count < TagTextSanitiser.length * 8, pointer[bytes.count] != 0 {
      bytes.append(UInt8(bitPattern: pointer[bytes.count]))
    }
    return TagTextSanitiser.clean(bytes)
  }
}
