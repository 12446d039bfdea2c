internal import AttachmentPolicy
internal import MediaModel
internal import PhotoTray

/// The tray as a self-contained page.
struct TrayPage {
  private let folder: FolderTray

  init(_ folder: FolderTray) { self.folder = folder }

  /// The page in UTF-8.
  func bytes() throws(Fault) -> [UInt8] {
    // The color behind each image is a class, because the page's policy forbids style attributes.
    let colors = folder.tray.items.enumerated().compactMap { number, item in
      // Nothing shines through a picture with transparent parts but the page.
      item.info.alpha == true ? nil : item.placeholder.map { ".k\(number){background:\(HTMLText.escaped($0.color))}" }
    }
    return StandalonePage(
      title: "Recent photos and videos", body: try body(),
      style: String(decoding: PackageResources.tray_css, as: UTF8.self) + colors.joined(separator: "\n"),
      script: String(decoding: PackageResources.tray_js, as: UTF8.self)
    ).bytes
  }

  private func body() throws(Fault) -> String {
    switch folder.tray.state {
    case .notDetermined: return state(.lock, "No access to photos yet", "Permission has not been requested.")
    case .denied:
      return state(.lock, "No permission to read these folders", "Their owner or an administrator can grant it.")
    case .restricted:
      return state(.lock, "No permission to read these folders", "Access is restricted on this device.")
    case .empty: return state(.camera, "No photos or videos", "There are none in these folders.")
    case .grid(let grid): return try page(of: grid)
    }
  }

  private func state(_ icon: PageIcon, _ title: String, _ text: String) -> String {
    """
    <header><h1>Recent photos and videos</h1></header>
    <div class="state">\(icon.svg)<p><strong>\(title)</strong>\(text)</p></div>
    \(toast)
    """
  }

  private var toast: String {
    let sentences = folder.refused.flatMap { file in file.reasons.map { RefusalSentence.text($0, name: file.name) } }
    let text = HTMLText.escaped(sentences.joined(separator: "; "))
    return "<p id=\"toast\" role=\"alert\"\(text.isEmpty ? " hidden" : "")>\(text)</p>"
  }

  private func page(of grid: Tray.Grid) throws(Fault) -> String {
    let tray = folder.tray
    let left = grid.remaining.map { ", \($0) more can be added" } ?? ""
    var (month, day) = ("", "")
    let cells = grid.cells.enumerated().flatMap { number, cell in
      var page = TrayPageCell(cell: cell, number: number, folder: folder)
      page.beginsDay = page.day != day
      defer { (month, day) = (page.month, page.day) }
      // A label for the eye: each cell has its own date for a screen reader.
      let heading = page.month == month ? [] : ["<li class=\"month\" aria-hidden=\"true\">\(page.month)</li>"]
      return heading + [page.text]
    }
    let empty = String(
      repeating: "<li class=\"cell empty\" aria-hidden=\"true\"></li>\n", count: min(grid.emptyCells, 64))
    return """
      <header>
      <h1>Recent photos and videos</h1>
      <p id="remaining" role="status">\(tray.draft.items.count) selected\(left)</p>
      </header>
      <ul id="grid" class="grid" aria-label="Recent photos and videos, newest first"\(try limits(grid))>
      \(cells.joined(separator: "\n"))
      \(empty)</ul>
      <section id="message" aria-label="Attached to the message" hidden>
      <h2>Attached to the message</h2>
      <ol id="draft"></ol>
      <button id="clear" type="button">Clear</button>
      <button id="send" type="button" hidden>Send</button>
      </section>
      \(toast)
      """
  }

  /// The rules and the draft, for the script.
  private func limits(_ grid: Tray.Grid) throws(Fault) -> String {
    let tray = folder.tray
    var places: [AssetID: Int] = [:]
    for (place, cell) in grid.cells.enumerated() { places[cell.id] = place }
    let order = tray.draft.items.map { item in
      let attachment = item.attachment
      if let place = attachment.asset.flatMap({ places[$0] }) { return Chosen(cell: place) }
      return Chosen(file: HTMLText.harmless(attachment.name ?? ""), bytes: tray.rules.countedBytes(of: attachment.info))
    }
    var text = " data-order=\"\(HTMLText.escaped(try JSONLine.text(order)))\""
    if let limit = tray.rules.maxAttachments { text += " data-limit=\"\(limit)\"" }
    if let limit = tray.rules.maxMessageBytes { text += " data-bytes=\"\(limit)\"" }
    return text
  }

  /// A selected file: the index of its cell, or the facts of a file outside the tray.
  private struct Chosen: Encodable {
    var cell: Int?
    var file: String?
    var bytes: Int?
  }
}
