internal import Encodings

/// A property of a vCard or calendar, with the lines that continue it.
struct DirectoryProperty {
  /// As in the file, with the end of its last line.
  let octets: ArraySlice<UInt8>
  /// The name with its group, such as `item1.ADR`.
  let fullName: ArraySlice<UInt8>
  /// The name in upper case, without its group.
  let name: String
  /// The group in lower case, such as `item1`; nil without one.
  var group: String? {
    fullName.lastIndex(of: UInt8(ascii: ".")).map { String(decoding: fullName[..<$0], as: UTF8.self).lowercased() }
  }
  /// The parameters, each without its semicolon.
  let parameters: [ArraySlice<UInt8>]
  /// What follows the colon. Folded lines are joined, except for quoted-printable text.
  let value: ArraySlice<UInt8>

  /// Whether a line that continues quoted-printable text is a property to readers that do not know the encoding.
  let hasLineOfProperty: Bool

  /// Reads a property from the start of `rest`, and removes it from there. A line is one; so are the lines that continue it: those that begin with
  /// white space, those after a soft line break of quoted-printable, and in version 2.1 those of base64.
  init(_ rest: inout ArraySlice<UInt8>) {
    let all = rest
    var end = Self.lineEnd(all, from: all.startIndex)
    // The parameters may be folded, too.
    while let next = Self.foldedEnd(all, from: end) { end = next }
    let parameters = Self.header(Self.unfolded(all[..<end])[...]).parameters
    let isQuoted = parameters.contains(where: Self.statesQuotedPrintable)
    let isBase64 = parameters.contains(where: Self.statesBase64)
    var hasLineOfProperty = false
    while end < all.endIndex {
      if let next = Self.foldedEnd(all, from: end) {
        end = next
        continue
      }
      let next = Self.lineEnd(all, from: end)
      let line = Self.content(all[end..<next])
      let hasColon = line.contains(UInt8(ascii: ":"))
      let isSoft = isQuoted && Self.content(all[..<end]).last == UInt8(ascii: "=")
      let isData = isBase64 && !line.isEmpty && !hasColon
      guard isSoft || isData else { break }
      if hasColon { hasLineOfProperty = true }
      end = next
    }
    octets = all[..<end]
    rest = all[end...]
    let whole = Self.header(Self.unfolded(octets, keepingSoftBreaks: isQuoted)[...])
    fullName = whole.name
    let plain =
      whole.name.lastIndex(of: UInt8(ascii: ".")).map { whole.name[whole.name.index(after: $0)...] } ?? whole.name
    name = String(decoding: plain, as: UTF8.self).uppercased()
    self.parameters = whole.parameters
    value = whole.value
    self.hasLineOfProperty = hasLineOfProperty
  }

  /// Whether it is an empty line.
  var isBlank: Bool { fullName.isEmpty && value.isEmpty && parameters.isEmpty }

  /// Whether the value is in base64.
  var isBase64: Bool { parameters.contains(where: Self.statesBase64) }

  /// Whether the value is in quoted-printable.
  var isQuotedPrintable: Bool { parameters.contains(where: Self.statesQuotedPrintable) }

  /// The value in one line, if it is in quoted-printable.
  var withoutSoftBreaks: [UInt8] {
    var joined: [UInt8] = []
    var at = value.startIndex
    while at < value.endIndex {
      let end = Self.lineEnd(value, from: at)
      joined += Self.content(value[at..<end])
      if end < value.endIndex, joined.last == UInt8(ascii: "=") { joined.removeLast() }
      at = end
    }
    return joined
  }

  /// The value as a program reads it: without quoted-printable, and without the backslashes of escaped characters.
  var decodedValue: ArraySlice<UInt8> {
    let text = isQuotedPrintable ? TransferEncoding.quotedPrintable.decoded(value)[...] : value
    return text.contains(UInt8(ascii: "\\")) ? text.filter { $0 != UInt8(ascii: "\\") }[...] : text
  }

  /// Whether the value is not written as it is.
  var isEncoded: Bool { isBase64 || isQuotedPrintable }

  /// Whether the value is a `data:` URL.
  var isData: Bool { begins(with: ["data:"]) }

  /// Whether the value begins with one of these words, given in lower case, in any case.
  func begins(with words: [String]) -> Bool {
    words.contains { word in
      String(decoding: value.prefix(word.utf8.count), as: UTF8.self).lowercased() == word
    }
  }

  /// Whether a parameter states base64: `ENCODING=b`, `ENCODING="B"`, and in version 2.1 `BASE64`.
  private static func statesBase64(_ parameter: ArraySlice<UInt8>) -> Bool {
    ["BASE64", "ENCODING=BASE64", "ENCODING=B"].contains(plain(parameter))
  }

  /// Whether a parameter states quoted-printable: `ENCODING=QUOTED-PRINTABLE`, and in version 2.1 `QUOTED-PRINTABLE`.
  private static func statesQuotedPrintable(_ parameter: ArraySlice<UInt8>) -> Bool {
    plain(parameter).hasSuffix("QUOTED-PRINTABLE")
  }

  /// A parameter in upper case, without quotation marks and white space, which tolerant readers skip.
  private static func plain(_ parameter: ArraySlice<UInt8>) -> String {
    String(decoding: parameter.filter { ![0x22, 0x20, 0x09, 0x0D, 0x0A].contains($0) }, as: UTF8.self).uppercased()
  }

  /// Whether the value is this word, in any case.
  func hasValue(_ word: String) -> Bool {
    String(decoding: value, as: UTF8.self).split(separator: " ").joined().uppercased() == word
  }

  /// The text before a character, in upper case; nil if the character is not there.
  static func word(_ text: ArraySlice<UInt8>, until character: Unicode.Scalar) -> String? {
    text.firstIndex(of: UInt8(ascii: character)).map { String(decoding: text[..<$0], as: UTF8.self).uppercased() }
  }

  private static func lineEnd(_ text: ArraySlice<UInt8>, from start: Int) -> Int {
    text[start...].firstIndex(of: 0x0A).map { $0 + 1 } ?? text.endIndex
  }

  /// A line without its end.
  private static func content(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var line = line
    if line.last == 0x0A { line.removeLast() }
    if line.last == 0x0D { line.removeLast() }
    return line
  }

  /// The end of the line that begins at `start`, if it is a folded one; nil otherwise.
  private static func foldedEnd(_ text: ArraySlice<UInt8>, from start: Int) -> Int? {
    guard start < text.endIndex, text[start] == 0x20 || text[start] == 0x09 else { return nil }
    return lineEnd(text, from: start)
  }

  /// The lines joined, without the white space that begins each but the first. What follows a soft line break of quoted-printable stays a line.
  private static func unfolded(_ lines: ArraySlice<UInt8>, keepingSoftBreaks: Bool = false) -> [UInt8] {
    var joined: [UInt8] = []
    var at = lines.startIndex
    while at < lines.endIndex {
      let end = lineEnd(lines, from: at)
      let line = content(lines[at..<end])
      if keepingSoftBreaks, joined.last == UInt8(ascii: "=") {
        joined += [0x0D, 0x0A] + line
      } else {
        joined += at > lines.startIndex && (line.first == 0x20 || line.first == 0x09) ? line.dropFirst() : line
      }
      at = end
    }
    return joined
  }

  /// Name, parameters and value. Within quotation marks, semicolons and colons are text.
  private static func header(
    _ line: ArraySlice<UInt8>
  ) -> (name: ArraySlice<UInt8>, parameters: [ArraySlice<UInt8>], value: ArraySlice<UInt8>) {
    var pieces: [ArraySlice<UInt8>] = []
    var start = line.startIndex
    var inQuotes = false
    for index in line.indices {
      switch line[index] {
      case UInt8(ascii: "\""): inQuotes.toggle()
      case UInt8(ascii: ";") where !inQuotes:
        pieces.append(line[start..<index])
        start = index + 1
      case UInt8(ascii: ":") where !inQuotes:
        pieces.append(line[start..<index])
        return (pieces.first ?? [], Array(pieces.dropFirst()), line[(index + 1)...])
      default: break
      }
    }
    return (content(line), [], [])
  }
}

/// Base64 in lines of a vCard.
enum Base64Text {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// The text without white space, and without the padding at its end.
  static func unfolded(_ text: ArraySlice<UInt8>) -> [UInt8] {
    var text = text.filter { ![0x20, 0x09, 0x0D, 0x0A].contains($0) }
    while text.last == UInt8(ascii: "=") { text.removeLast() }
    return text
  }

  /// The text in lines of 74 characters, each after the first begun by a space.
  static func encoded(_ bytes: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    var width = 0
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let chunk = bytes[start..<Swift.min(start + 3, bytes.count)]
      let bits = chunk.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - chunk.count))
      for index in 0..<4 {
        if width == 74 {
          text += Array("\r\n ".utf8)
          width = 0
        }
        text.append(index <= chunk.count ? alphabet[bits >> (18 - 6 * index) & 63] : UInt8(ascii: "="))
        width += 1
      }
    }
    return text
  }
}
