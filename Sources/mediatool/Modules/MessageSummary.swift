internal import Mail
internal import MediaModel
internal import Messaging

/// The lines above the modules of a message: sender, subject, date and result.
struct MessageSummary {
  /// Names and texts, in display order.
  let lines: [(name: String, text: String)]

  init(_ shown: ShownMessage) {
    var lines: [(String, String)] = []
    func add(_ name: String, _ text: String?) { if let text, !text.isEmpty { lines.append((name, text)) } }
    guard let message = shown.message else {
      let header = shown.mail?.header
      add("From", header?.from.joined(separator: ", "))
      add("To", header?.to.joined(separator: ", "))
      add("Cc", header?.cc.joined(separator: ", "))
      add("Subject", header?.subject)
      add("Date", header?.date)
      self.lines = lines
      return
    }
    let headers = MessageHeaders(message)
    add("From", headers.from)
    add("To", headers.to?.joined(separator: ", "))
    add("Cc", headers.cc?.joined(separator: ", "))
    add("Bcc", headers.bcc?.joined(separator: ", "))
    add("Subject", headers.subject)
    add("Date", headers.date.map(Self.moment))
    add("Size", headers.messageSize.map { HumanNumbers.size($0) })
    add("Expires", headers.expires.map(Self.moment))
    add("Expires in", headers.expiresAfter.map(Self.span))
    add("Result", headers.responseStatus ?? headers.retrieveStatus ?? headers.storeStatus)
    add("Result", headers.responseText ?? headers.retrieveText)
    add("Status", headers.status ?? headers.readStatus)
    add("Status", headers.statusText)
    self.lines = lines
  }

  /// The text of the first line with a name, such as `Status`; nil if there is none.
  func text(_ name: String) -> String? { lines.first { $0.name == name }?.text }

  /// `2024-05-01 05:52 UTC`: independent of the reader's time zone.
  private static func moment(_ time: MediaInfo.CaptureTime) -> String {
    HumanNumbers.minute(time) + " UTC"
  }

  /// `3 days`, `5 hours`: rounded down, so as not to promise too much.
  static func span(_ seconds: Int) -> String {
    for (length, unit) in [(86_400, "day"), (3_600, "hour"), (60, "minute")] where seconds >= length {
      return RefusalSentence.counted(seconds / length, unit)
    }
    return RefusalSentence.counted(max(0, seconds), "second")
  }
}
