internal import AttachmentPolicy
internal import Foundation
internal import MediaLibrary
internal import MediaModel
internal import PhotoTray
internal import Synchronization

/// The cells of a tray as JSON. What does not change between two answers is encoded once for a file and kept, because encoding fifty cells takes longer
/// than reading them.
final class TrayCellCache: Sendable {
  /// A file as a cell shows it.
  struct Cell: Sendable {
    let item: Tray.Item
    /// The JSON object of the cell without its last brace: what depends on the file alone.
    let head: [UInt8]
  }

  /// A cell, and the state of the file for which it was made.
  private struct Kept {
    let stamp: FileStamp
    let engine: String
    let digest: ContentDigest?
    let placeholder: Placeholder?
    let time: Int
    let title: String?
    let cell: Cell

    func isOf(_ file: CatalogueFile) -> Bool {
      stamp == file.stamp && engine == file.engine && digest == file.digest && placeholder == file.placeholder
        && time == file.time && title == file.title
    }
  }

  private let kept = Mutex<[FileID: Kept]>([:])
  private let capacity: Int

  /// - Parameter capacity: Number of cells that are kept. Default 20,000, of some 600 bytes each: the trays of 400 owners.
  init(capacity: Int = 20_000) { self.capacity = max(1, capacity) }

  /// The cell of a file; nil for one that a tray does not show, or whose facts are damaged.
  func cell(of file: CatalogueFile) -> Cell? {
    if let kept = kept.withLock({ $0[file.id] }), kept.isOf(file) { return kept.cell }
    guard file.kind == .image || file.kind == .video, let info = try? file.info(), let cell = Self.make(file, info)
    else { return nil }
    let new = Kept(
      stamp: file.stamp, engine: file.engine, digest: file.digest, placeholder: file.placeholder, time: file.time,
      title: file.title, cell: cell)
    kept.withLock { kept in
      // Which cells are dropped does not matter: they are made again.
      if kept.count >= capacity { kept = kept.filter { _ in Bool.random() } }
      kept[file.id] = new
    }
    return cell
  }

  private struct Head: Encodable {
    var id: String
    var kind: MediaKind
    var type: MediaType
    var width: Int?
    var height: Int?
    var duration: Double?
    var takenAt: MediaInfo.CaptureTime?
    var time: MediaInfo.CaptureTime?
    var title: String?
    var placeholder: Placeholder?
  }

  private static func make(_ file: CatalogueFile, _ info: MediaInfo) -> Cell? {
    let head = Head(
      id: "\(file.id.rawValue)", kind: info.kind, type: info.type, width: info.width, height: info.height,
      duration: info.duration.flatMap { $0.isFinite ? ($0 * 1_000).rounded() / 1_000 : nil }, takenAt: info.takenAt,
      time: MediaInfo.CaptureTime(secondsSince1970: file.time), title: file.title, placeholder: file.placeholder)
    guard let json = try? ServiceJSON.encode(head) else { return nil }
    let item = Tray.Item(
      id: file.id.asset, time: file.time, name: file.title, info: info, placeholder: file.placeholder)
    return Cell(item: item, head: json.dropLast())
  }
}

extension TrayCellCache.Cell {
  /// The JSON object of the cell.
  /// - Parameters:
  ///   - cell: Whether it is selected, and whether it can be.
  ///   - addresses: The addresses of its thumbnails.
  func json(_ cell: Tray.Cell, addresses: AttachmentAddresses, file: FileID) -> [UInt8] {
    var text = ""
    let isBlocked = addresses.isHidden(file)
    // Without a placeholder no image could be made of it.
    if item.placeholder != nil, !isBlocked {
      text += ",\"thumbnail\":\"\(addresses.url("grid", of: file))\""
      text += ",\"thumbnail2x\":\"\(addresses.url("grid2x", of: file))\""
    }
    if let number = cell.selected { text += ",\"selected\":\(number)" }
    let reason = isBlocked && cell.selected == nil ? .other(.blocked) : cell.reason
    text += ",\"enabled\":\(cell.isEnabled && (cell.selected != nil || !isBlocked))"
    if let reason, let json = try? ServiceJSON.encode(reason) {
      text += ",\"reason\":" + String(decoding: json, as: UTF8.self)
    }
    return head + text.utf8 + [UInt8(ascii: "}")]
  }
}

extension Verdict.Reason.Code {
  /// A moderator has blocked the file (R-MYM-26).
  static let blocked = Verdict.Reason.Code(rawValue: "blocked")
}
