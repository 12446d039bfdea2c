internal import CLibAV

/// Tags of a file or of one stream: names in lower case, values clean.
package struct AVTags {
  /// Tags of one file that are looked at.
  private static let limit = 512

  private var values: [String: String] = [:]

  init(_ dictionary: OpaquePointer?) {
    var entry: UnsafeMutablePointer<AVDictionaryEntry>?
    for _ in 0..<Self.limit {
      entry = av_dict_get(dictionary, "", entry, AV_DICT_IGNORE_SUFFIX)
      guard let found = entry else { return }
      guard let key = Self.text(found.pointee.key), let value = Self.text(found.pointee.value) else { continue }
      if values[key.lowercased()] == nil { values[key.lowercased()] = value }
    }
  }

  /// The value of the first of these names that has one.
  package subscript(names: String...) -> String? {
    for name in names { if let value = values[name] { return value } }
    return nil
  }

  /// These tags, and those of `other` where these have none.
  package func merging(_ other: AVTags) -> AVTags {
    var result = self
    result.values.merge(other.values) { mine, _ in mine }
    return result
  }

  private static func text(_ pointer: UnsafeMutablePointer<CChar>?) -> String? {
    guard let pointer else { return nil }
    var bytes: [UInt8] = []
    while bytes.count < TagText.length * 8, pointer[bytes.count] != 0 {
      bytes.append(UInt8(bitPattern: pointer[bytes.count]))
    }
    return TagText.clean(bytes)
  }
}
