internal import MMSCodec
internal import Testing

@testable internal import MediaService

@Suite("Answers that clients send to the carrier") struct CarrierAnswerTests {
  private let anna = Caller(owner: "anna")
  private let bert = Caller(owner: "bert")

  @Test("an answer stays until it is confirmed, for its owner alone") func answers() async throws {
    let fixture = try await ServiceFixture()
    let service = fixture.service
    let download = try Carrier.retrieved(photo: [1], wantsReadReport: true)
    let received = try await service.receiveMessage(download, for: anna)
    let thread = try #require(received.message?.thread)
    // The response that has the read report is lost.
    let lost = try await service.markRead(thread: thread, of: anna)
    #expect(try lost.map { try MMSMessage(decoding: $0.pdu).type } == [.acknowledgeInd, .readRecInd])
    try await service.close()
    let next = try await ServiceFixture(in: fixture.folder).service
    let again = try await next.carrierAnswers(for: anna)
    #expect(again.map(\.id) == lost.map(\.id))
    #expect(again.map(\.pdu) == lost.map(\.pdu))
    #expect(try await next.carrierAnswers(for: bert).isEmpty)
    #expect(await code { try await next.confirmAnswer(lost[0].id, for: bert) } == "notFound")
    let reader = Caller(owner: "anna", scope: .read)
    #expect(await code { _ = try await next.carrierAnswers(for: reader) } == "forbidden")
    #expect(await code { try await next.confirmAnswer(lost[0].id, for: reader) } == "forbidden")
    for wrong in ["0", "x", "01", "-1", "99"] {
      #expect(await code { try await next.confirmAnswer(wrong, for: anna) } == "notFound", "\(wrong)")
    }
    for answer in lost { try await next.confirmAnswer(answer.id, for: anna) }
    #expect(try await next.carrierAnswers(for: anna).isEmpty)
    #expect(await code { try await next.confirmAnswer(lost[0].id, for: anna) } == "notFound")
  }
}
