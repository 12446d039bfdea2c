internal import Encodings

/// Finds the files that a text contains as uuencode and yEnc. One pass over the lines: none is read twice.
struct TextFiles {
  struct File {
    var encoding: String
    var name: [UInt8]
    /// From the line `begin` or `=ybegin` to the end of the last line.
    var range: Range<Int>
    var isDamaged = false
    /// Number and total of a file in several mails (yEnc).
    var number: Int?
    var total: Int?
  }

  private enum Open {
    case uuencode(name: [UInt8], start: Int)
    case yEnc(YEncLine, part: YEncLine?, start: Int)
  }

  private(set) var files: [File] = []
  private let octets: [UInt8]

  init(_ octets: [UInt8], maxFiles: Int) {
    self.octets = octets
    var open: Open?
    var offset = 0
    while offset < octets.count, files.count < maxFiles {
      let next = octets[offset...].firstIndex(of: ASCII.lineFeed).map { $0 + 1 } ?? octets.count
      var line = octets[offset..<next]
      while line.last == ASCII.lineFeed || line.last == ASCII.carriageReturn { line = line.dropLast() }
      take(line, at: offset, next: next, &open)
      offset = next
    }
  }

  private mutating func take(_ line: ArraySlice<UInt8>, at offset: Int, next: Int, _ open: inout Open?) {
    if case .yEnc(let begin, let part, let start)? = open {
      guard line.starts(with: "=y".utf8) else { return }
      if let end = YEncLine(line, "=yend") {
        files.append(yEnc(begin, part, end, start..<next))
        open = nil
      } else if let part = YEncLine(line, "=ypart") {
        open = .yEnc(begin, part: part, start: start)
      } else if let begin = YEncLine(line, "=ybegin") {
        open = .yEnc(begin, part: nil, start: offset)
      }
      return
    }
    if case .uuencode(let name, let start)? = open {
      if UULine.isEnd(line) {
        files.append(File(encoding: "x-uuencode", name: name, range: start..<next))
        open = nil
        return
      }
      if UULine.isContent(line) { return }
      // Not uuencode after all; the line may begin something else.
      open = nil
    }
    if let name = UULine.name(line) {
      open = .uuencode(name: Array(name), start: offset)
    } else if let begin = YEncLine(line, "=ybegin") {
      open = .yEnc(begin, part: nil, start: offset)
    }
  }

  /// The file is damaged if its size or checksum is not the stated one.
  private func yEnc(_ begin: YEncLine, _ part: YEncLine?, _ end: YEncLine, _ range: Range<Int>) -> File {
    var file = File(encoding: "x-yencode", name: begin.name ?? [], range: range)
    file.number = begin.number("part")
    file.total = begin.number("total")
    var decoder = YEncDecoder()
    let content = decoder.feed(octets[range])
    // The checksum of a part is `pcrc32`; `crc32` is that of the whole file.
    let checksum = end.hexadecimal(part == nil && begin.number("part") == nil ? "crc32" : "pcrc32")
    let size = end.number("size")
    file.isDamaged = size.map { $0 != content.count } ?? false || checksum.map { $0 != CRC32.of(content) } ?? false
    return file
  }
}

/// A control line of yEnc: a keyword, then `key=value` words, and the name last, because it may contain spaces.
struct YEncLine {
  private var values: [String: ArraySlice<UInt8>] = [:]
  /// The name of the file.
  let name: [UInt8]?

  init?(_ line: ArraySlice<UInt8>, _ keyword: String) {
    guard line.count <= YEncDecoder.maxLine, line.starts(with: keyword.utf8),
      line.dropFirst(keyword.utf8.count).first == ASCII.space
    else { return nil }
    var rest = line.dropFirst(keyword.utf8.count)
    var found: [UInt8]?
    while true {
      rest = rest.drop(while: ASCII.isSpace)
      guard let sign = rest.firstIndex(of: 0x3D) else { break }
      let key = String(decoding: rest[..<sign], as: UTF8.self)
      let value = rest[(sign + 1)...]
      if key == "name" {
        found = value.lastIndex { !ASCII.isSpace($0) }.map { Array(value[...$0]) }
        break
      }
      let word = value.prefix { !ASCII.isSpace($0) }
      values[key] = word
      rest = rest[word.endIndex...]
    }
    name = found
  }

  func number(_ key: String) -> Int? { values[key].flatMap { Int(String(decoding: $0, as: UTF8.self)) } }
  func hexadecimal(_ key: String) -> UInt32? {
    values[key].flatMap { UInt32(String(decoding: $0, as: UTF8.self), radix: 16) }
  }
}
