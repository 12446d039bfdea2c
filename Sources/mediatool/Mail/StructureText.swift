internal import Mail
internal import MediaModel

/// The structure of a mail in one line: `(mixed text/plain [message text/html] image/png)`.
enum StructureText {
  /// Types of the parts, with multiparts in parentheses and messages in brackets. Embedded parts are not part of it.
  static func text(_ structure: MailStructure) -> String {
    var result = ""
    // The open containers, with what closes them.
    var open: [(position: Int, end: Character)] = []
    for (position, part) in structure.parts.enumerated() where part.container == nil {
      while let last = open.last, last.position != part.parent { result.append(open.removeLast().end) }
      if position > 0 { result += " " }
      if part.isMultipart {
        result += "(" + part.type.rawValue.dropFirst("multipart/".count)
        open.append((position, ")"))
      } else if structure.parts[(position + 1)...].first?.parent == position, part.message != nil {
        result += "[message"
        open.append((position, "]"))
      } else {
        result += part.type.rawValue
      }
    }
    while let last = open.popLast() { result.append(last.end) }
    return result
  }
}
