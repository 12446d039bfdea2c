internal import Foundation
internal import Glibc
internal import Mail
internal import TestSupport
internal import Testing

@Suite("A mail hold whose app is killed", .serialized) struct MailHoldKillTests {
  private static let kills = ProcessInfo.processInfo.environment["MEDIATOOL_FULL"] == "1" ? 200 : 6
  /// Steps that every second process takes before it may be killed, however slow the machine is: each kind once.
  private static let steps = 3

  private static func work(in folder: String, turn: Int, killedAfter microseconds: UInt32) throws {
    if turn % 2 == 1 {
      let program = try HoldProgram(folder: folder, turn: turn)
      try program.start()
      for number in 1...steps { try program.step(number) }
      try KilledWriter.run(killedAfter: microseconds, in: folder) { try program.step(steps + $0) }
    } else {
      // It may be killed while it starts, too.
      var program: HoldProgram?
      try KilledWriter.run(killedAfter: microseconds, in: folder) { number in
        if let program { return try program.step(number) }
        program = try HoldProgram(folder: folder, turn: turn)
        try program?.start()
      }
    }
  }

  @Test(
    "After a kill at any point the state on the disk is whole, and the mail is held until its deletion, reply or absence is confirmed"
  )
  func killed() async throws {
    let temporary = try TemporaryFolder()
    let folder = temporary.url.path
    var random = SeededGenerator(seed: 18)
    for turn in 0..<Self.kills {
      let microseconds = UInt32(random.below(60_000))
      await #expect(processExitsWith: .signal(SIGKILL), "turn \(turn)") {
        [folder = folder as String, turn = turn as Int, microseconds = microseconds as UInt32] in
        try MailHoldKillTests.work(in: folder, turn: turn, killedAfter: microseconds)
      }
      try check(folder, turn)
      try checkStart(folder, turn)
    }
    let server = LoggedServer(folder)
    #expect(server.noted("done").count >= Self.steps * (Self.kills / 2))
    #expect(server.noted("sent").count >= Self.kills / 2)
    #expect(server.noted("deleted").count >= Self.kills / 2)
  }

  /// What is on the disk and on the server, before the app starts again.
  private func check(_ folder: String, _ turn: Int) throws {
    let server = LoggedServer(folder)
    let sent = server.replies
    #expect(Set(sent).count == sent.count, "turn \(turn): a reply was sent twice")
    #expect(Set(server.noted("deleted")).isSubset(of: server.noted("asked")), "turn \(turn)")
    guard let hold = try HoldProgram.stored(in: folder) else { return }
    let ends = Set(server.noted("deleted") + server.answered + server.noted("left"))
    if let released = hold.released.flatMap(HoldProgram.uid) { #expect(ends.contains("\(released)"), "turn \(turn)") }
    guard let held = hold.held, let uid = HoldProgram.uid(hold) else { return }
    #expect(!server.noted("done").contains("\(uid)"), "turn \(turn): what was confirmed is forgotten")
    if server.noted("deleted").contains("\(uid)") { #expect(hold.request == .deletion, "turn \(turn)") }
    if server.answered.contains("\(uid)") {
      switch hold.request {
      case .reply, .unconfirmedReply: break
      case .deletion, nil: Issue.record("turn \(turn): the reply to mail \(uid) is forgotten")
      }
    }
    if let part = held.parts["2"] {
      let bytes = HoldProgram.file(uid, in: folder) ?? []
      #expect(bytes.starts(with: HoldProgram.content(uid).prefix(part.decoder.decodedOctets)), "turn \(turn)")
      #expect(bytes.count >= part.decoder.decodedOctets, "turn \(turn)")
    }
  }

  /// The app starts again, with a server that answers.
  private func checkStart(_ folder: String, _ turn: Int) throws {
    let program = try HoldProgram(folder: folder, turn: Self.kills + turn)
    try program.start()
    let (hold, server) = (program.hold, program.server)
    #expect(hold.request == nil, "turn \(turn)")
    let sent = server.replies
    #expect(Set(sent).count == sent.count, "turn \(turn): a reply was sent twice")
    let uid = HoldProgram.uid(hold)
    let files = try FileManager.default.contentsOfDirectory(atPath: folder + "/parts")
    #expect(Set(files).isSubset(of: uid.map { ["\($0)"] } ?? []), "turn \(turn)")
    guard let held = hold.held, let uid else { return }
    #expect(server.has(uid), "turn \(turn)")
    #expect(!server.answered.contains("\(uid)"), "turn \(turn)")
    if let part = held.parts["2"] {
      #expect(part.isComplete, "turn \(turn)")
      #expect(HoldProgram.file(uid, in: folder) == HoldProgram.content(uid), "turn \(turn)")
    }
  }
}
