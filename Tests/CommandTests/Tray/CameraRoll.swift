internal import FileSupport
internal import Foundation
internal import Glibc
internal import TestSupport

@testable internal import MediatoolCommand

/// A folder of photos as the tests of the tray need it: images of the fixtures under times and names of our choice.
final class CameraRoll {
  static let hostileName = "<img src=x onerror=alert(1)>.jpg"
  let scratch: Scratch
  var path: PathBytes { scratch("roll") }

  init() throws {
    scratch = try Scratch()
    try scratch.folder("roll")
  }

  /// Puts a file of `testdata/camera-roll` here.
  /// - Parameters:
  ///   - time: Its file time, seconds since 1970.
  ///   - bytes: Its size, filled up with zeros that take no space on the disk; nil for its own.
  @discardableResult
  func add(_ fixture: String, as name: String, time: Int = 1_700_000_000, bytes: Int? = nil) throws -> PathBytes {
    let source = Corpus.packageRoot.appendingPathComponent("testdata/camera-roll/\(fixture)")
    let file = path.appending(name.utf8)
    try FileSystem.makeFolder(file.folder, permissions: .shared, syncs: false)
    try Data(contentsOf: source).write(to: URL(fileURLWithPath: file.text))
    if let bytes, truncate(file.text, bytes) != 0 { throw SystemError("truncate") }
    var times = [timeval(tv_sec: time, tv_usec: 0), timeval(tv_sec: time, tv_usec: 0)]
    if utimes(file.text, &times) != 0 { throw SystemError("utimes") }
    return file
  }

  /// Twelve cells: photos, a video, a video that is too large, a photo that breaks off, and one whose name is markup.
  static func varied() throws -> CameraRoll {
    let roll = try CameraRoll()
    for number in 1...5 { try roll.add("IMG_000\(number).jpg", as: "IMG_000\(number).jpg") }
    try roll.add("VID_0008.mp4", as: "VID_0008.mp4")
    try roll.add("VID_0008.mp4", as: "beach.mp4", bytes: 137_363_456)
    try roll.add("IMG_0010.jpg", as: "IMG_0010.jpg")
    try roll.add("IMG_0011.jpg", as: hostileName)
    try roll.add("Screenshot_20240503-182210.png", as: "screen.png", time: 1_714_760_530)
    try roll.add("dance.gif", as: "dance.gif")
    try roll.add("sticker.webp", as: "sticker.webp")
    return roll
  }

  /// The page of this roll.
  func page(_ options: [PathBytes] = []) throws -> PathBytes {
    let page = scratch("tray.html")
    _ = try Command.run(["tray", path, "--html", page, "--json"] + options)
    return page
  }
}
