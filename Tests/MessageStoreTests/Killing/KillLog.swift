internal import Foundation
internal import Glibc
internal import MMSCodec

@testable internal import MessageStore

/// What the killed processes noted, one line per call that returned. Each line is a system call, so that it outlives its process.
struct KillLog: Sendable {
  private let path: String
  private let descriptor: CInt

  init(_ path: String) {
    self.path = path + "/log"
    descriptor = open(self.path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
  }

  func note(_ line: String) { _ = "\(line)\n".withCString { write(descriptor, $0, strlen($0)) } }

  /// Lets the carrier have every message that was ever announced.
  func offer(_ network: FakeNetwork) throws {
    for name in names("offer") {
      try network.keep(try OperatorPDU.retrieved(text: "received \(name)"), at: "http://mmsc/\(name)")
    }
  }

  /// The names after a word.
  func names(_ word: String) -> Set<String> { Set(lines(word)) }

  /// What follows a word, as often as it was noted.
  func lines(_ word: String) -> [String] {
    let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    // A last line without an end was not noted.
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    return lines.filter { $0.hasPrefix("\(word) ") }.map { String($0.dropFirst(word.count + 1)) }
  }
}

/// A carrier whose memory outlives the process: it has a request as soon as the line is noted, whether or not its answer arrives.
struct LoggedNetwork: MessageOutbox.Network {
  let network: FakeNetwork
  let log: KillLog

  func submit(_ request: MessageOutbox.Request) async throws -> MessageOutbox.Answer {
    switch request {
    case .sms(let text, _, _): log.note("modem \(text)")
    case .mms(let octets):
      let message = try MMSMessage(decoding: octets)
      let text = message.parts.map(\.text).first { $0.hasPrefix("draft ") }
      if let text, let transaction = message.transactionID?.text {
        log.note("mmsc \(text.dropFirst(6)) \(transaction)")
      }
    }
    return try await network.submit(request)
  }

  func fetch(_ location: String, progress: @escaping MessageOutbox.Progress) async throws -> [UInt8] {
    try await network.fetch(location, progress: progress)
  }
}
