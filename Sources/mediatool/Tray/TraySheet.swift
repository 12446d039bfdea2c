internal import AttachmentPolicy
internal import Foundation
internal import MediaModel
internal import PhotoTray

/// The tray as one image: drawn as SVG, and rendered by the engine.
struct TraySheet {
  /// The renditions used: PNG, which every SVG renderer supports.
  static let rendition = "sheet"

  private static let side = 256
  private static let gap = 8
  private static let columns = 10

  private let folder: FolderTray

  init(_ folder: FolderTray) { self.folder = folder }

  /// - Throws: A ``Fault`` if the machine cannot render it.
  func png(by engine: FileEngine) throws(Fault) -> [UInt8] {
    do throws(MediaFailure) { return try engine.image(of: Array(svg.utf8), size: size) } catch {
      throw Fault(.software, "cannot draw the sheet: \(error)")
    }
  }

  private var cells: [Tray.Cell] { if case .grid(let grid) = folder.tray.state { grid.cells } else { [] } }

  private var size: PixelSize {
    let rows = max(1, (cells.count + Self.columns - 1) / Self.columns)
    let step = Self.side + Self.gap
    return PixelSize(width: Self.columns * step + Self.gap, height: rows * step + Self.gap)
  }

  private var svg: String {
    let size = size
    let drawn = cells.enumerated().map { number, cell in
      let step = Self.side + Self.gap
      return drawing(of: cell, x: Self.gap + number % Self.columns * step, y: Self.gap + number / Self.columns * step)
    }
    let state = cells.isEmpty ? Self.summaryText(TrayTable.summary(folder.tray), in: size) : ""
    return """
      <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" \
      width="\(size.width)" height="\(size.height)" font-family="sans-serif" font-size="24">
      <rect width="100%" height="100%" fill="#ffffff"/>
      \(drawn.joined(separator: "\n"))\(state)
      </svg>
      """
  }

  /// The text for a tray without cells.
  private static func summaryText(_ text: String, in size: PixelSize) -> String {
    "<text x=\"\(size.width / 2)\" y=\"\(size.height / 2)\" fill=\"#57606a\" font-size=\"48\" text-anchor=\"middle\">\(text)</text>"
  }

  private func drawing(of cell: Tray.Cell, x: Int, y: Int) -> String {
    let color = cell.item.info.alpha == true ? nil : cell.item.placeholder?.color
    var parts = ["<rect width=\"256\" height=\"256\" fill=\"\(color ?? "#eaeef2")\"/>"]
    if let rendition = folder.rendition(Self.rendition, of: cell.id) {
      // An image smaller than its cell is centred.
      let left = (Self.side - rendition.width) / 2
      let top = (Self.side - rendition.height) / 2
      parts.append(
        "<image x=\"\(left)\" y=\"\(top)\" width=\"\(rendition.width)\" height=\"\(rendition.height)\" "
          + "xlink:href=\"\(rendition.address)\"/>")
    }
    if !cell.isEnabled { parts.append("<rect width=\"256\" height=\"256\" fill=\"#eaeef2\" fill-opacity=\"0.7\"/>") }
    if cell.item.info.kind == .video {
      let length = cell.badgeDuration.map(HumanNumbers.clock) ?? ""
      parts.append(
        "<rect x=\"8\" y=\"214\" width=\"\(34 + 14 * length.count)\" height=\"34\" rx=\"17\" fill=\"#000000\" fill-opacity=\"0.7\"/>"
      )
      parts.append(
        "<path d=\"M20 222l14 9-14 9z\" fill=\"#ffffff\"/><text x=\"40\" y=\"239\" fill=\"#ffffff\">\(length)</text>")
    }
    if let number = cell.selected {
      parts.append(
        "<rect x=\"4\" y=\"4\" width=\"248\" height=\"248\" fill=\"none\" stroke=\"#0a58ca\" stroke-width=\"8\"/>")
      parts.append("<circle cx=\"228\" cy=\"28\" r=\"19\" fill=\"#0a58ca\" stroke=\"#ffffff\" stroke-width=\"3\"/>")
      parts.append("<text x=\"228\" y=\"37\" fill=\"#ffffff\" text-anchor=\"middle\">\(number)</text>")
    }
    if let reason = cell.reason {
      let short = TrayPageCell.short(reason)
      let width = 28 + 13 * short.count
      if !short.isEmpty {
        parts.append(
          "<rect x=\"\(128 - width / 2)\" y=\"110\" width=\"\(width)\" height=\"36\" rx=\"18\" fill=\"#ffffff\"/>"
            + "<text x=\"128\" y=\"136\" fill=\"#1b1f24\" text-anchor=\"middle\">\(short)</text>")
      }
    }
    return "<g transform=\"translate(\(x) \(y))\">\(parts.joined())</g>"
  }
}
