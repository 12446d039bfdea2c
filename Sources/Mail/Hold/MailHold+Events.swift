extension MailHold {
  /// What happened.
  public enum Event: Hashable, Codable, Sendable {
    /// The app was started, and this state restored.
    case restored
    /// The timer of ``Effect/setTimer(seconds:)`` fired.
    case timer
    /// The server has a mail to hold. Its parts may be known already.
    case found(Identity, MailStructure?)
    /// The parts of the held mail are known, or changed: inline pictures were resolved, embedded parts were found.
    case structured(Identity, MailStructure)
    /// A piece of a part is on the disk, with the state of the decoder after it.
    case written(Identity, section: String, MailPartDecoder, isComplete: Bool)
    /// The answer to ``Effect/check(_:)``: whether the server has the mail. A server that cannot be reached answers nothing.
    case checked(Identity, isThere: Bool)
    /// The UIDVALIDITY of the mailbox, when it is selected.
    case selected(validity: UInt32)
    /// The user deletes the mail.
    case delete
    /// The user sends a reply, which the caller names.
    case reply(id: String)
    /// The server confirmed the deletion or the reply.
    case confirmed(Request)
    /// The deletion or the reply failed, for a reason that the caller states.
    case failed(Request, reason: String)
  }

  /// What the caller does, in the order returned.
  public enum Effect: Hashable, Codable, Sendable {
    /// Ask the server for a mail to hold, other than the one that was released last; then ``Event/found(_:_:)``.
    case fetchNext(after: Identity?)
    /// Fetch the parts of the mail, with `BODYSTRUCTURE` or the whole mail; then ``Event/structured(_:_:)``.
    case fetchStructure(Identity)
    /// Continue a part: truncate its file to the decoder's ``MailPartDecoder/decodedOctets``, and fetch from ``MailPartDecoder/encodedOctets``.
    case fetchPart(Identity, section: String, MailPartDecoder)
    /// Ask whether the server has the mail; then ``Event/checked(_:isThere:)``.
    case check(Identity)
    /// Delete the mail on the server; then ``Event/confirmed(_:)`` or ``Event/failed(_:reason:)``. A mail that is not there any more is confirmed.
    case delete(Identity)
    /// Send a reply; then ``Event/confirmed(_:)`` or ``Event/failed(_:reason:)``.
    case sendReply(id: String, to: Identity)
    /// Find out whether a reply was sent, for example by its Message-ID in the folder of sent mails; then ``Event/confirmed(_:)`` or
    /// ``Event/failed(_:reason:)``. Never send it without asking.
    case findReply(id: String, to: Identity)
    /// Remove all files of parts, except for those of this mail.
    case removeParts(except: Identity?)
    /// Send ``Event/timer`` after this time. Replaces an earlier timer.
    case setTimer(seconds: Double)
  }
}
