internal import Foundation
internal import MediaModel
internal import Messaging

/// One module of the page. Every untrusted text passes through ``HTMLText``.
struct ModulePageItem {
  let shown: ShownModule
  let number: Int

  private var module: MessageModule { shown.module }

  var text: String {
    if let text = module.text { return "<p class=\"text\" dir=\"auto\">\(Self.linked(text, module.links ?? []))</p>" }
    let state = module.state == .ready ? "" : " state-\(module.state.rawValue)"
    return """
      <div class="module \(module.kind.rawValue)\(state)" role="group" aria-label="\(HTMLText.escaped(label))">\
      \(content)</div>
      """
  }

  private var content: String {
    switch module.kind {
    case .image where module.thumbnail != nil:
      let flag = stateText.map { "<span class=\"flag\" aria-hidden=\"true\">\($0)</span>" } ?? ""
      return image(module.thumbnail, class: "picture") + flag
    case .video where module.state == .ready || module.poster != nil: return video
    case .audio where module.state == .ready: return audio
    default: return row
    }
  }

  /// The module's own label; before that of a contact the person's name.
  private var label: String { person.map { "\($0), \(module.label)" } ?? module.label }

  /// The person of a contact; nil for any other module, and for a card without a name.
  private var person: String? {
    guard module.kind == .contact, let title = shown.title, !title.isEmpty else { return nil }
    return title
  }

  // MARK: Kinds

  private var video: String {
    var name = caption(playable: shown.playable != nil)
    if let playable = shown.playable {
      return """
        <video class="k\(number)" controls preload="none" playsinline\(dimensions) \
        aria-label="\(HTMLText.escaped(module.label))"\(module.poster.map { " poster=\"\(HTMLText.escaped($0))\"" } ?? "") \
        src="\(HTMLText.escaped(playable))"></video>\(name)
        """
    }
    if let state = stateText { name += "<p class=\"state\" aria-hidden=\"true\">\(state)</p>" }
    // No button, because this page cannot play it.
    let badge = "<span class=\"length\" aria-hidden=\"true\">\(ModuleIcons.play)\(length ?? "video")</span>"
    guard module.poster != nil else { return row }
    return "<div class=\"poster\">\(image(module.poster, class: "picture"))\(badge)</div>\(name)"
  }

  private var audio: String {
    let art =
      module.cover.map { "<img class=\"cover k\(number)\" alt=\"\" src=\"\(HTMLText.escaped($0))\">" }
      ?? "<span class=\"icon\">\(ModuleIcons.drawing(module.icon ?? .audio))</span>"
    let player = shown.playable.map {
      "<audio controls preload=\"none\" aria-label=\"\(HTMLText.escaped(module.label))\" "
        + "src=\"\(HTMLText.escaped($0))\"></audio>"
    }
    return """
      <div class="row">\(art)<div class="facts" aria-hidden="true">\(fileName)\
      <span class="detail">\([length, module.size].compactMap { $0 }.joined(separator: " · "))</span>\
      \(waveform)</div></div>\(player ?? "")
      """
  }

  /// Icon, name and size, for a module without an image.
  private var row: String {
    let page = module.thumbnail.map { _ in image(module.thumbnail, class: "image page") } ?? ""
    let hasLength = module.kind == .video || module.kind == .audio
    let file = person.flatMap { _ in module.filename }.map { "<bdi>\(HTMLText.escaped($0))</bdi>" }
    let details = [file, hasLength ? length : nil, module.size].compactMap { $0 }
    let icon = module.state == .notDownloaded ? ModuleIcons.download : ModuleIcons.drawing(module.icon ?? fallbackIcon)
    return """
      \(page)<div class="row" aria-hidden="true"><span class="icon">\(icon)</span>\
      <div class="facts">\(fileName)<span class="detail">\(details.joined(separator: " · "))</span>\
      \(stateText.map { "<span class=\"problem\">\($0)</span>" } ?? "")</div></div>
      """
  }

  // MARK: Pieces

  private var fileName: String {
    let name = person ?? (module.showsName ? module.filename ?? "" : title)
    return name.isEmpty ? "" : "<span class=\"name\"><bdi>\(HTMLText.escaped(name))</bdi></span>"
  }

  /// The title of a module whose name is not shown.
  private var title: String {
    switch module.kind {
    case .image: "Image"
    default: "Multimedia message"
    }
  }

  private func caption(playable: Bool) -> String {
    let details = [playable ? length : nil, module.size].compactMap { $0 }.joined(separator: " · ")
    return "<p class=\"caption\" aria-hidden=\"true\">\(fileName)<span class=\"detail\">\(details)</span></p>"
  }

  private var length: String? { module.duration.map(HumanNumbers.clock) }

  private var stateText: String? {
    switch module.state {
    case .ready: nil
    case .placeholder: "No preview"
    case .corrupted: "Damaged"
    case .tooLarge: "Too large to show"
    case .notDownloaded: "Not downloaded"
    }
  }

  private var fallbackIcon: MediaIcon {
    switch module.kind {
    case .text: .text
    case .image: .image
    case .video: .video
    case .audio: .audio
    case .contact: .contact
    case .calendar: .calendar
    case .other: .file
    }
  }

  private var dimensions: String {
    guard let width = module.width, let height = module.height, width > 0, height > 0 else { return "" }
    return " width=\"\(width)\" height=\"\(height)\""
  }

  /// An image with its dimensions, so that the layout does not shift. The surrounding group has the label.
  private func image(_ address: String?, class name: String) -> String {
    let size = name == "picture" ? dimensions : ""
    return "<img class=\"\(name) k\(number)\" alt=\"\"\(size) decoding=\"async\" "
      + "src=\"\(HTMLText.escaped(address ?? ""))\">"
  }

  /// The waveform as bars in the color of the text.
  private var waveform: String {
    guard let peaks = module.peaks, !peaks.isEmpty else { return "" }
    let count = min(50, peaks.count)
    let bars = (0..<count).map { bar -> String in
      let share = peaks[bar * peaks.count / count..<(bar + 1) * peaks.count / count]
      let half = Double(max(0.06, min(1, share.max() ?? 0))) * 14
      return "M\(bar * 4 + 2) \((16 - half).rounded(toPlaces: 1) ?? 16)v\((half * 2).rounded(toPlaces: 1) ?? 1)"
    }
    return "<svg class=\"waveform\" viewBox=\"0 0 \(count * 4) 32\" preserveAspectRatio=\"none\">"
      + "<path d=\"\(bars.joined())\"/></svg>"
  }

  /// A text with its links; only safe ones become links, and those with the address of another page are followed by their own.
  private static func linked(_ text: String, _ links: [LinkDetector.Link]) -> String {
    let utf8 = Array(text.utf8)
    var page = ""
    var end = 0
    for link in links where link.utf8.lowerBound >= end && link.utf8.upperBound <= utf8.count {
      guard let address = HTMLText.address(link.uri) else { continue }
      page += HTMLText.prose(String(decoding: utf8[end..<link.utf8.lowerBound], as: UTF8.self))
      page +=
        "<a href=\"\(address)\" rel=\"noreferrer noopener\"><bdi>\(HTMLText.prose(link.text))</bdi></a>"
      // The text names another address than the one that opens.
      if let destination = link.leadsTo { page += " <bdi>(\(HTMLText.prose(destination)))</bdi>" }
      end = link.utf8.upperBound
    }
    return page + HTMLText.prose(String(decoding: utf8[end...], as: UTF8.self))
  }
}
