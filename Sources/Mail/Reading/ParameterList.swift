internal import Encodings

/// A value with parameters, as in `Content-Type` and `Content-Disposition` (RFC 2045 §5.1, RFC 2231).
struct ParameterList {
  /// The value before the first parameter, in lower case.
  let value: String
  /// The parameters, names in lower case, values decoded. The first of several with one name counts.
  let parameters: [String: String]
  /// The boundary as the octets that delimiter lines have; two if it has spaces, but no quotes. Delimiters then have either all of it, or the token before
  /// the space (RFC 2045 §5.1), which a comment may follow.
  let boundaries: [[UInt8]]

  init(_ field: [UInt8]) {
    var scanner = ParameterScanner(field)
    value = scanner.value()
    var collected = ParameterPieces()
    var token: ArraySlice<UInt8>?
    while let (name, octets) = scanner.parameter() {
      if name == "boundary", token == nil, !scanner.isQuoted { token = octets.prefix { !ASCII.isSpace($0) } }
      collected.add(name, octets)
    }
    parameters = collected.decoded()
    let boundary = collected.octets(of: "boundary").flatMap(Self.withoutSpaceAtEnd)
    if let boundary, let token, !token.isEmpty, token.count < boundary.count, boundary.starts(with: token) {
      boundaries = [boundary, Array(token)]
    } else {
      boundaries = boundary.map { [$0] } ?? []
    }
  }

  /// A boundary, which does not end with white space (RFC 2046 §5.1.1); nil if nothing is left.
  private static func withoutSpaceAtEnd(_ boundary: [UInt8]) -> [UInt8]? {
    boundary.lastIndex { !ASCII.isSpace($0) }.map { Array(boundary[...$0]) }
  }
}

/// Parameters whose values may be in pieces (RFC 2231 §3).
struct ParameterPieces {
  private struct Piece {
    let index: Int
    let isExtended: Bool
    let octets: [UInt8]
  }
  private var plain: [String: [UInt8]] = [:]
  private var pieces: [String: [Piece]] = [:]

  /// Adds a parameter as it is written: `name`, `name*`, `name*0` or `name*0*`.
  mutating func add(_ name: String, _ octets: [UInt8]) {
    let words = name.split(separator: "*", omittingEmptySubsequences: false)
    guard let base = words.first, words.count > 1 else {
      if plain[name] == nil { plain[name] = octets }
      return
    }
    let isExtended = words.last?.isEmpty == true
    // `name*` is the only piece of its value.
    let index = words.count == 2 && isExtended ? 0 : Int(words[1]) ?? Int.max
    pieces[String(base), default: []].append(Piece(index: index, isExtended: isExtended, octets: octets))
  }

  /// The values as text. One in pieces replaces a plain one, which is there for older readers.
  ///
  /// Encoded words are not allowed in parameters (RFC 2047 §5), but many senders use them in names, and `=?` may be in any other value.
  func decoded() -> [String: String] {
    var result: [String: String] = [:]
    for (name, octets) in plain { result[name] = Self.text(octets, of: name) }
    for (name, pieces) in pieces {
      let joined = Self.joined(pieces)
      result[name] =
        if let charset = joined.charset {
          charset.mailText(joined.octets[...])
        } else if joined.isExtended {
          Charset.mailText(undeclared: joined.octets[...])
        } else {
          Self.text(joined.octets, of: name)
        }
    }
    return result
  }

  private static func text(_ octets: [UInt8], of name: String) -> String {
    name == "name" || name == "filename"
      ? EncodedWords.mailText(octets[...]) : Charset.mailText(undeclared: octets[...])
  }

  /// The octets of a value, before its charset is decoded.
  func octets(of name: String) -> [UInt8]? { pieces[name].map { Self.joined($0).octets } ?? plain[name] }

  private static func joined(_ pieces: [Piece]) -> (octets: [UInt8], charset: Charset?, isExtended: Bool) {
    // Stable, so that the first of two pieces with one number counts.
    let sorted = pieces.enumerated().sorted { ($0.element.index, $0.offset) < ($1.element.index, $1.offset) }
    var octets: [UInt8] = []
    var charset: Charset?
    var isExtended = false
    var last = -1
    for (_, piece) in sorted where piece.index != last {
      var part = piece.octets[...]
      if piece.isExtended {
        // `charset'language'text` in the first piece (RFC 2231 §4).
        if last == -1, let first = part.firstIndex(of: 0x27), let second = part[(first + 1)...].firstIndex(of: 0x27) {
          charset = Charset(name: String(decoding: part[..<first], as: UTF8.self))
          part = part[(second + 1)...]
        }
        isExtended = true
        octets += PercentEncoding.decoded(part)
      } else {
        octets += part
      }
      last = piece.index
    }
    return (octets, charset, isExtended)
  }
}
