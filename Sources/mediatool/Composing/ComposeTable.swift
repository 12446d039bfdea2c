internal import AttachmentPolicy
internal import FileSupport
internal import Foundation
internal import MediaModel
internal import Messaging

/// What `compose` prints on a terminal: how it changed each file.
enum ComposeTable {
  static let columns: [Table.Column] = [
    Table.Column(title: "FILE", width: 16...40, keepsEnd: true), Table.Column(title: "FROM", width: 25, priority: 2),
    Table.Column(title: "TO", width: 25, priority: 1),
    Table.Column(title: "SIMILAR", width: 7, priority: 3, alignsRight: true),
  ]

  /// One row for each file that was changed or cannot be read.
  static func rows(_ record: ComposeRecord) -> [Table.Row] {
    let failed = record.failures.map { path, error in
      Table.Row(
        cells: [Table.Cell(path: path), Table.Cell(nil), Table.Cell(nil), Table.Cell(nil)],
        notes: [Table.Cell(error.map { "\($0.code.rawValue): \($0.message)" }, .problem)])
    }
    return failed
      + (record.plan?.changes ?? []).map { change in
        let seen = change.similarity.map { String(format: "%.1f %%", $0 * 100) }
        let how = change.effects.map(word) + (change.quality.map { ["quality \($0)"] } ?? [])
        return Table.Row(
          cells: [
            Table.Cell(path: record.path(of: change.id)), Table.Cell(file(change.from)), Table.Cell(file(change.to)),
            Table.Cell(seen),
          ], notes: [Table.Cell(how.joined(separator: ", "), .quiet)])
      }
  }

  private static func file(_ file: MessageFit.Plan.Change.File) -> String {
    let name = file.type.preferredExtension ?? file.type.rawValue
    let size = file.width.flatMap { width in file.height.map { " " + HumanNumbers.dimensions(width, $0) } } ?? ""
    return "\(name)\(size) \(HumanNumbers.size(file.bytes))"
  }

  /// What was done.
  static func word(_ effect: MessageFit.Plan.Change.Effect) -> String {
    switch effect {
    case .stripped: "metadata removed"
    case .recoded: "re-encoded"
    case .resized: "resized"
    case .cropped: "cropped"
    case .flattened: "transparency removed"
    case .firstFrame: "one frame only"
    case .preview: "embedded preview"
    case .transcoded: "transcoded"
    case .cut: "shortened"
    }
  }

  /// Notes on the whole message, one per line.
  static func summary(_ record: ComposeRecord) -> [String] {
    guard record.failures.isEmpty else { return ["The message was not composed: the files above cannot be read."] }
    var lines: [String] = []
    if record.type == .sms {
      let count = record.composition.segments(under: record.profile).count
      let people = record.composition.sendList.count
      lines.append(
        "SMS: \(RefusalSentence.counted(count, "segment")) to \(RefusalSentence.counted(people, "recipient"))")
    } else {
      let reasons = record.composition.typeReasons(under: record.profile).map(\.code).joined(separator: ", ")
      let (size, limit) = (HumanNumbers.size(record.bytes), HumanNumbers.limit(record.profile.maxMessageBytes))
      lines.append("MMS (\(reasons)): \(size) of at most \(limit), profile \(record.profile.name)")
    }
    lines += problems(record)
    if let written = record.written { lines.append("Written: \(written.path.text)") }
    return lines
  }

  /// Files that could not be changed, and why the message cannot be sent, a line each.
  static func problems(_ record: ComposeRecord) -> [String] {
    // Only for a message that can be sent.
    let kept = record.plan?.failures ?? [:]
    let lines = kept.keys.sorted { $0.rawValue < $1.rawValue }.map { id in
      let name = String(decoding: record.path(of: id).lastComponent, as: UTF8.self)
      let isStripped = record.plan?.withoutMetadata.contains(id) ?? false
      return
        "\(name) was not re-encoded; its metadata was \(isStripped ? "removed" : "kept"). \(kept[id]?.message ?? "")"
    }
    return lines + record.blockers.map { "The message cannot be sent: \(sentence($0, record))" }
  }

  private static func sentence(_ blocker: ComposeRecord.Blocker, _ record: ComposeRecord) -> String {
    let (limit, actual) = (blocker.limit ?? 0, blocker.actual ?? 0)
    switch blocker.code {
    case "noRecipient": return "it has no recipient; add one with --to"
    case "invalidRecipients":
      return "invalid recipients: \((blocker.addresses ?? []).joined(separator: ", ")); correct or remove them"
    case "tooManyRecipients":
      return "it has \(actual) recipients; the limit is \(RefusalSentence.counted(limit, "recipient"))"
    case "empty": return "it has no text and no files; add --text or a file"
    case "subjectTooLong": return "the subject has \(actual) characters; the limit is \(limit)"
    case "tooManyAttachments": return "it has \(actual) files; the limit is \(limit)"
    case "cannotFit": return cannotFit(blocker, profile: record.profile.name)
    case "metadata":
      let names = blocker.remove.map { String(decoding: $0.lastComponent, as: UTF8.self) }.joined(separator: ", ")
      return
        "the metadata of \(names) cannot be removed, or is refused by --metadata refuse; remove the files, or use --metadata keep"
    default: return blocker.code
    }
  }

  private static func cannotFit(_ blocker: ComposeRecord.Blocker, profile: String) -> String {
    let (actual, limit) = HumanNumbers.sizes(blocker.actual ?? 0, limit: blocker.limit ?? 0)
    var text = "it is at least \(actual); the limit is \(limit)"
    func names(_ paths: [PathBytes]) -> String {
      paths.map { String(decoding: $0.lastComponent, as: UTF8.self) }.joined(separator: ", ")
    }
    if !blocker.unsupported.isEmpty { text = "the profile \(profile) does not support \(names(blocker.unsupported))" }
    if !blocker.remove.isEmpty { text += ". To make it fit, remove \(names(blocker.remove))" }
    if let excess = blocker.textExcess {
      text += ". The text alone exceeds the limit by \(HumanNumbers.size(excess))"
    }
    return text
  }
}
