internal import Mail
internal import TestSupport
internal import Testing

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

@Suite struct MailHoldTests {
  private static let first = MailHold.Identity.imap(validity: 1, uid: 7)
  private static let second = MailHold.Identity.imap(validity: 1, uid: 8)
  private static let structure = MailStructure(message: StructureTests.nested)

  private func full() -> MailHold {
    var hold = MailHold()
    #expect(hold.handle(.found(Self.first, Self.structure)) == [.setTimer(seconds: 1_800)])
    return hold
  }

  @Test func oneMailIsHeldAtATime() {
    var hold = MailHold()
    #expect(hold.state == .empty)
    #expect(
      hold.handle(.restored) == [.removeParts(except: nil), .fetchNext(after: nil), .setTimer(seconds: 300)])
    #expect(hold.handle(.timer) == [.fetchNext(after: nil), .setTimer(seconds: 300)])
    #expect(hold.handle(.found(Self.first, nil)) == [.fetchStructure(Self.first), .setTimer(seconds: 1_800)])
    #expect(hold.state == .full)
    #expect(hold.handle(.found(Self.second, Self.structure)).isEmpty)
    #expect(hold.held?.identity == Self.first)
    #expect(hold.handle(.structured(Self.second, Self.structure)).isEmpty)
    #expect(hold.held?.structure == nil)
    #expect(hold.handle(.structured(Self.first, Self.structure)).isEmpty)
    #expect(hold.held?.structure == Self.structure)
  }

  @Test func aMailThatIsGoneFromTheServerIsDropped() {
    var hold = full()
    #expect(hold.handle(.timer) == [.check(Self.first), .setTimer(seconds: 1_800)])
    #expect(hold.handle(.checked(Self.first, isThere: true)).isEmpty)
    // An answer about another mail says nothing about this one.
    #expect(hold.handle(.checked(Self.second, isThere: false)).isEmpty)
    #expect(hold.state == .full)
    #expect(
      hold.handle(.checked(Self.first, isThere: false)) == [
        .removeParts(except: nil), .fetchNext(after: Self.first), .setTimer(seconds: 300),
      ])
    #expect(hold.state == .empty)
    #expect(hold.handle(.found(Self.first, nil)).isEmpty)
  }

  @Test(arguments: [MailHold.Request.deletion, .reply(id: "r")])
  func aRequestChangesTheStateOnlyOnceItIsConfirmed(request: MailHold.Request) {
    var hold = full()
    let (event, effect): (MailHold.Event, MailHold.Effect) =
      request == .deletion ? (.delete, .delete(Self.first)) : (.reply(id: "r"), .sendReply(id: "r", to: Self.first))
    #expect(hold.handle(event) == [effect])
    #expect(hold.state == .full)
    // Nothing else is asked before the answer.
    #expect(hold.handle(.delete).isEmpty)
    #expect(hold.handle(.reply(id: "other")).isEmpty)
    #expect(hold.handle(.confirmed(request == .deletion ? .reply(id: "r") : .deletion)).isEmpty)
    #expect(hold.handle(.failed(request, reason: "offline")).isEmpty)
    #expect(hold.state == .full)
    #expect(hold.failure == "offline")
    #expect(hold.request == nil)
    // The second attempt succeeds.
    #expect(hold.handle(event) == [effect])
    #expect(hold.failure == nil)
    #expect(hold.handle(.confirmed(request)).first == .removeParts(except: nil))
    #expect(hold.state == .empty)
    #expect(hold.handle(.confirmed(request)).isEmpty)
  }

  @Test func anUnconfirmedReplyIsLookedForAndNotSentAgain() {
    var hold = full()
    _ = hold.handle(.reply(id: "r"))
    let effects = hold.handle(.restored)
    #expect(effects.contains(.findReply(id: "r", to: Self.first)))
    #expect(!effects.contains { if case .sendReply = $0 { true } else { false } })
    #expect(hold.request == .unconfirmedReply(id: "r"))
    #expect(hold.handle(.confirmed(.reply(id: "r"))).count == 3)
    #expect(hold.state == .empty)
    hold = full()
    _ = hold.handle(.delete)
    #expect(hold.handle(.restored).contains(.delete(Self.first)))
  }

  @Test func anotherUIDVALIDITYReleasesTheMail() {
    var hold = full()
    _ = hold.handle(.delete)
    #expect(hold.handle(.selected(validity: 1)).isEmpty)
    #expect(hold.handle(.selected(validity: 2)).count == 3)
    #expect(hold.state == .empty)
    hold = MailHold()
    _ = hold.handle(.found(.pop3(uidl: "a"), nil))
    #expect(hold.handle(.selected(validity: 2)).isEmpty)
  }

  @Test func aPartContinuesWhereItWasStored() {
    var hold = full()
    var decoder = MailPartDecoder(encoding: "base64")
    _ = decoder.feed(Array("SGVs".utf8))
    _ = hold.handle(.written(Self.first, section: "3", decoder, isComplete: false))
    #expect(hold.handle(.restored).contains(.fetchPart(Self.first, section: "3", decoder)))
    _ = hold.handle(.written(Self.first, section: "3", decoder, isComplete: true))
    _ = hold.handle(.written(Self.first, section: "3", MailPartDecoder(encoding: nil), isComplete: false))
    #expect(hold.held?.parts["3"]?.isComplete == true)
    #expect(!hold.handle(.restored).contains { if case .fetchPart = $0 { true } else { false } })
  }

  /// A server, a disk and a caller that is killed at any point, against the machine.
  @Test func randomHistoriesKeepTheRules() throws {
    var generator = SeededGenerator(seed: 3_501)
    for _ in 0..<400 {
      var world = World()
      for _ in 0..<60 { try world.step(&generator) }
      try world.settle()
    }
  }
}

/// What is outside of the machine.
private struct World {
  private var hold = MailHold()
  private var stored = Data()
  private var server: [UInt32] = [1, 2, 3, 4, 5, 6]
  /// The mails with files on the disk.
  private var disk: Set<MailHold.Identity> = []
  private var sent: [String: Int] = [:]
  private var replies = 0
  /// Effects that are not carried out, and answers that have not arrived.
  private var effects: [MailHold.Effect] = []
  private var answers: [MailHold.Event] = []

  init() { effects = hold.handle(.restored) }

  mutating func step(_ generator: inout SeededGenerator) throws {
    switch generator.below(12) {
    case 0: try take(.delete)
    case 1:
      replies += 1
      try take(.reply(id: "reply \(replies)"))
    case 2: try take(.timer)
    case 3 where !server.isEmpty: server.remove(at: generator.below(server.count))
    case 4:
      // The app is killed: what was neither stored nor on the server is lost.
      (effects, answers) = ([], [])
      if !stored.isEmpty { hold = try JSONDecoder().decode(MailHold.self, from: stored) } else { hold = MailHold() }
      try take(.restored)
    case 5...8 where !effects.isEmpty: carryOut(effects.removeFirst(), fails: generator.below(4) == 0)
    case 9:
      guard let identity = hold.held?.identity else { return }
      disk.insert(identity)
      try take(.written(identity, section: "1", MailPartDecoder(encoding: nil), isComplete: generator.below(2) == 0))
    default: if !answers.isEmpty { try take(answers.remove(at: generator.below(answers.count))) }
    }
  }

  private mutating func take(_ event: MailHold.Event) throws {
    let before = hold
    let new = hold.handle(event)
    stored = try JSONEncoder().encode(hold)
    effects += new
    // Only a confirmation, or the server's word, empties the hold.
    if before.state == .full, hold.state == .empty {
      switch event {
      case .confirmed, .checked(_, isThere: false): break
      default: Issue.record("\(event) emptied the hold")
      }
      #expect(new.first == .removeParts(except: nil))
    }
    if let old = before.held?.identity, let current = hold.held?.identity { #expect(old == current) }
  }

  private mutating func carryOut(_ effect: MailHold.Effect, fails: Bool) {
    switch effect {
    case .fetchNext(let released):
      let next = server.map { MailHold.Identity.imap(validity: 1, uid: $0) }.first { $0 != released }
      if !fails, let next { answers.append(.found(next, nil)) }
    case .check(let identity): if !fails { answers.append(.checked(identity, isThere: isOnServer(identity))) }
    case .delete(let identity):
      if fails {
        answers.append(.failed(.deletion, reason: "offline"))
      } else {
        server.removeAll { .imap(validity: 1, uid: $0) == identity }
        answers.append(.confirmed(.deletion))
      }
    case .sendReply(let id, _):
      if fails {
        answers.append(.failed(.reply(id: id), reason: "offline"))
      } else {
        sent[id, default: 0] += 1
        #expect(sent[id] == 1, "a reply was sent twice")
        answers.append(.confirmed(.reply(id: id)))
      }
    case .findReply(let id, _):
      answers.append(
        sent[id] == nil ? .failed(.unconfirmedReply(id: id), reason: "not sent") : .confirmed(.unconfirmedReply(id: id))
      )
    case .removeParts(let identity): disk = disk.filter { $0 == identity }
    case .fetchStructure, .fetchPart, .setTimer: break
    }
  }

  private func isOnServer(_ identity: MailHold.Identity) -> Bool {
    server.contains { .imap(validity: 1, uid: $0) == identity }
  }

  /// With a working server and no kill, everything comes to rest: files of the held mail alone, and a held mail is on the server.
  mutating func settle() throws {
    // The first round ends what was begun; a mail may have left the server meanwhile, which the second finds.
    for event in [MailHold.Event.restored, .timer] {
      try take(event)
      var steps = 0
      while steps < 1_000, !(effects.isEmpty && answers.isEmpty) {
        steps += 1
        if effects.isEmpty { try take(answers.removeFirst()) } else { carryOut(effects.removeFirst(), fails: false) }
      }
    }
    #expect(effects.isEmpty)
    #expect(answers.isEmpty)
    #expect(hold.request == nil)
    #expect(disk.isSubset(of: hold.held.map { [$0.identity] } ?? []))
    if let identity = hold.held?.identity { #expect(isOnServer(identity)) }
  }
}
