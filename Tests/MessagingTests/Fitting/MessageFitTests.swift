internal import AttachmentPolicy
internal import MMSCodec
internal import MediaModel
internal import Messaging
internal import TestSupport
internal import Testing

@Suite("R-MMS-61, D6.14: fitting") struct MessageFitTests {
  private static let rounds = 40

  /// Calls `body` with random messages and what happened to them.
  private func each(
    seed: UInt64, _ body: (RandomFit, MessageFit.Plan.Outcome, FitModel, Comment) throws -> Void
  ) rethrows {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    for round in 0..<Self.rounds {
      let message = RandomFit(&random)
      var model = message.model
      let outcome = model.fit(message.composition, under: message.profile)
      try body(message, outcome, model, "seed \(seed), message \(round)")
    }
  }

  @Test("The size of the encoded message never exceeds the limit, and equals the planned size")
  func neverOverTheLimit() throws {
    var fitted = 0
    try each(seed: 61) { message, outcome, _, comment in
      guard case .fitted(let plan) = outcome else { return }
      fitted += 1
      #expect(plan.bytes <= message.profile.maxMessageBytes, comment)
      let options = MessageComposition.SendOptions(
        transactionID: String(repeating: "0", count: 40), date: 1_800_000_000)
      let request = try plan.composition.sendRequest(options) { Array(repeating: 7, count: $0.info.bytes) }
      let octets = try request.encoded()
      #expect(octets.count == plan.bytes, comment)
      // What is sent is what was composed: the same kinds in the same order.
      #expect(plan.composition.attachments.map(\.id) == message.composition.attachments.map(\.id), comment)
      #expect(plan.composition.text == message.composition.text, comment)
    }
    #expect(fitted > Self.rounds / 2)
  }

  @Test("Equal messages have equal plans") func deterministic() {
    each(seed: 62) { message, outcome, _, comment in
      var model = message.model
      #expect(model.fit(message.composition, under: message.profile) == outcome, comment)
    }
  }

  @Test("No image grows in pixels, no JPEG in bytes, and none exceeds the profile's box")
  func neverEnlarges() {
    each(seed: 63) { message, outcome, model, comment in
      guard case .fitted(let plan) = outcome else { return }
      for (old, new) in zip(message.composition.attachments, plan.composition.attachments) {
        guard let from = old.info.displaySize, let to = new.info.displaySize, !model.broken.contains(old.id) else {
          continue
        }
        #expect(to.width <= from.width, comment)
        #expect(to.height <= from.height, comment)
        let box = message.profile.maxImageSize
        #expect(max(to.width, to.height) <= max(box.width, box.height), comment)
        #expect(min(to.width, to.height) <= min(box.width, box.height), comment)
        // The model has no JPEG of fewer bytes for some that are small already.
        if old.info.type == .jpeg, old.info.bytes > 40_000 { #expect(new.info.bytes <= old.info.bytes, comment) }
      }
    }
  }

  @Test("No image is encoded more often than documented") func bounded() {
    each(seed: 64) { _, _, model, comment in
      #expect(model.encoded.values.allSatisfy { $0 <= MessageFit.maxTrials }, comment)
    }
  }

  @Test("A refusal names what to remove: without it the rest fits, and with any one of it the rest does not")
  func refusalIsExact() {
    var refused = 0
    each(seed: 65) { message, outcome, _, comment in
      guard case .refused(let refusal) = outcome else { return }
      refused += 1
      #expect(!refusal.remove.isEmpty || refusal.textExcess != nil, comment)
      #expect(
        refusal.bytes > refusal.limit || !refusal.unsupported.isEmpty || !refusal.withMetadata.isEmpty, comment)
      // Those are named before anything is encoded.
      guard refusal.withMetadata.isEmpty else { return }
      guard refusal.textExcess == nil else { return }
      func refuses(without ids: Set<MediaAttachment.ID>) -> Bool {
        let content = message.composition.content.filter { item in
          if case .attachment(let item) = item { !ids.contains(item.id) } else { true }
        }
        let rest = MessageComposition(
          content: content, recipients: message.composition.recipients, subject: message.composition.sentSubject)
        var model = message.model
        if case .refused = model.fit(rest, under: message.profile) { return true }
        return false
      }
      let all = Set(refusal.remove)
      #expect(!refuses(without: all), comment)
      for id in refusal.remove { #expect(refuses(without: all.subtracting([id])), comment) }
    }
    #expect(refused >= 3, "seed 65")
  }

  @Test("Every change is reported, and nothing else") func changes() {
    each(seed: 66) { message, outcome, model, comment in
      guard case .fitted(let plan) = outcome else { return }
      let unstripped = model.stripping.filter { $0.value == .impossible }.keys
      #expect(Set(plan.failures.keys).isSubset(of: model.broken.union(unstripped)), comment)
      for id in plan.failures.keys {
        #expect(plan.images[id] == nil)
        #expect(!plan.changes.contains { $0.id == id })
      }
      for (old, new) in zip(message.composition.attachments, plan.composition.attachments) {
        let change = plan.changes.first { $0.id == old.id }
        let isOther =
          model.stripping[old.id] == .stripped || old.info.bytes != new.info.bytes || old.info.type != new.info.type
          || old.info.displaySize != new.info.displaySize
        #expect((change != nil) == isOther, comment)
        guard let change else { continue }
        #expect(change.from.bytes == old.info.bytes, comment)
        #expect(change.to.bytes == new.info.bytes, comment)
        #expect(change.from.type == old.info.type, comment)
        #expect(change.to.type == new.info.type, comment)
        #expect((change.to.width, change.to.height) == (new.info.width, new.info.height), comment)
        #expect(change.effects.contains(.flattened) == (old.info.alpha == true && new.info.type == .jpeg), comment)
        #expect(change.effects.contains(.firstFrame) == (old.info.animated == true && new.info.animated != true))
      }
    }
  }
}
