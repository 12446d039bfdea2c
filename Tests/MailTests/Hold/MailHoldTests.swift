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

  @Test("One mail is held at a time") func oneMailIsHeldAtATime() {
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

  @Test("A mail that is gone from the server is dropped") func aMailThatIsGoneFromTheServerIsDropped() {
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

  @Test("A reply stays when its mail is gone") func aReplyStaysWhenItsMailIsGone() {
    for answer in [MailHold.Event.checked(Self.first, isThere: false), .selected(validity: 2)] {
      var hold = full()
      _ = hold.handle(.reply(id: "r"))
      #expect(hold.handle(answer).isEmpty)
      #expect(hold.held?.isGone == true)
      // Nothing is asked of a mail that is gone; only the reply is looked for.
      #expect(hold.handle(.timer) == [.setTimer(seconds: 1_800)])
      var restarted = hold
      #expect(
        restarted.handle(.restored) == [
          .removeParts(except: Self.first), .findReply(id: "r", to: Self.first), .setTimer(seconds: 1_800),
        ])
      #expect(restarted.handle(.timer).contains(.findReply(id: "r", to: Self.first)))
      #expect(restarted.handle(.confirmed(Self.first, .unconfirmedReply(id: "r"))).count == 3)
      #expect(restarted.state == .empty)
      #expect(hold.handle(.failed(Self.first, .reply(id: "r"), reason: "refused")).first == .removeParts(except: nil))
      #expect(hold.state == .empty)
      #expect(hold.failure == "refused")
    }
  }

  @Test("A late answer about another mail changes nothing") func aLateAnswerAboutAnotherMailChangesNothing() {
    var hold = full()
    _ = hold.handle(.delete)
    _ = hold.handle(.checked(Self.first, isThere: false))
    _ = hold.handle(.found(Self.second, Self.structure))
    _ = hold.handle(.delete)
    #expect(hold.handle(.confirmed(Self.first, .deletion)).isEmpty)
    #expect(hold.handle(.failed(Self.first, .deletion, reason: "late")).isEmpty)
    #expect(hold.held?.identity == Self.second)
    #expect(hold.request == .deletion)
  }

  @Test("Nothing is asked of a mailbox before its UIDVALIDITY is known")
  func nothingIsAskedOfAMailboxBeforeItsUIDVALIDITYIsKnown() {
    var hold = full()
    var decoder = MailPartDecoder(encoding: "base64")
    _ = decoder.feed(Array("SGVs".utf8))
    _ = hold.handle(.written(Self.first, section: "3", decoder, isComplete: false))
    let before = [.removeParts(except: Self.first), MailHold.Effect.select(Self.first), .setTimer(seconds: 1_800)]
    #expect(hold.handle(.restored) == before)
    #expect(hold.handle(.delete) == [.select(Self.first)])
    #expect(hold.handle(.timer) == [.select(Self.first), .setTimer(seconds: 1_800)])
    var other = hold
    #expect(
      hold.handle(.selected(validity: 1)) == [
        .delete(Self.first), .fetchPart(Self.first, section: "3", decoder), .check(Self.first),
      ])
    #expect(hold.handle(.selected(validity: 1)).isEmpty)
    // The mail of another UIDVALIDITY is not deleted, whatever its UID is.
    #expect(
      other.handle(.selected(validity: 2)) == [
        .removeParts(except: nil), .fetchNext(after: Self.first), .setTimer(seconds: 300),
      ])
    // What was found before the mailbox was selected again is not held.
    #expect(other.handle(.found(Self.second, nil)).isEmpty)
    #expect(other.handle(.found(.imap(validity: 2, uid: 7), nil)).count == 2)
  }

  @Test(
    "A request changes the state only once it is confirmed", arguments: [MailHold.Request.deletion, .reply(id: "r")])
  func aRequestChangesTheStateOnlyOnceItIsConfirmed(request: MailHold.Request) {
    var hold = full()
    let (event, effect): (MailHold.Event, MailHold.Effect) =
      request == .deletion ? (.delete, .delete(Self.first)) : (.reply(id: "r"), .sendReply(id: "r", to: Self.first))
    #expect(hold.handle(event) == [effect])
    #expect(hold.state == .full)
    // Nothing else is asked before the answer.
    #expect(hold.handle(.delete).isEmpty)
    #expect(hold.handle(.reply(id: "other")).isEmpty)
    #expect(hold.handle(.confirmed(Self.first, request == .deletion ? .reply(id: "r") : .deletion)).isEmpty)
    #expect(hold.handle(.failed(Self.first, request, reason: "offline")).isEmpty)
    #expect(hold.state == .full)
    #expect(hold.failure == "offline")
    #expect(hold.request == nil)
    // The second attempt succeeds.
    #expect(hold.handle(event) == [effect])
    #expect(hold.failure == nil)
    #expect(hold.handle(.confirmed(Self.first, request)).first == .removeParts(except: nil))
    #expect(hold.state == .empty)
    #expect(hold.handle(.confirmed(Self.first, request)).isEmpty)
  }

  @Test("An unconfirmed reply is looked for and not sent again") func anUnconfirmedReplyIsLookedForAndNotSentAgain() {
    var hold = full()
    _ = hold.handle(.reply(id: "r"))
    let effects = hold.handle(.restored)
    #expect(effects.contains(.findReply(id: "r", to: Self.first)))
    #expect(!effects.contains { if case .sendReply = $0 { true } else { false } })
    #expect(hold.request == .unconfirmedReply(id: "r"))
    #expect(hold.handle(.confirmed(Self.first, .reply(id: "r"))).count == 3)
    #expect(hold.state == .empty)
    hold = full()
    _ = hold.handle(.delete)
    _ = hold.handle(.restored)
    #expect(hold.handle(.selected(validity: 1)).contains(.delete(Self.first)))
  }

  @Test("Another UIDVALIDITY releases the mail") func anotherUIDVALIDITYReleasesTheMail() {
    var hold = full()
    _ = hold.handle(.delete)
    #expect(hold.handle(.selected(validity: 1)).isEmpty)
    #expect(hold.handle(.selected(validity: 2)).count == 3)
    #expect(hold.state == .empty)
    hold = MailHold()
    _ = hold.handle(.found(.pop3(uidl: "a"), nil))
    #expect(hold.handle(.selected(validity: 2)).isEmpty)
  }

  @Test("A part continues where it was stored") func aPartContinuesWhereItWasStored() {
    var hold = full()
    var decoder = MailPartDecoder(encoding: "base64")
    _ = decoder.feed(Array("SGVs".utf8))
    _ = hold.handle(.written(Self.first, section: "3", decoder, isComplete: false))
    _ = hold.handle(.restored)
    #expect(hold.handle(.selected(validity: 1)).contains(.fetchPart(Self.first, section: "3", decoder)))
    _ = hold.handle(.written(Self.first, section: "3", decoder, isComplete: true))
    _ = hold.handle(.written(Self.first, section: "3", MailPartDecoder(encoding: nil), isComplete: false))
    #expect(hold.held?.parts["3"]?.isComplete == true)
    let effects = hold.handle(.restored) + hold.handle(.selected(validity: 1))
    #expect(!effects.contains { if case .fetchPart = $0 { true } else { false } })
  }

  /// A server, a disk and a caller that is killed at any point, against the machine.
  @Test("Random histories keep the rules") func randomHistoriesKeepTheRules() throws {
    var generator = SeededGenerator(seed: 3_501)
    for _ in 0..<400 {
      var world = World()
      for _ in 0..<80 { try world.step(&generator) }
      try world.settle()
    }
  }
}
