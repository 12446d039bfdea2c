extension MessageErrorCode {
  /// The reason with the way out, for users. For a code of another version, that nothing can be transferred now.
  package var sentence: String {
    switch self {
    case .noSIMCard: "There is no SIM card; insert one."
    case .radioDisabled, .radioDisabledToDownload: "The radio is off; turn it on and try again."
    case .nonActiveSIMCard: "The message was received on the other SIM card; switch to it and try again."
    case .nonActiveSIMCardToSend: "The message is to be sent with the other SIM card; switch to it and try again."
    case .noSignal: "There is no mobile signal; try again when there is one."
    case .notFound: "The message does not exist."
    case .invalidAddress: "The address of a recipient is invalid; correct it."
    case .simNotMatched: "The SIM card of the message is not present; insert it and try again."
    case .fdnCheck:
      "The SIM card only allows fixed dialling numbers; add the recipient to them, or turn fixed dialling off."
    case .expired: "The carrier has deleted the message."
    case .pending: "The message is already being sent or downloaded."
    case .alreadyDone: "The message has already been sent or downloaded."
    case .storageFull: "The message cannot be stored; free some space and try again."
    case .unrecognized: "The data is not a message, or uses a newer format."
    case .refused: "The carrier refuses the message."
    case .transient: "The carrier or the connection failed; try again later."
    case .shutdown: "The app is closing; restart it and try again."
    default: "The message cannot be sent or downloaded now; try again later."
    }
  }
}
