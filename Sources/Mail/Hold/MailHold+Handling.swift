extension MailHold {
  /// Takes an event. An event that does not fit the state changes nothing.
  /// - Returns: What the caller does, after it has stored this state.
  public mutating func handle(_ event: Event) -> [Effect] {
    switch event {
    case .restored: restored()
    case .timer: [look, timer]
    case .found(let identity, let structure): found(identity, structure)
    case .structured(let identity, let structure): structured(identity, structure)
    case .written(let identity, let section, let decoder, let isComplete):
      written(identity, section, Part(decoder: decoder, isComplete: isComplete))
    case .checked(let identity, let isThere): held?.identity == identity && !isThere ? release() : []
    case .selected(let validity): selected(validity)
    case .delete: ask(.deletion)
    case .reply(let id): ask(.reply(id: id))
    case .confirmed(let request): confirmed(request)
    case .failed(let request, let reason): failed(request, reason)
    }
  }

  /// The next question to the server.
  private var look: Effect { held.map { .check($0.identity) } ?? .fetchNext(after: released) }
  private var timer: Effect { .setTimer(seconds: held == nil ? fetchInterval : checkInterval) }

  private mutating func restored() -> [Effect] {
    // The app may have ended before the files of a released mail were removed.
    var effects: [Effect] = [.removeParts(except: held?.identity)]
    if let held {
      // A deletion can be repeated; a reply that was sent must not be.
      switch request {
      case .deletion: effects.append(.delete(held.identity))
      case .reply(let id), .unconfirmedReply(let id):
        request = .unconfirmedReply(id: id)
        effects.append(.findReply(id: id, to: held.identity))
      case nil: break
      }
      if held.structure == nil { effects.append(.fetchStructure(held.identity)) }
      for (section, part) in held.parts.sorted(by: { $0.key < $1.key }) where !part.isComplete {
        effects.append(.fetchPart(held.identity, section: section, part.decoder))
      }
    }
    return effects + [look, timer]
  }

  private mutating func found(_ identity: Identity, _ structure: MailStructure?) -> [Effect] {
    guard held == nil, identity != released else { return [] }
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
    guard case .imap(let known, _)? = held?.identity, known != validity else { return [] }
    return release()
  }

  // MARK: Requests

  private mutating func ask(_ new: Request) -> [Effect] {
    guard let held, request == nil else { return [] }
    request = new
    failure = nil
    switch new {
    case .deletion: return [.delete(held.identity)]
    case .reply(let id), .unconfirmedReply(let id): return [.sendReply(id: id, to: held.identity)]
    }
  }

  private mutating func confirmed(_ answered: Request) -> [Effect] { isOpen(answered) ? release() : [] }

  private mutating func failed(_ answered: Request, _ reason: String) -> [Effect] {
    guard isOpen(answered) else { return [] }
    request = nil
    failure = reason
    return []
  }

  /// Whether an answer is one to the open request.
  private func isOpen(_ answered: Request) -> Bool {
    switch (request, answered) {
    case (.deletion, .deletion): true
    case (.reply(let id), .reply(let other)), (.reply(let id), .unconfirmedReply(let other)),
      (.unconfirmedReply(let id), .reply(let other)), (.unconfirmedReply(let id), .unconfirmedReply(let other)):
      id == other
    default: false
    }
  }

  /// The hold becomes empty, and its files are removed.
  private mutating func release() -> [Effect] {
    guard let held else { return [] }
    released = held.identity
    (self.held, request, failure) = (nil, nil, nil)
    return [.removeParts(except: nil), look, timer]
  }
}
