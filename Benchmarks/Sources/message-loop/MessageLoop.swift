internal import FileSupport
internal import Foundation
internal import MessageStore

/// message-loop make|make-busy FOLDER MESSAGES THREADS | threads FOLDER NUMBER TIMES | messages FOLDER TIMES | words FOLDER TIMES: one thing with a
/// message store, often. Prints the median and the 99th percentile of each time in milliseconds.
@main
struct MessageLoop {
  static func main() throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let numbers = arguments.dropFirst(2).compactMap { Int($0) }
    guard arguments.count >= 3, numbers.count == arguments.count - 2 else { exit(64) }
    let store = try MessageStore(folder: PathBytes(arguments[1]))
    switch (arguments[0], numbers.count) {
    case ("make", 2):
      for number in 0..<numbers[0] {
        try store.receive(
          sms: "Message \(number) of many", from: "+1555\(1_000_000 + number % numbers[1])", at: Double(number))
      }
    case ("make-busy", 2):
      let photo = arguments[1] + "-photo.jpg"
      try Data(repeating: 7, count: 200).write(to: URL(fileURLWithPath: photo))
      try BusyStore.make(store, messages: numbers[0], threads: numbers[1], photo: PathBytes(photo))
      try FileManager.default.removeItem(atPath: photo)
    case ("threads", 2):
      var cursor: MessageStore.Cursor?
      for _ in 1..<numbers[0] { cursor = try store.threads(after: cursor).last?.cursor }
      try median(of: numbers[1]) { try store.threads(after: cursor).count }
    case ("messages", 1):
      guard let thread = try store.threads(limit: 1).first else { exit(1) }
      try median(of: numbers[0]) { try store.messages(in: thread.id).count }
    case ("words", 1):
      try median(of: numbers[0]) { try store.search("9999").count }
    default: exit(64)
    }
    try store.close()
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
