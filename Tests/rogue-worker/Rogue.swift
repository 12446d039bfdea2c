internal import CEngineShims
internal import Foundation
internal import Glibc
internal import MediaEngineProtocol
internal import MediaModel
internal import MediaWorker

/// A worker that greets well and then does not keep to the protocol.
struct Rogue {
  let word: String
  private let channel = WorkerChannel()

  init(word: String) { self.word = word }

  /// Says that it is ready.
  static func greet(
    layers: IsolationLayers = IsolationLayers(
      limits: true, noDumps: true, noPrivileges: true, landlock: 7, seccomp: true)
  ) {
    let description = EngineDescription(engines: [], images: [], containers: [])
    let greeting = WorkerGreeting(layers: layers, description: description)
    if let frame = try? Messages.frame(.greeting, job: 0, greeting) { _ = WorkerChannel().send(frame) }
  }

  func run() -> Never {
    if word == "--progress-flood" { _ = Self.flood }
    Self.greet()
    // Reads nothing, ever.
    if word == "--deaf" { while true { pause() } }
    if word == "--hasty" {
      // Answers the first job as soon as the first byte of it is there.
      var byte: UInt8 = 0
      _ = mediatool_receive_bytes(channel.socket, &byte, 1)
      say(Self.result(number: 1))
      while true { pause() }
    }
    while true {
      guard let received = try? channel.receive() else { exit(0) }
      if received.descriptor >= 0 { close(received.descriptor) }
      answer(received.frame)
    }
  }

  private func answer(_ frame: Frame) {
    let number = frame.header.job
    let good = Self.result(number: number)
    switch word {
    case "--lie":
      guard let job = try? Messages.value(MediaJob.self, of: frame) else { exit(WorkerExit.badRequest) }
      say(Lies.answer(CommandLine.arguments.last ?? "", to: job, number: number))
    case "--twice":
      say(good)
      say(good)
    case "--half":
      say(Array(good.prefix(good.count / 2)))
      while true { pause() }
    case "--half-and-away":
      say(Array(good.prefix(good.count / 2)))
      exit(0)
    case "--garbage": say((0..<4_096).map { _ in UInt8.random(in: 0...255) })
    case "--long":
      // A head that promises more than there is memory.
      say(Array(good.prefix(16)) + [UInt8](repeating: 0x7F, count: 16))
    case "--progress-of-nothing", "--progress-goes-back":
      report(TranscodeProgress(encoding: 1, seconds: 2, duration: 9), number)
      report(TranscodeProgress(encoding: 1, seconds: 2, duration: 9), number)
    case "--progress-flood":
      say(Self.flood + good)
    case "--progress-no-number": report(TranscodeProgress(encoding: 1, seconds: .infinity), number)
    case "--other-job": say(Self.result(number: number + 1))
    case "--greets-again":
      Self.greet()
      while true { pause() }
    case "--not-json": say(Frame(kind: .result, job: number, text: Array("{]".utf8))?.wire ?? [])
    case "--wrong-size": say(Self.result(number: number, bytes: 1_000_000))
    case "--descriptors":
      for _ in 0..<20 { sendDescriptor() }
      exit(0)
    case "--mute":
      // Says no more, and lives on.
      close(channel.socket)
      while true { pause() }
    case "--asks": ask(CommandLine.arguments.last ?? "", number)
    case "--dribble": dribble(number)
    case "--never": while true { pause() }
    case "--not-loaded": exit(WorkerExit.notLoaded)
    default: exit(WorkerExit.usage)
    }
  }

  /// Asks for ranges as no honest worker does. The file has 4 bytes.
  private func ask(_ kind: String, _ number: UInt64) {
    func words(_ offset: UInt64, _ count: UInt64) -> [UInt8] {
      let text = [offset, count].flatMap { value in (0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
      }
      return Frame(kind: .ask, job: number, text: text)?.wire ?? []
    }
    switch kind {
    case "outside": say(words(2, 3))
    case "far": say(words(.max, 1))
    case "long": say(words(0, 1 << 40))
    case "nothing": say(words(0, 0))
    case "short": say(Frame(kind: .ask, job: number, text: [1, 2, 3])?.wire ?? [])
    case "other job": say(RangeMessages.ask(0, 4, job: number + 1)?.wire ?? [])
    case "two": say(words(0, 4) + words(0, 4))
    case "piece": say(RangeMessages.piece([1, 2, 3, 4], job: number)?.wire ?? [])
    case "endless":
      while true {
        say(words(0, 4))
        guard (try? channel.receive()) != nil else { exit(0) }
      }
    default:
      say(words(0, 4))
      let piece = (try? channel.receive())?.frame.bytes ?? []
      say(Self.result(number: number, title: String(decoding: piece, as: UTF8.self)))
    }
  }

  /// An answer that comes byte by byte, never pausing for long, while memory grows.
  private func dribble(_ number: UInt64) {
    let head = FrameHeader(kind: .result, job: number, textLength: 131_072, byteCount: 0)
    say(head?.bytes ?? [])
    if let bytes = malloc(256 << 20) { memset(bytes, 1, 256 << 20) }
    while true {
      say([0])
      usleep(200)
    }
  }

  /// Progress of the first job that could be, made before there is one, so that it comes faster than it is understood.
  private static let flood: [UInt8] = {
    var flood: [UInt8] = []
    for second in 0..<200_000 {
      let text = Array("{\"encoding\":1,\"seconds\":\(second)}".utf8)
      flood += Frame(kind: .progress, job: 1, text: text)?.wire ?? []
    }
    return flood
  }()

  private func report(_ progress: TranscodeProgress, _ number: UInt64) {
    say((try? Messages.frame(.progress(progress), job: number).wire) ?? [])
  }

  /// A byte of nonsense with a descriptor beside it.
  private func sendDescriptor() {
    var byte: UInt8 = 0
    _ = mediatool_send(channel.socket, &byte, 1, 0)
  }

  private func say(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { bytes in
        bytes.baseAddress.map { mediatool_send(channel.socket, $0, bytes.count, -1) } ?? 0
      }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// An answer that is as it should be, but for the size if one is given. Tests send files of 4 bytes.
  private static func result(number: UInt64, bytes: Int = 4, title: String = "good") -> [UInt8] {
    var info = MediaInfo(type: .plainText, bytes: bytes)
    info.title = title
    return (try? Messages.frame(MediaJobResult(info: info), job: number).wire) ?? []
  }
}
