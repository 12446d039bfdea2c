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
      for position in MailInput.order(structure) {
        lines.append(try JSONLine.text(MailPartRecord(place: place, part: structure.parts[position])))
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
