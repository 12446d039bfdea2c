internal import Crypto
internal import FileSupport
internal import Mail
internal import MediaModel

/// The lines that `mail` prints for a file.
struct MailLines: Sendable {
  enum Format: Sendable {
    case table, json
    /// The text alone.
    case plain
  }

  let format: Format
  let showsText: Bool
  let isBodyStructure: Bool
  let addsDigests: Bool

  /// The lines of a file that was read.
  func lines(of bytes: [UInt8], _ input: Input) throws(Fault) -> [String] {
    let mails = isBodyStructure ? MailInput.bodyStructures(in: bytes) : MailInput.mails(in: bytes)
    var lines: [String] = []
    for (index, mail) in mails.enumerated() {
      let place = MailRecord.Place(path: input.path, number: mails.count > 1 ? index + 1 : nil)
      lines += try self.lines(of: mail, place)
    }
    return lines
  }

  /// The line of a file that cannot be read.
  func lines(of failure: MediaFailure, _ path: PathBytes) throws(Fault) -> [String] {
    switch format {
    case .json: [try JSONLine.text(MailRecord(place: .init(path: path), failure: failure))]
    case .table: MailTable.lines(failure, path)
    case .plain: []
    }
  }

  private func lines(of mail: ArraySlice<UInt8>, _ place: MailRecord.Place) throws(Fault) -> [String] {
    let structure = isBodyStructure ? MailStructure(bodyStructure: mail) : MailInput.structure(of: mail)
    guard showsText else {
      if format == .table { return MailTable.lines(structure, place) }
      var lines = [try JSONLine.text(MailRecord(place: place, structure: structure))]
      // Many parts may be in one container, which is decoded once.
      var container: (position: Int, octets: [UInt8])?
      for position in MailInput.order(structure) {
        var record = MailPartRecord(place: place, part: structure.parts[position])
        if addsDigests, !record.part.isMultipart {
          if let outer = record.part.container, container?.position != outer {
            container = (outer, structure.content(of: outer, in: mail))
          }
          let content =
            record.part.container == nil
            ? structure.content(of: position, in: mail)
            : structure.content(of: position, inContainer: container?.octets ?? [])
          record.sha256 = SHA256.hash(data: content).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
        lines.append(try JSONLine.text(record))
      }
      return lines
    }
    let text = structure.text(of: mail)
    if format == .json { return [try JSONLine.text(MailTextRecord(place: place, text: text))] }
    // What a terminal would act on is made visible; line ends stay.
    return text.text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      format == .table ? DisplayText.visible(String(line)) : String(line)
    }
  }
}
