internal import AttachmentPolicy
internal import MediaModel
internal import PhotoTray

/// One cell of the page. Every untrusted text passes through ``HTMLText``.
struct TrayPageCell {
  let cell: Tray.Cell
  let number: Int
  let folder: FolderTray
  /// It is the first cell of its day, which it shows.
  var beginsDay = false

  var text: String {
    let classes = ["cell"] + (cell.selected != nil ? ["selected"] : []) + (cell.isEnabled ? [] : ["disabled"])
    let why = lasting.map { RefusalSentence.text($0, name: name) } ?? ""
    let shown = cell.reason.map { Self.short($0) } ?? ""
    return """
      <li class="\(classes.joined(separator: " "))" data-name="\(HTMLText.escaped(label))" \
      data-file="\(HTMLText.escaped(name))" data-bytes="\(folder.tray.rules.countedBytes(of: cell.item.info))" \
      data-why="\(HTMLText.escaped(why))" data-short="\(lasting.map { Self.short($0) } ?? "")">\
      \(image)<span class="label">\(HTMLText.escaped(label + spoken))</span>\
      \(badge)<span class="check">\(cell.selected.map(String.init) ?? "")</span>\
      <span class="why">\(shown)</span>\
      \(beginsDay && !day.isEmpty ? "<span class=\"day\" aria-hidden=\"true\">\(day)</span>" : "")\
      <span class="tip" aria-hidden="true">\(HTMLText.escaped(name))<br>\(moment)</span></li>
      """
  }

  private var name: String { cell.item.name ?? "" }

  private var time: MediaInfo.CaptureTime? {
    cell.item.info.takenAt ?? MediaInfo.CaptureTime(secondsSince1970: cell.item.time)
  }

  /// `2024-05-02 12:03`.
  private var moment: String { time.map(HumanNumbers.minute) ?? "" }

  /// The month above the first of its cells: `May 2024`.
  var month: String { monthName.map { "\($0) \(moment.prefix(4))" } ?? "" }

  /// The day on the first of its cells: `2 May`. Days have no rows of their own, which would leave most of the grid empty.
  var day: String {
    guard let monthName, let number = Int(moment.dropFirst(8).prefix(2)) else { return "" }
    return "\(number) \(monthName.prefix(3))"
  }

  private var monthName: String? {
    guard let number = Int(moment.dropFirst(5).prefix(2)), Self.months.indices.contains(number - 1) else { return nil }
    return Self.months[number - 1]
  }

  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
  ]

  /// The text for a screen reader: name, kind, duration, day.
  private var label: String {
    let kind = cell.item.info.kind == .video ? "video" : "photo"
    let length = cell.badgeDuration.map { [HumanNumbers.clock($0)] } ?? []
    let taken = time.map { [HumanNumbers.day($0)] } ?? []
    return ([name, kind] + length + taken).joined(separator: ", ")
  }

  /// The part that the script would add.
  private var spoken: String {
    if let number = cell.selected { return ", selected as number \(number)" }
    return cell.reason.map { ", " + RefusalSentence.text($0, name: name) } ?? ""
  }

  private var image: String {
    guard let rendition = folder.rendition("grid", of: cell.id) else {
      return (cell.item.info.kind == .video ? PageIcon.video : .photo).svg
    }
    return "<img class=\"k\(number)\" alt=\"\" width=\"\(rendition.width)\" height=\"\(rendition.height)\" "
      + "decoding=\"async\" src=\"\(rendition.address)\">"
  }

  private var badge: String {
    guard cell.item.info.kind == .video else { return "" }
    // Drawn, because the character of that shape is a color emoji on many phones.
    return "<span class=\"badge\" aria-hidden=\"true\"><svg viewBox=\"0 0 10 12\"><path d=\"M0 0l10 6-10 6z\"/></svg>"
      + "\(cell.badgeDuration.map(HumanNumbers.clock) ?? "")</span>"
  }

  /// A reason that does not depend on the selection; the script finds the others.
  private var lasting: Verdict.Reason? {
    switch cell.reason {
    case .tooManyAttachments, .messageTooLarge: folder.tray.rules.reasons(against: cell.item.info).first
    case nil: nil
    case let reason?: reason
    }
  }

  /// Two or three words that fit into a cell.
  static func short(_ reason: Verdict.Reason) -> String {
    switch reason {
    case .tooManyAttachments: ""
    case .fileTooLarge: "too large"
    case .messageTooLarge: "message full"
    case .duplicate: "duplicate"
    case .kindNotAllowed, .typeNotAllowed, .attachmentsDisabled: "not allowed"
    case .typeMismatch: "name mismatch"
    case .tooManyPixels: "too many pixels"
    case .tooLong: "too long"
    case .empty: "empty"
    case .unreadable: "unreadable"
    case .batchRefused, .invalidCrop, .other: "cannot be added"
    }
  }
}
