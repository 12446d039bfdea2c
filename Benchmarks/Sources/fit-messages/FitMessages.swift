internal import Foundation
internal import MediaEngine

/// fit-messages CORPUS WORKER [COUNT]: fits messages of real images by need, by equal shares and by the ladders of two Android apps, and
/// prints what can still be seen of them.
@main
struct FitMessages {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count >= 3, let count = arguments.count > 3 ? Int(arguments[3]) : 50 else {
      FileHandle.standardError.write(Data("fit-messages CORPUS WORKER [COUNT]\n".utf8))
      exit(64)
    }
    var configuration = MediaEngine.Configuration()
    configuration.worker = arguments[2]
    let engine = try await MediaEngine.start(configuration)
    let set = try await MessageSet(folder: arguments[1], engine: engine)
    let ladders = Ladders(studio: TrialStudio(engine: engine))
    var table = Comparison()
    for number in 0..<count {
      guard let message = set.message(number) else { continue }
      let line = try await table.add(message, number: number, ladders: ladders)
      FileHandle.standardError.write(Data((line + "\n").utf8))
    }
    print(table.text)
    await engine.shutdown()
  }
}
