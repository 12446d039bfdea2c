/// A header value with parameters, such as `form-data; name="file"; filename*=UTF-8''na%C3%AFve.txt` (RFC 6266, RFC 8187).
struct HeaderParameters: Hashable {
  /// The part before the first parameter, in lower case.
  let value: String
  /// The parameters by their names in lower case; of a repeated one the first.
  let parameters: [String: String]

  init(_ field: String) {
    var rest = Array(field.utf8)[...]
    value = String(decoding: Self.trimmed(Self.take(&rest, until: UInt8(ascii: ";"))), as: UTF8.self).lowercased()
    var parameters: [String: String] = [:]
    while !rest.isEmpty {
      let name = String(decoding: Self.trimmed(Self.take(&rest, until: UInt8(ascii: "="))), as: UTF8.self).lowercased()
      let text = Self.value(&rest)
      if !name.isEmpty, parameters[name] == nil { parameters[name] = String(decoding: text, as: UTF8.self) }
    }
    self.parameters = parameters
  }

  /// The file name: that of `filename*`, or else of `filename`; nil without one.
  var fileName: String? {
    if let extended = parameters["filename*"], let name = Self.decoded(extended) { return name }
    return parameters["filename"]
  }

  /// Removes bytes up to a separator, and the separator.
  private static func take(_ rest: inout ArraySlice<UInt8>, until separator: UInt8) -> ArraySlice<UInt8> {
    let end = rest.firstIndex(of: separator) ?? rest.endIndex
    defer { rest = rest[min(end + 1, rest.endIndex)...] }
    return rest[..<end]
  }

  /// Removes the value of a parameter: a token, or a quoted string.
  private static func value(_ rest: inout ArraySlice<UInt8>) -> [UInt8] {
    rest = rest.drop { $0 == 0x20 || $0 == 0x09 }
    guard rest.first == UInt8(ascii: "\"") else { return Array(trimmed(take(&rest, until: UInt8(ascii: ";")))) }
    rest = rest.dropFirst()
    var text: [UInt8] = []
    while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
      // Browsers write a quotation mark as %22 and a backslash as itself; only these two are escaped.
      if byte == UInt8(ascii: "\\"), let next = rest.first, next == UInt8(ascii: "\"") || next == byte {
        text.append(next)
        rest = rest.dropFirst()
      } else {
        text.append(byte)
      }
    }
    _ = take(&rest, until: UInt8(ascii: ";"))
    return text
  }

  private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var bytes = bytes.drop { $0 == 0x20 || $0 == 0x09 }
    while bytes.last == 0x20 || bytes.last == 0x09 { bytes = bytes.dropLast() }
    return bytes
  }

  /// A value of RFC 8187 in UTF-8; nil for another charset, or for bytes that are not UTF-8.
  private static func decoded(_ text: String) -> String? {
    let parts = text.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].lowercased() == "utf-8" else { return nil }
    var bytes: [UInt8] = []
    var rest = Array(parts[2].utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard rest.count >= 2, let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else {
        return nil
      }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
