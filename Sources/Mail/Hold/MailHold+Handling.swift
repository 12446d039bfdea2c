extension MailHold {
  /// Takes an event. An event that does not fit the state changes nothing.
  /// - Returns: What the caller does, after it has stored this state.
  public mutating func handle(_ event: Event) -> [Effect] {
    switch event {
    case .restored: restored()
    case .timer: look + [timer]
    case .found(let identity, let structure): found(identity, structure)
    case .structured(let identity, let structure): structured(identity, structure)
    case .written(let identity, let section, let decoder, let isComplete):
      written(identity, section, Part(decoder: decoder, isComplete: isComplete))
    case .checked(let identity, let isThere): held?.identity == identity && !isThere ? gone() : []
    case .selected(let validity): selected(validity)
    case .delete: ask(.deletion)
    case .reply(let id): ask(.reply(id: id))
    case .confirmed(let identity, let request): isOpen(request, of: identity) ? release() : []
    case .failed(let identity, let request, let reason): isOpen(request, of: identity) ? failed(reason) : []
    }
  }

  private var timer: Effect { .setTimer(seconds: held == nil ? fetchInterval : checkInterval) }

  /// The next questions to the server.
  private var look: [Effect] {
    guard let held else { return [.fetchNext(after: released)] }
    var effects: [Effect] = []
    if case .unconfirmedReply(let id)? = request { effects.append(.findReply(id: id, to: held.identity)) }
    if !held.isGone { effects.append(isReachable ? .check(held.identity) : .select(held.identity)) }
    return effects
  }

  /// Whether the identity of the held mail means the same mail on the server as when it was found.
  private var isReachable: Bool {
    switch held?.identity {
    case .imap(let validity, _): validity == selectedValidity
    case .pop3: true
    case nil: false
    }
  }

  /// What was begun with the held mail, and needs its identity.
  private var unfinished: [Effect] {
    guard let held, isReachable, !held.isGone else { return [] }
    var effects: [Effect] = []
    // A deletion can be repeated.
    if request == .deletion { effects.append(.delete(held.identity)) }
    if held.structure == nil { effects.append(.fetchStructure(held.identity)) }
    for (section, part) in held.parts.sorted(by: { $0.key < $1.key }) where !part.isComplete {
      effects.append(.fetchPart(held.identity, section: section, part.decoder))
    }
    return effects
  }

  private mutating func restored() -> [Effect] {
    selectedValidity = nil
    // The app may have ended before the files of a released mail were removed.
    let cleaning = Effect.removeParts(except: held?.identity)
    // A reply that was sent must not be repeated.
    if let id = openReply { request = .unconfirmedReply(id: id) }
    return [cleaning] + unfinished + look + [timer]
  }

  private mutating func found(_ identity: Identity, _ structure: MailStructure?) -> [Effect] {
    guard held == nil, identity != released else { return [] }
    if case .imap(let validity, _) = identity {
      // Found before the mailbox was selected again.
      guard validity == selectedValidity ?? validity else { return [] }
      selectedValidity = validity
    }
    held = Held(identity: identity, structure: structure)
    return (structure == nil ? [.fetchStructure(identity)] : []) + [timer]
  }

  private mutating func structured(_ identity: Identity, _ structure: MailStructure) -> [Effect] {
    if held?.identity == identity { held?.structure = structure }
    return []
  }

  private mutating func written(_ identity: Identity, _ section: String, _ part: Part) -> [Effect] {
    guard let held, held.identity == identity, !(held.parts[section]?.isComplete ?? false) else { return [] }
    self.held?.parts[section] = part
    return []
  }

  /// With another UIDVALIDITY the UID means another mail, or none.
  private mutating func selected(_ validity: UInt32) -> [Effect] {
    guard validity != selectedValidity else { return [] }
    selectedValidity = validity
    guard let held, case .imap(let known, _) = held.identity else { return [] }
    guard known == validity else { return gone() }
    return unfinished + (held.isGone ? [] : [.check(held.identity)])
  }

  // MARK: Requests

  /// The reply that is not answered.
  private var openReply: String? {
    switch request {
    case .reply(let id), .unconfirmedReply(let id): id
    case .deletion, nil: nil
    }
  }

  private mutating func ask(_ new: Request) -> [Effect] {
    guard let held, request == nil else { return [] }
    request = new
    failure = nil
    switch new {
    case .deletion: return [isReachable ? .delete(held.identity) : .select(held.identity)]
    case .reply(let id), .unconfirmedReply(let id): return [.sendReply(id: id, to: held.identity)]
    }
  }

  private mutating func failed(_ reason: String) -> [Effect] {
    request = nil
    let effects = held?.isGone == true ? release() : []
    failure = reason
    return effects
  }

  /// Whether an answer is one to the open request.
  private func isOpen(_ answered: Request, of identity: Identity) -> Bool {
    guard held?.identity == identity else { return false }
    switch (request, answered) {
    case (.deletion, .deletion): return true
    case (.reply(let id), .reply(let other)), (.reply(let id), .unconfirmedReply(let other)),
      (.unconfirmedReply(let id), .reply(let other)), (.unconfirmedReply(let id), .unconfirmedReply(let other)):
      return id == other
    default: return false
    }
  }

  /// The server does not have the mail: it is released, once it is known whether a reply to it was sent.
  private mutating func gone() -> [Effect] {
    guard openReply != nil else { return release() }
    held?.isGone = true
    return []
  }

  /// The hold becomes empty, and its files are removed.
  private mutating func release() -> [Effect] {
    guard let held else { return [] }
    released = held.identity
    (self.held, request, failure) = (nil, nil, nil)
    return [.removeParts(except: nil)] + look + [timer]
  }
}
