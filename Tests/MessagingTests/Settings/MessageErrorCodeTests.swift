internal import Messaging
internal import Testing

@Suite struct MessageErrorCodeTests {
  private static let codes: [MessageErrorCode] = [
    .noSIMCard, .radioDisabled, .radioDisabledToDownload, .nonActiveSIMCard, .nonActiveSIMCardToSend, .noSignal,
    .notFound, .invalidAddress, .simNotMatched, .fdnCheck, .expired, .pending, .alreadyDone, .storageFull,
    .unrecognized, .refused, .transient, .shutdown,
  ]

  @Test("every known reason has a sentence of its own, without the name of the code", arguments: codes)
  func sentences(code: MessageErrorCode) {
    #expect(code.sentence != MessageErrorCode.unknown.sentence)
    #expect(!code.sentence.contains("\(code.rawValue)."))
    #expect(code.sentence.hasSuffix("."))
  }

  @Test("a reason of a newer version says that nothing can be transferred now") func unknown() {
    let sentence = MessageErrorCode(rawValue: "later").sentence
    #expect(sentence == "The message cannot be sent or downloaded now; try again later.")
  }
}
