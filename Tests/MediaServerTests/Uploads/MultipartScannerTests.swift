internal import TestSupport
internal import Testing

@testable internal import MediaServer

@Suite("Multipart forms") struct MultipartScannerTests {
  private typealias Part = (fields: [MultipartScanner.Field], body: [UInt8])

  /// The parts of a body that arrives in pieces of these sizes, used in turn.
  private func parts(
    of body: [UInt8], boundary: String = "b", by sizes: [Int]
  ) throws(MultipartScanner.Failure) -> [Part] {
    var scanner = try MultipartScanner(boundary: boundary)
    var parts: [Part] = []
    var rest = body[...]
    var turn = 0
    while true {
      while let event = try scanner.next() {
        switch event {
        case .part(let fields): parts.append((fields, []))
        case .bytes(let bytes): parts[parts.count - 1].body += bytes
        case .partEnd: break
        case .end: return parts
        }
      }
      if rest.isEmpty { break }
      scanner.add(rest.prefix(sizes[turn % sizes.count]))
      rest = rest.dropFirst(sizes[turn % sizes.count])
      turn += 1
    }
    try scanner.finish()
    return parts
  }

  private func failure(_ body: String, boundary: String = "b") -> MultipartScanner.Failure? {
    do throws(MultipartScanner.Failure) {
      _ = try parts(of: Array(body.utf8), boundary: boundary, by: [7, 1_000])
      return nil
    } catch {
      return error
    }
  }

  @Test("Whatever the bytes and however they arrive, each part is what was written", arguments: 0..<40)
  func roundTrip(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    // Bodies of the bytes that a boundary is made of, so that its beginnings occur everywhere.
    let alphabet: [UInt8] = [0x0d, 0x0a, 0x2d, 0x62, 0x63, 0x00]
    let boundary = ["b", "bb", "b-b", "----WebKitFormBoundary7MA4YWxkTrZu0gW"][random.below(4)]
    let delimiter = Array("\r\n--\(boundary)".utf8)
    for _ in 0..<50 {
      var written: [[UInt8]] = []
      var body: [UInt8] = random.below(2) == 0 ? [] : Array("preamble\r\n".utf8)
      for index in 0..<random.below(5) {
        var bytes: [UInt8] = []
        for _ in 0..<random.below(60) { bytes.append(alphabet[random.below(6)]) }
        // Its content must not contain its boundary (RFC 2046).
        while contains(Array("\r\n".utf8) + bytes + Array("\r\n".utf8), delimiter) { bytes = bytes.dropLast() }
        written.append(bytes)
        body += Array("--\(boundary)\r\nContent-Disposition: form-data; name=\"\(index)\"\r\n\r\n".utf8) + bytes
        body += [0x0d, 0x0a]
      }
      body += Array("--\(boundary)--\r\n".utf8)
      let found = try parts(of: body, boundary: boundary, by: (0..<5).map { _ in 1 + random.below(40) })
      #expect(found.map(\.body) == written)
      #expect(found.allSatisfy { $0.fields.count == 1 && $0.fields[0].name == "content-disposition" })
    }
  }

  @Test("Bytes that are not a form give an error, never a trap and never an endless loop", arguments: 0..<40)
  func noise(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let words = ["--b", "\r\n", "--b--", "\r\n\r\n", "A: b", ":", "\n", "\0", " ", "--", "x", "\r\n--b\r\n"]
    for _ in 0..<200 {
      let text = (0..<random.below(20)).map { _ in words[random.below(words.count)] }.joined()
      _ = try? parts(of: Array(text.utf8), by: [1 + random.below(9)])
    }
  }

  @Test("A part may have neither fields nor bytes")
  func emptyPart() throws {
    let found = try parts(of: Array("--b\r\n\r\n--b\r\n\r\n\r\n--b--".utf8), by: [1])
    #expect(found.map(\.fields) == [[], []])
    #expect(found.map(\.body) == [[], []])
  }

  @Test("More parts, fields or header bytes than allowed are refused, before more is read")
  func bounds() {
    let part = "--b\r\nA: b\r\n\r\nx\r\n"
    #expect(failure(String(repeating: part, count: 32) + "--b--") == nil)
    #expect(failure(String(repeating: part, count: 33) + "--b--") == .tooMuch)
    #expect(failure("--b\r\n" + String(repeating: "A: b\r\n", count: 16) + "\r\n\r\n--b--") == nil)
    #expect(failure("--b\r\n" + String(repeating: "A: b\r\n", count: 17) + "\r\n\r\n--b--") == .tooMuch)
    #expect(failure("--b\r\nA: " + String(repeating: "b", count: 10_000)) == .tooMuch)
    #expect(failure(String(repeating: "preamble", count: 1_025) + "\r\n--b--") == .tooMuch)
    #expect(failure("--b" + String(repeating: " ", count: 100)) == .tooMuch)
  }

  @Test("An endless body is kept nowhere: between two pieces only what may begin a boundary remains")
  func memory() throws {
    var scanner = try MultipartScanner(boundary: "b")
    scanner.add(Array("--b\r\n\r\n".utf8))
    #expect(try scanner.next() == .part([]))
    var bytes = 0
    for _ in 0..<1_000 {
      scanner.add([UInt8](repeating: 0x0d, count: 1_000))
      while case .bytes(let piece) = try scanner.next() { bytes += piece.count }
    }
    #expect(bytes > 1_000_000 - 10)
  }

  @Test(
    "A form that violates the syntax is refused",
    arguments: [
      ("--b\r\n folded: x\r\n\r\n\r\n--b--", MultipartScanner.Failure.malformed),
      ("--b\r\nA : b\r\n\r\n\r\n--b--", .malformed), ("--b\r\nno colon\r\n\r\n\r\n--b--", .malformed),
      ("--b\r\nA: b\nC: d\r\n\r\n\r\n--b--", .malformed), ("--b\r\nA: \0\r\n\r\n\r\n--b--", .malformed),
      ("--bX\r\n\r\n\r\n--b--", .malformed), ("--b\r\n\r\nbytes", .truncated), ("--b\r\nA: b", .truncated),
      ("", .truncated), ("--b\r\n\r\n\r\n--b-", .truncated),
    ])
  func malformed(body: String, expected: MultipartScanner.Failure) { #expect(failure(body) == expected) }

  @Test(
    "A boundary has 1 to 70 characters of the specification",
    arguments: ["", "é", "a\"b", String(repeating: "a", count: 71), "a "])
  func boundary(text: String) { #expect(failure("", boundary: text) == .boundary) }

  private func contains(_ bytes: [UInt8], _ needle: [UInt8]) -> Bool {
    guard bytes.count >= needle.count else { return false }
    return (0...(bytes.count - needle.count)).contains { bytes[$0..<($0 + needle.count)].elementsEqual(needle) }
  }
}
