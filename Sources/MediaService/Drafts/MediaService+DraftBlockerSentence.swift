internal import MediaModel

extension MediaService.DraftAnswer.Blocker {
  /// The reason with the way out, for users. A code of another version has no sentence of its own.
  var sentence: String {
    let sizes = HumanNumbers.sizes(actual ?? 0, limit: limit ?? 0)
    let (limit, actual) = ((limit ?? 0).grouped, (actual ?? 0).grouped)
    return switch code {
    case "empty": "It has neither text nor attachments."
    case "uploading": "Files are still being uploaded; try again when they have arrived."
    case "failed": "Some uploads have failed; retry them, or remove the files."
    case "textTooLong": "The text has \(actual) characters; the limit is \(limit)."
    case "messageTooLarge": "Text and files are \(sizes.actual); the limit is \(sizes.limit)."
    case "tooManyAttachments": "It has \(actual) attachments; the limit is \(limit)."
    case "attachmentsDisabled": "Attachments are not allowed; remove them."
    case "blocked": "Some attachments were blocked by a moderator, or are no longer yours; remove them."
    default: "The draft has the blocker \(code)."
    }
  }
}
