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
    /// The UIDVALIDITY of the mailbox, each time it is selected: before any other answer of that connection.
    case selected(validity: UInt32)
    /// The user wants the mail deleted, here and on its server.
    case delete
    /// The user sends a reply, which the caller names.
    case reply(id: String)
    /// The server confirmed the deletion of a mail, or the reply to it.
    case confirmed(Identity, Request)
    /// The deletion of a mail, or the reply to it, failed for a reason that the caller states.
    case failed(Identity, Request, reason: String)
  }

  /// What the caller does, in the order returned.
  ///
  /// An effect with an ``Identity/imap(validity:uid:)`` is for a mailbox with this UIDVALIDITY: drop it if another one is selected meanwhile, except
  /// for replies, which are not sent to the mailbox.
  public enum Effect: Hashable, Codable, Sendable {
    /// Ask the server for a mail to hold, other than the one that was released last; then ``Event/found(_:_:)``.
    case fetchNext(after: Identity?)
    /// Select the mailbox of the mail; then ``Event/selected(validity:)``.
    case select(Identity)
    /// Fetch the parts of the mail, with `BODYSTRUCTURE` or the whole mail; then ``Event/structured(_:_:)``.
    case fetchStructure(Identity)
    /// Continue a part: truncate its file to the decoder's ``MailPartDecoder/decodedOctets``, and fetch from ``MailPartDecoder/encodedOctets``.
    case fetchPart(Identity, section: String, MailPartDecoder)
    /// Ask whether the server has the mail; then ``Event/checked(_:isThere:)``.
    case check(Identity)
    /// Delete the mail on the server; then ``Event/confirmed(_:_:)`` or ``Event/failed(_:_:reason:)``. A mail that is not there any more is confirmed.
    case delete(Identity)
    /// Send a reply; then ``Event/confirmed(_:_:)`` or ``Event/failed(_:_:reason:)``.
    case sendReply(id: String, to: Identity)
    /// Find out whether a reply was sent, for example by its Message-ID in the folder of sent mails; then ``Event/confirmed(_:_:)``
    /// or ``Event/failed(_:_:reason:)``, or nothing if that cannot be found out now. Never send it without asking.
    case findReply(id: String, to: Identity)
    /// Remove all files of parts, except for those of this mail.
    case removeParts(except: Identity?)
    /// Send ``Event/timer`` after this time. Replaces an earlier timer.
    case setTimer(seconds: Double)
  }
}
