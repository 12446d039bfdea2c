internal import FileSupport
internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import MediatoolCommand

@Suite("Times on the command line") struct DayTests {
  @Test(
    "--since takes a day, or hours, days or weeks before now",
    arguments: [
      ("1970-01-02", 86_400), ("2024-02-29", 1_709_164_800), ("12h", 9_956_800), ("7d", 9_395_200), ("2w", 8_790_400),
    ])
  func since(text: String, seconds: Int) {
    #expect(Day(argument: text, now: 10_000_000)?.seconds == seconds)
  }

  @Test(
    "What is no time is an error, and no other day",
    arguments: [
      "", "d", "0d", "-7d", "7 d", "7y", "1.5d", "2023-02-29", "2024-13-01", "24-1", "2024-06-30T00:00", "7d7d",
    ])
  func refused(text: String) {
    #expect(Day(argument: text, now: 10_000_000) == nil)
  }

  @Test("One file on a terminal is shown fact by fact, with its location, camera and codecs") func oneFile() throws {
    let scratch = try Scratch()
    let folder = Corpus.packageRoot.appendingPathComponent("testdata/camera-roll").path
    func shown(_ name: String) throws -> String {
      let terminal = try PseudoTerminal(width: 80)
      let command = try Command(
        ["probe", PathBytes("\(folder)/\(name)")], output: .file(terminal.path),
        environment: ["TERM": "xterm", "NO_COLOR": "1"], folder: scratch.path)
      _ = try command.finish()
      return terminal.text()
    }
    let photo = try shown("IMG_0001.jpg")
    for name in ["File", "Type", "Dimensions", "Taken", "Location", "Camera"] {
      #expect(photo.contains(name), "\(photo)")
    }
    let video = try shown("VID_0008.mp4")
    for name in ["Duration", "Video", "Audio"] { #expect(video.contains(name), "\(video)") }
  }
}
