internal import FileSupport
internal import Mail
internal import MediaModel

/// What `mail` reads: mails, mbox files and the mails of Maildirs.
enum MailInput {
  /// Size in bytes up to which standard input, and a file of BODYSTRUCTURE lines, are kept in memory.
  static let maxBytes = 1 << 30

  /// Size in bytes of a part that is decoded as a whole: for a module, or inside of a container such as `winmail.dat`. As in the service.
  static let maxPartBytes = 50 * 1_048_576

  /// The failure of a part that is larger.
  static let partIsTooLarge = MediaFailure(
    .tooLarge, "The part is larger than the limit of \(HumanNumbers.limit(maxPartBytes)).")

  /// Whether an input is read. A file that the user named is; of a folder, the mails of Maildirs, and files with the names of mails.
  static func isRead(_ input: Input) -> Bool {
    !input.isWalked || hasPathOfMail(input)
  }

  /// Whether a text at this path is a mail or an mbox, even if no signature knows its first field: by its name, or found in a Maildir.
  static func hasPathOfMail(_ input: Input) -> Bool {
    let folder = String(decoding: input.path.folder.lastComponent, as: UTF8.self)
    if input.isWalked, ["cur", "new"].contains(folder) { return true }
    let name = input.path.text.lowercased()
    return [".eml", ".mbox", ".mbx"].contains { name.hasSuffix($0) }
  }

  /// The lines of a file with BODYSTRUCTUREs. A line that ends with `{5}` continues with as many octets (RFC 9051 §4.3).
  static func bodyStructures(in bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    var result: [ArraySlice<UInt8>] = []
    var start = 0
    var offset = 0
    while offset < bytes.count {
      let next = bytes[offset...].firstIndex(of: 0x0A).map { $0 + 1 } ?? bytes.count
      if let count = literal(atEndOf: bytes[offset..<next]) {
        offset = next + min(count, bytes.count - next)
        if offset < bytes.count { continue }
      } else {
        offset = next
      }
      let line = bytes[start..<offset]
      if line.contains(where: { $0 > 0x20 }) { result.append(line) }
      start = offset
    }
    return result
  }

  private static func literal(atEndOf line: ArraySlice<UInt8>) -> Int? {
    guard line.last == 0x0A, let end = line.lastIndex(where: { $0 != 0x0A && $0 != 0x0D }), line[end] == 0x7D,
      let start = line[..<end].suffix(24).lastIndex(of: 0x7B)
    else { return nil }
    let digits = line[(start + 1)..<end].filter { $0 != UInt8(ascii: "+") }
    return Int(String(decoding: digits, as: UTF8.self)).flatMap { $0 >= 0 ? $0 : nil }
  }

  /// The list of a mail, embedded parts included.
  static func structure(of mail: MailStructure.Source) -> MailStructure {
    var structure = MailStructure(source: mail)
    structure.addEmbeddedParts(in: mail)
    return structure
  }

  /// The positions of the parts, embedded ones after their containers.
  static func order(_ structure: MailStructure) -> [Int] {
    var embedded: [Int: [Int]] = [:]
    for (position, part) in structure.parts.enumerated() {
      if let container = part.container { embedded[container, default: []].append(position) }
    }
    var result: [Int] = []
    var left = Array(structure.parts.indices.filter { structure.parts[$0].container == nil }.reversed())
    while let position = left.popLast() {
      result.append(position)
      left += (embedded[position] ?? []).reversed()
    }
    return result
  }

  /// Passes on the decoded bytes of a part of the only mail in a file, piece by piece.
  static func read(
    _ section: String, in file: MailStructure.Source, _ body: ([UInt8]) throws -> Void
  ) throws {
    let mails = file.mails()
    guard mails.count == 1, let mail = mails.first else {
      throw MediaFailure(
        .unsupported, "The file has \(mails.count) e-mails; name a file with one e-mail to read a part.")
    }
    let structure = structure(of: mail)
    guard let position = structure.position(ofSection: section) else {
      let known = structure.parts.prefix(20).map(\.section).joined(separator: ", ")
      throw MediaFailure(.notFound, "The e-mail has no part \(section); it has \(known).")
    }
    var reader = MailStructure.ContentReader(mail)
    guard try reader.read(position, in: structure, maxOctets: maxPartBytes, body) else { throw partIsTooLarge }
  }
}
