internal import AttachmentPolicy
internal import MediaModel

/// Reasons as sentences.
enum RefusalSentence {
  /// One sentence without its full stop: `beach.mov is 137 MB; the limit is 105 MB (100 MiB)`.
  /// - Parameter name: The file's name: untrusted text, which the caller makes safe for its output.
  static func text(_ reason: Verdict.Reason, name: String) -> String {
    switch reason {
    case .tooManyAttachments(let limit): return "\(name) exceeds the limit of \(counted(limit, "file"))"
    case .fileTooLarge(let limit, let actual):
      let (actual, limit) = HumanNumbers.sizes(actual, limit: limit)
      return "\(name) is \(actual); the limit is \(limit)"
    case .messageTooLarge(let limit, let actual):
      let (actual, limit) = HumanNumbers.sizes(actual, limit: limit)
      return "the message would be \(actual) with \(name); the limit is \(limit)"
    case .duplicate(let original): return "\(name) is a duplicate of \(original)"
    case .kindNotAllowed(let kind): return "\(name) is of kind \(kind.rawValue), which is not allowed"
    case .typeNotAllowed(let type): return "\(name) is \(type), which is not allowed"
    case .typeMismatch(let declared, let actual): return "\(name) is declared as \(declared) but is \(actual)"
    case .tooManyPixels(let limit, let actual):
      return "\(name) has \(grouped(actual)) pixels; the limit is \(grouped(limit))"
    case .tooLong(let limit, let actual):
      return "\(name) is \(HumanNumbers.duration(actual)) long; the limit is \(HumanNumbers.duration(limit))"
    case .empty: return "\(name) is empty"
    case .unreadable(let failure): return "\(name) \(problem(failure))"
    case .attachmentsDisabled: return "attachments are not allowed"
    case .batchRefused: return "\(name) is refused because another file of the selection is refused"
    case .invalidCrop: return "the crop is not inside \(name)"
    case .other(let code): return "\(name) is not allowed: \(code.rawValue)"
    }
  }

  /// A suggestion that would make the rest of the selection acceptable.
  static func text(_ suggestion: Verdict.Suggestion, name: (MediaAttachment.ID) -> String) -> String {
    switch suggestion {
    case .drop(let files):
      let shown = files.prefix(5).map(name).joined(separator: ", ")
      return "remove \(shown)\(files.count > 5 ? " and \(files.count - 5) more" : "")"
    case .shrink(let file, let bytes, let pixels):
      let limits = [bytes.map(HumanNumbers.limit), pixels.map { "\(grouped($0)) pixels" }].compactMap { $0 }
      return "reduce \(name(file)) to at most \(limits.joined(separator: " and "))"
    case .usePreset(let preset): return "use --policy \(preset.rawValue)"
    }
  }

  static func grouped(_ number: Int) -> String { number.grouped }

  /// - Parameter things: The plural; by default `thing` with an s.
  static func counted(_ number: Int, _ thing: String, _ things: String? = nil) -> String {
    "\(number) \(number == 1 ? thing : things ?? thing + "s")"
  }

  private static func problem(_ code: MediaFailure.Code) -> String {
    switch code {
    case .notFound: "does not exist"
    case .accessDenied: "cannot be read: permission denied"
    case .truncated: "is truncated"
    case .corrupt: "is damaged"
    case .timedOut: "took too long to read"
    case .encrypted: "is password-protected"
    case .unsupported: "has an unsupported format"
    case .unrecognized: "has an unknown format"
    case .outOfMemory: "needs too much memory to read"
    case .decoderCrashed: "crashed the decoder"
    default: "cannot be read (\(code.rawValue))"
    }
  }
}
