internal import Mail
internal import TestSupport
internal import Testing

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// What is outside of the machine: a mailbox that may be made again with the same UIDs for other mails, a disk, and a caller that is killed.
struct World {
  private var hold = MailHold()
  private var stored = Data()
  private var validity: UInt32 = 1
  private var uids: [UInt32] = [1, 2, 3, 4, 5, 6]
  /// The mails with files on the disk.
  private var disk: Set<MailHold.Identity> = []
  private var sent: [String: Int] = [:]
  private var replies = 0
  /// What the user deleted.
  private var deleted: Set<MailHold.Identity> = []
  /// The UIDVALIDITY that the machine was informed of since the last kill.
  private var known: UInt32?
  /// Effects that are not carried out, and answers that have not arrived.
  private var effects: [MailHold.Effect] = []
  private var answers: [MailHold.Event] = []

  init() { effects = hold.handle(.restored) }

  mutating func step(_ generator: inout SeededGenerator) throws {
    switch generator.below(14) {
    case 0:
      if let identity = hold.held?.identity, hold.request == nil { deleted.insert(identity) }
      try take(.delete)
    case 1:
      replies += 1
      try take(.reply(id: "reply \(replies)"))
    case 2: try take(.timer)
    case 3 where !uids.isEmpty: uids.remove(at: generator.below(uids.count))
    case 4:
      // The app is killed: what was neither stored nor on the server is lost.
      (effects, answers, known) = ([], [], nil)
      hold = stored.isEmpty ? MailHold() : try JSONDecoder().decode(MailHold.self, from: stored)
      try take(.restored)
    case 5 where generator.below(3) == 0:
      // The mailbox is made again while the app runs, or while it does not.
      (validity, uids) = (validity + 1, [1, 2, 3, 4, 5, 6])
      if known != nil { try take(.selected(validity: validity)) }
    case 6...10 where !effects.isEmpty: try carryOut(effects.removeFirst(), fails: generator.below(4) == 0)
    case 11:
      guard let identity = hold.held?.identity else { return }
      disk.insert(identity)
      try take(.written(identity, section: "1", MailPartDecoder(encoding: nil), isComplete: generator.below(2) == 0))
    default: if !answers.isEmpty { try take(answers.remove(at: generator.below(answers.count))) }
    }
  }

  private mutating func take(_ event: MailHold.Event) throws {
    let before = hold
    if case .selected(let validity) = event { known = validity }
    let new = hold.handle(event)
    stored = try JSONEncoder().encode(hold)
    #expect(try JSONDecoder().decode(MailHold.self, from: stored) == hold)
    effects += new
    compare(before, event, new)
    for effect in new {
      switch effect {
      case .delete(let identity), .check(let identity), .fetchStructure(let identity), .fetchPart(let identity, _, _):
        if case .imap(let validity, _) = identity { #expect(validity == known, "\(effect) after \(event)") }
      case .fetchNext, .findReply, .removeParts, .select, .sendReply, .setTimer: break
      }
    }
  }

  private func compare(_ before: MailHold, _ event: MailHold.Event, _ effects: [MailHold.Effect]) {
    guard let old = before.held else { return }
    if let current = hold.held?.identity { #expect(old.identity == current) }
    let reply: String? =
      switch before.request {
      case .reply(let id), .unconfirmedReply(let id): id
      case .deletion, nil: nil
      }
    // Only an answer to a request ends it, unless the mail is gone and nothing is left to confirm.
    let isAnswer: Bool
    switch event {
    case .confirmed(let identity, let request), .failed(let identity, let request, _):
      isAnswer = identity == old.identity && (request == .deletion) == (reply == nil) && before.request != nil
    default: isAnswer = false
    }
    if reply != nil, hold.request == nil { #expect(isAnswer, "\(event) forgot a reply") }
    guard hold.state == .empty else { return }
    #expect(effects.first == .removeParts(except: nil))
    switch event {
    case .confirmed: #expect(isAnswer)
    case .failed:
      #expect(isAnswer)
      #expect(old.isGone)
    case .checked(let identity, let isThere):
      #expect(identity == old.identity)
      #expect(!isThere)
      #expect(reply == nil)
    case .selected(let validity):
      if case .imap(validity, _) = old.identity { Issue.record("\(event) emptied the hold") }
      #expect(reply == nil)
    default: Issue.record("\(event) emptied the hold")
    }
  }

  /// The app does what the documentation of ``MailHold/Effect`` says, and nothing cleverer.
  private mutating func carryOut(_ effect: MailHold.Effect, fails: Bool) throws {
    switch effect {
    case .fetchNext(let released):
      guard !fails else { return }
      if known != validity { try take(.selected(validity: validity)) }
      let next = uids.map { MailHold.Identity.imap(validity: validity, uid: $0) }.first { $0 != released }
      if let next { answers.append(.found(next, nil)) }
    case .select: if !fails { try take(.selected(validity: validity)) }
    case .check(let identity):
      if !fails, isSelected(identity) { answers.append(.checked(identity, isThere: isOnServer(identity))) }
    case .delete(let identity):
      guard isSelected(identity) else { return }
      if fails {
        answers.append(.failed(identity, .deletion, reason: "offline"))
      } else {
        #expect(deleted.contains(identity), "a mail was deleted that the user did not delete")
        uids.removeAll { .imap(validity: validity, uid: $0) == identity }
        answers.append(.confirmed(identity, .deletion))
      }
    case .sendReply(let id, let identity):
      if fails {
        answers.append(.failed(identity, .reply(id: id), reason: "offline"))
      } else {
        sent[id, default: 0] += 1
        #expect(sent[id] == 1, "a reply was sent twice")
        answers.append(.confirmed(identity, .reply(id: id)))
      }
    case .findReply(let id, let identity):
      if fails { return }
      let request = MailHold.Request.unconfirmedReply(id: id)
      answers.append(
        sent[id] == nil ? .failed(identity, request, reason: "not sent") : .confirmed(identity, request))
    case .removeParts(let identity): disk = disk.filter { $0 == identity }
    case .fetchStructure, .fetchPart, .setTimer: break
    }
  }

  private func isSelected(_ identity: MailHold.Identity) -> Bool {
    if case .imap(validity, _) = identity { true } else { false }
  }

  private func isOnServer(_ identity: MailHold.Identity) -> Bool {
    uids.contains { .imap(validity: validity, uid: $0) == identity }
  }

  /// With a working server and no kill, everything comes to rest: files of the held mail alone, and a held mail is on the server.
  mutating func settle() throws {
    // The first round ends what was begun; a mail may have left the server meanwhile, which the second finds.
    for event in [MailHold.Event.restored, .timer, .timer] {
      if event == .restored { (effects, answers, known) = ([], [], nil) }
      try take(event)
      var steps = 0
      while steps < 1_000, !(effects.isEmpty && answers.isEmpty) {
        steps += 1
        if effects.isEmpty {
          try take(answers.removeFirst())
        } else {
          try carryOut(effects.removeFirst(), fails: false)
        }
      }
    }
    #expect(effects.isEmpty)
    #expect(answers.isEmpty)
    #expect(hold.request == nil)
    #expect(disk.isSubset(of: hold.held.map { [$0.identity] } ?? []))
    if let identity = hold.held?.identity { #expect(isOnServer(identity)) }
  }
}
