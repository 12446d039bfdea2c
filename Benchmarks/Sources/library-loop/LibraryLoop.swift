internal import FileSupport
internal import Foundation
internal import MediaLibrary
internal import MediaModel

/// library-loop make FOLDER ROWS | newest FOLDER TIMES | page FOLDER NUMBER TIMES | places FOLDER ZOOM TIMES | known FOLDER ROWS | forget FOLDER |
/// moments FOLDER ROWS | scanned FOLDER ROWS | single FOLDER ROWS | map FOLDER ZOOM TIMES | friends FOLDER ZOOM TIMES | recent FOLDER ZOOM TIMES | path FOLDER TIMES | owner FOLDER | owned FOLDER ROWS | erased FOLDER | similar FOLDER ROWS TIMES: one thing with a library, often. Prints the median of each time in milliseconds.
@main
struct LibraryLoop {
  static func main() throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let numbers = arguments.dropFirst(2).compactMap { Int($0) }
    guard arguments.count >= 2, numbers.count == arguments.count - 2 else { exit(64) }
    let location = LibraryLocation(folder: PathBytes(arguments[1]))
    switch (arguments[0], numbers.count) {
    case ("make", 1):
      let library = try Library.open(at: location, for: .creating)
      for start in stride(from: 0, to: numbers[0], by: 1_000) {
        try library.scanIndex.apply((start..<min(numbers[0], start + 1_000)).map(SyntheticFile.change))
      }
    case ("newest", 1):
      let catalogue = try Library.open(at: location, for: .reading).catalogue
      try median(of: numbers[0]) { try catalogue.newest(.photosAndVideos, after: nil, limit: 50).files.count }
    case ("page", 2):
      let catalogue = try Library.open(at: location, for: .reading).catalogue
      var cursor: CatalogueFile.Cursor?
      for _ in 1..<numbers[0] {
        cursor = try catalogue.newest(.photosAndVideos, after: cursor, limit: 50).next
      }
      try median(of: numbers[1]) {
        try catalogue.newest(.photosAndVideos, after: cursor, limit: 50).files.count
      }
    case ("places", 2):
      let catalogue = try Library.open(at: location, for: .reading).catalogue
      var number = 0
      try median(of: numbers[1]) {
        number += 1
        let view = SyntheticFile.view(number, zoom: numbers[0])
        return try catalogue.locations(in: view, zoom: numbers[0], of: .all).clusters.count
      }
    case ("known", 1):
      let index = try Library.open(at: location, for: .reading).scanIndex
      for start in stride(from: 0, to: numbers[0], by: 500) {
        let stamps = (start..<min(numbers[0], start + 500)).map(SyntheticFile.stamp)
        for case .unknown in try index.standings(of: stamps) { exit(1) }
      }
    case ("forget", 0):
      let library = try Library.open(at: location, for: .writing)
      guard let file = try library.catalogue.newest(.all, after: nil, limit: 1).files.first else { exit(1) }
      try library.erase(.file(file.id))
    case ("moments", 1): try MomentLoop.make(at: location, numbers[0])
    case ("scanned", 1): try MomentLoop.makeScanned(at: location, numbers[0])
    case ("single", 1): try MomentLoop.makeSingle(at: location, numbers[0])
    case ("map", 2), ("friends", 2), ("recent", 2):
      var number = 0
      try median(of: numbers[1]) {
        number += 1
        return switch arguments[0] {
        case "map": try MomentLoop.map(location, zoom: numbers[0], number)
        case "friends": try MomentLoop.friendsMap(location, zoom: numbers[0], number)
        default: try MomentLoop.recentMap(location, zoom: numbers[0], number)
        }
      }
    case ("path", 1): try median(of: numbers[0]) { try MomentLoop.path(location) }
    case ("owner", 0): try MomentLoop.erase(location)
    case ("owned", 1): try MomentLoop.makeOwned(in: arguments[1], numbers[0])
    case ("erased", 0): try MomentLoop.eraseOwned(in: arguments[1])
    case ("similar", 2): try median(of: numbers[1], MomentLoop.similar(numbers[0]))
    default: exit(64)
    }
  }

  /// Sums up a value of every result, so that the compiler cannot skip the work.
  private static func median(of times: Int, _ body: () throws -> Int) throws {
    var sum = try body()
    var milliseconds: [Double] = []
    for _ in 0..<times {
      let duration = try ContinuousClock().measure { sum += try body() }
      milliseconds.append(Double(duration.components.attoseconds) / 1e15 + Double(duration.components.seconds) * 1e3)
    }
    milliseconds.sort()
    print(milliseconds[times / 2], milliseconds[times * 99 / 100], sum)
  }
}
