internal import AttachmentPolicy
internal import Foundation
internal import MediaModel
internal import PhotoTray

/// rules-loop verdict TIMES | rules-loop tray TIMES: what the rules do, over and over, and nothing else.
@main
struct RulesLoop {
  static func main() {
    guard CommandLine.arguments.count == 3, let times = Int(CommandLine.arguments[2]) else { exit(64) }
    // Sums up a value of every result, so that the compiler cannot skip the work.
    let sum =
      switch CommandLine.arguments[1] {
      case "verdict": verdicts(times)
      case "tray": updates(times)
      default: -1
      }
    if sum < 0 { exit(64) }
    print(sum)
  }

  private static func info(_ number: Int) -> MediaInfo {
    var info = MediaInfo(type: number % 8 == 0 ? MediaType("video/mp4") : .jpeg, bytes: 1_000 + number * 37 % 5_000_000)
    (info.width, info.height) = (4_032, 3_024)
    info.sha256 = String(repeating: String(number % 9_000), count: 16)
    return info
  }

  /// A verdict on 10,000 files, some of them the same, of which too many are offered: the worst case, suggestions included.
  private static func verdicts(_ times: Int) -> Int {
    let selection = (0..<10_000).map {
      MediaAttachment(id: MediaAttachment.ID("\($0)"), asset: AssetID("asset \($0)"), info: info($0))
    }
    var rules = AttachmentRules()
    rules.maxAttachments = 5_000
    rules.maxMessageBytes = 4_000_000_000
    return (0..<times).reduce(0) { sum, _ in sum + rules.verdict(for: selection).files.count(where: \.accepted) }
  }

  private struct Source: PhotoSource {
    var items: [Tray.Item]
    func newest(_ count: Int) -> [Tray.Item] { Array(items.prefix(count)) }
    func missing(among assets: [AssetID]) -> Set<AssetID> { [] }
  }

  /// A photo comes in, and every cell is made again; ten are selected.
  private static func updates(_ times: Int) -> Int {
    let items = (0..<50).map { Tray.Item(id: AssetID("asset \($0)"), time: 100 - $0, info: info($0)) }
    let source = Source(items: items)
    var tray = Tray(access: .full)
    _ = tray.load(from: source)
    for item in items.prefix(10) { _ = tray.select(item.id) }
    var sum = 0
    for number in 0..<times {
      let new = Tray.Item(id: AssetID("new \(number % 100)"), time: 1_000 + number, info: info(number % 10_000))
      sum += tray.apply(Tray.LibraryChange(changed: [new]), from: source).count
      if case .grid(let grid) = tray.state { sum += grid.cells.count }
    }
    return sum
  }
}
