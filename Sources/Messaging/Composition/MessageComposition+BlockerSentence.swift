internal import MediaModel

extension MessageComposition.Blocker {
  /// The reason with the way out, for users. Without the addresses, which are untrusted text.
  package var sentence: String {
    switch self {
    case .noRecipient: "It has no recipient."
    case .invalidRecipients: "Some recipients are invalid; correct or remove them."
    case .tooManyRecipients(let limit, let actual):
      "The message has \(actual.grouped) recipients; the limit is \(limit.grouped)."
    case .empty: "It has no text, no attachment and no subject."
    case .tooLarge(let limit, let actual): Self.tooLarge(HumanNumbers.sizes(actual, limit: limit))
    case .busy: "Images are still being resized; try again when they are ready."
    }
  }

  private static func tooLarge(_ sizes: (actual: String, limit: String)) -> String {
    "The message is \(sizes.actual); the limit is \(sizes.limit)."
  }
}
