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
  let addsDigests: Bool

  /// The lines for all mails of a file. An mbox has several, which are numbered.
  func lines(of file: MailStructure.Source, _ input: Input) throws(Fault) -> [String] {
    let mails = file.mails()
    var lines: [String] = []
    for (index, mail) in mails.enumerated() {
      let place = MailRecord.Place(path: input.path, number: mails.count > 1 ? index + 1 : nil)
      let structure = MailInput.structure(of: mail)
      lines += try showsText ? textLines(structure.text(of: mail), place) : self.lines(of: structure, place, mail)
    }
    return lines
  }

  /// The lines of a file with BODYSTRUCTUREs.
  func lines(ofBodyStructures bytes: [UInt8], _ input: Input) throws(Fault) -> [String] {
    let found = MailInput.bodyStructures(in: bytes)
    var lines: [String] = []
    for (index, line) in found.enumerated() {
      let place = MailRecord.Place(path: input.path, number: found.count > 1 ? index + 1 : nil)
      lines += try self.lines(of: MailStructure(bodyStructure: line), place)
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

  /// - Parameter mail: Where the bodies of the parts are; nil without.
  private func lines(
    of structure: MailStructure, _ place: MailRecord.Place, _ mail: MailStructure.Source? = nil
  ) throws(Fault) -> [String] {
    if format == .table { return MailTable.lines(structure, place) }
    var lines = [try JSONLine.text(MailRecord(place: place, structure: structure))]
    var reader = addsDigests ? mail.map { MailStructure.ContentReader($0) } : nil
    for position in MailInput.order(structure) {
      var record = MailPartRecord(place: place, part: structure.parts[position])
      if !record.part.isMultipart, reader != nil {
        var digest = SHA256()
        let isRead = reader?.read(position, in: structure, maxOctets: MailInput.maxPartBytes) {
          digest.update(data: $0)
        }
        if isRead == true {
          record.sha256 = Hexadecimal.encode(digest.finalize())
        } else {
          record.failure = MailInput.partIsTooLarge
        }
      }
      lines.append(try JSONLine.text(record))
    }
    return lines
  }

  private func textLines(_ text: MailText, _ place: MailRecord.Place) throws(Fault) -> [String] {
    if format == .json { return [try JSONLine.text(MailTextRecord(place: place, text: text))] }
    // What a terminal would act on is made visible; line ends stay.
    return text.text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      format == .table ? DisplayText.visible(String(line)) : String(line)
    }
  }
}
