internal import Mail
internal import MediaModel
internal import TestSupport
internal import Testing

/// The two sources of a list agree: a mail, and the `BODYSTRUCTURE` that a server makes of it.
@Suite struct RoundTripTests {
  private static let names = ["a.pdf", "Räksmörgås.doc", "日本語.png", "semi;colon \"q\\.txt", "with space.txt"]

  private func randomPart(_ generator: inout SeededGenerator, depth: Int) -> String {
    let kind = depth > 4 ? 3 : generator.below(6)
    switch kind {
    case 0, 1:
      let boundary = "b\(generator.next())"
      let subtype = ["mixed", "alternative", "related"][generator.below(3)]
      let parts = (0...generator.below(3)).map { _ in
        "--\(boundary)\r\n" + randomPart(&generator, depth: depth + 1) + "\r\n"
      }
      return "Content-Type: multipart/\(subtype); boundary=\(boundary)\r\n\r\n\(parts.joined())--\(boundary)--"
    case 2:
      return "Content-Type: message/rfc822\r\n\r\nSubject: s\(generator.below(9))\r\n"
        + randomPart(&generator, depth: depth + 1)
    default:
      let type = [
        "text/plain; charset=utf-8", "text/html", "image/png", "application/pdf", "text/calendar; method=REQUEST",
      ][generator.below(5)]
      let name = Self.names[generator.below(Self.names.count)].replacing("\\", with: "\\\\").replacing(
        "\"", with: "\\\"")
      let disposition = [
        "", "Content-Disposition: inline\r\n", "Content-Disposition: attachment; filename=\"\(name)\"\r\n",
      ][generator.below(3)]
      let lines = (0..<generator.below(4)).map { "line \($0)\r\n" }.joined()
      return "Content-Type: \(type)\r\nContent-ID: <c\(generator.below(5))@x>\r\n\(disposition)\r\n\(lines)end"
    }
  }

  private func quoted(_ text: String?) -> String {
    text.map { "\"\($0.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\"" } ?? "NIL"
  }

  private func list(_ parameters: [String: String]) -> String {
    parameters.isEmpty
      ? "NIL"
      : "(\(parameters.sorted { $0.key < $1.key }.map { "\(quoted($0.key)) \(quoted($0.value))" }.joined(separator: " ")))"
  }

  /// What a server sends (RFC 9051 §7.5.2). The mails are not deep.
  private func line(_ structure: MailStructure, _ position: Int) -> String {
    let part = structure.parts[position]
    let children = structure.parts.indices.filter { structure.parts[$0].parent == position }.map { line(structure, $0) }
    let words = part.type.rawValue.split(separator: "/").map { quoted(String($0).uppercased()) }
    let file = part.name.map { ["filename": $0] } ?? [:]
    let disposition = part.disposition.map { "(\(quoted($0)) \(list(file)))" } ?? "NIL"
    if part.isMultipart { return "(\(children.joined()) \(words[1]) \(list(part.parameters)) \(disposition) NIL NIL)" }
    var fields =
      words + [list(part.parameters), quoted(part.contentID.map { "<\($0)>" }), "NIL", "\"7BIT\"", String(part.octets)]
    if let message = part.message {
      fields += ["(NIL \(quoted(message.subject)) NIL NIL NIL NIL NIL NIL NIL NIL)", children.joined()]
    }
    if let lines = part.lines { fields.append(String(lines)) }
    return "(\((fields + ["NIL", disposition, "NIL", "NIL"]).joined(separator: " ")))"
  }

  @Test func `A mail and its body structure have one list`() {
    var generator = SeededGenerator(seed: 1_866)
    for _ in 0..<300 {
      let bytes = Array(randomPart(&generator, depth: 0).utf8)
      let mail = MailStructure(message: bytes)
      var remote = MailStructure(bodyStructure: Array(line(mail, 0).utf8))
      // No text names a picture.
      for message in [nil] + remote.parts.indices.map(Optional.some)
      where message.map({ remote.parts[$0].message != nil }) ?? true {
        remote.resolveInlinePictures(contentIDs: [], inMessage: message)
      }
      #expect(remote.outline == mail.outline)
      #expect(remote.roles == mail.roles)
      #expect(remote.parts.map(\.parent) == mail.parts.map(\.parent))
      #expect(remote.parts.map(\.name) == mail.parts.map(\.name))
      #expect(remote.parts.map(\.contentID) == mail.parts.map(\.contentID))
      #expect(remote.parts.map(\.lines) == mail.parts.map(\.lines))
      #expect(remote.parts.map(\.message?.subject) == mail.parts.map(\.message?.subject))
      #expect(
        remote.parts.filter { !$0.isMultipart }.map(\.decodedSize)
          == mail.parts.filter { !$0.isMultipart }.map(\.decodedSize))
    }
  }
}
