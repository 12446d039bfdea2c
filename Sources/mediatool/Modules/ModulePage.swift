internal import MMSCodec
internal import MediaModel
internal import Messaging

/// Messages as a self-contained page: a thread of bubbles with modules.
struct ModulePage {
  private let messages: [ShownMessage]

  init(_ messages: [ShownMessage]) { self.messages = messages }

  var bytes: [UInt8] {
    var numbers = 0
    var colors = ""
    let items = messages.map { shown in
      let modules = shown.modules.map { module -> String in
        defer { numbers += 1 }
        // Nothing shines through a picture with transparent parts but its bubble.
        if let color = module.module.placeholder?.color, !module.hasAlpha {
          // The color behind each image is a class, because the page's policy forbids style attributes.
          colors += ".k\(numbers){background:\(HTMLText.escaped(color))}\n"
        }
        return ModulePageItem(shown: module, number: numbers).text
      }
      return item(shown, modules: Self.rows(of: shown.modules, modules))
    }
    let body = """
      <h1>\(messages.count == 1 ? "Message" : "Messages")</h1>
      <ol class="thread">
      \(items.joined(separator: "\n"))
      </ol>
      """
    return StandalonePage(
      title: messages.count == 1 ? "Message" : "Messages", body: body,
      style: String(decoding: PackageResources.modules_css, as: UTF8.self) + colors
    ).bytes
  }

  /// Items of the list: a module each, but of three or more images in a row one gallery.
  private static func rows(of modules: [ShownModule], _ texts: [String]) -> [String] {
    var rows: [String] = []
    var images: [String] = []
    func end() {
      if images.count < 3 {
        rows += images.map { "<li>\($0)</li>" }
      } else {
        rows.append("<li class=\"gallery\">\(images.joined(separator: "\n"))</li>")
      }
      images = []
    }
    for (module, text) in zip(modules, texts) {
      if module.module.kind == .image, module.module.thumbnail != nil {
        images.append(text)
      } else {
        end()
        rows.append("<li>\(text)</li>")
      }
    }
    end()
    return rows
  }

  private func item(_ shown: ShownMessage, modules: [String]) -> String {
    let summary = MessageSummary(shown)
    let direction = shown.isIncoming ? "incoming" : "outgoing"
    let label = HTMLText.escaped(label(shown, summary))
    var parts = ["<li class=\"message \(direction)\"><article aria-label=\"\(label)\">"]
    if let who = shown.isIncoming ? summary.text("From") : summary.text("To") {
      parts.append("<p class=\"who\"><bdi>\(HTMLText.escaped(who))</bdi></p>")
    }
    if let subject = summary.text("Subject") {
      parts.append("<h2><bdi>\(HTMLText.prose(subject))</bdi></h2>")
    }
    if let failure = shown.failure {
      parts.append(
        "<p class=\"notice\">\(ModuleIcons.warning)<span>This file is not a valid MMS message: "
          + "\(HTMLText.escaped(failure.detail ?? failure.message))</span></p>")
    } else if modules.isEmpty {
      parts.append("<p class=\"notice\">\(HTMLText.escaped(Self.report(shown, summary)))</p>")
    } else {
      parts.append("<ul class=\"modules\">\n\(modules.joined(separator: "\n"))\n</ul>")
    }
    if let keeping = Self.keeping(shown, summary) { parts.append("<p class=\"when\">\(HTMLText.escaped(keeping))</p>") }
    if let date = summary.text("Date") { parts.append("<p class=\"when\"><time>\(HTMLText.escaped(date))</time></p>") }
    return parts.joined(separator: "\n") + "\n</article></li>"
  }

  /// The text of a screen reader before the modules.
  private func label(_ shown: ShownMessage, _ summary: MessageSummary) -> String {
    if shown.failure != nil { return "Unreadable message" }
    let who = shown.isIncoming ? summary.text("From").map { " from \($0)" } : summary.text("To").map { " to \($0)" }
    let what = shown.isIncoming ? "Message" : "Outgoing message"
    return ([what + (who ?? "")] + [summary.text("Date")].compactMap { $0 }).joined(separator: ", ")
  }

  /// How long the carrier keeps a message that was not downloaded (R-MMS-48).
  private static func keeping(_ shown: ShownMessage, _ summary: MessageSummary) -> String? {
    guard shown.message?.type == .notificationInd else { return nil }
    return summary.text("Expires").map { "Available until \($0)" }
      ?? summary.text("Expires in").map { "Available for \($0)" }
  }

  /// The text for a PDU without content: an answer or a report.
  private static func report(_ shown: ShownMessage, _ summary: MessageSummary) -> String {
    let results = summary.lines.filter { $0.name == "Result" || $0.name == "Status" }.map(\.text)
    return ([shown.message?.type.name ?? "Empty message"] + results).joined(separator: ": ")
  }
}
