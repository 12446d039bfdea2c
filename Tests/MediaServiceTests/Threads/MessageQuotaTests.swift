internal import MMSCodec
internal import Testing

@testable internal import MediaService

@Suite("Quotas of messages") struct MessageQuotaTests {
  private let anna = Caller(owner: "anna")
  private let bert = Caller(owner: "bert")

  @Test("messages count for the owner's quotas, and what is no PDU of a carrier is refused") func quotas()
    async throws
  {
    let service = try await ServiceFixture { ($0.limits.messages, $0.limits.ownerBytes) = (2, 10_000) }.service
    let large = try Carrier.retrieved(1, photo: [UInt8](repeating: 7, count: 10_000))
    #expect(await code { _ = try await service.receiveMessage(large, for: anna) } == "quotaExceeded")
    for number in 1...2 { _ = try await service.receiveMessage(try Carrier.notification(number), for: anna) }
    let third = try Carrier.notification(3)
    #expect(await code { _ = try await service.receiveMessage(third, for: anna) } == "quotaExceeded")
    #expect(await code { _ = try await service.receiveMessage(Array("hello".utf8), for: anna) } == "unavailable")
    let own = try MMSMessage(.notifyRespInd, transactionID: "t").encoded()
    #expect(await code { _ = try await service.receiveMessage(own, for: anna) } == "unavailable")
    #expect(try await service.threads(for: anna).threads.first?.messages == 2)
  }

  @Test("a full owner gets the content of messages that are announced, and no further message") func announcedContent()
    async throws
  {
    let service = try await ServiceFixture { $0.limits.messages = 2 }.service
    let first = try await service.receiveMessage(try Carrier.notification(1), for: anna)
    _ = try await service.receiveMessage(try Carrier.notification(2), for: anna)
    let download = try Carrier.retrieved(1, photo: [1])
    #expect(await code { _ = try await service.receiveMessage(download, for: anna) } == "quotaExceeded")
    let id = try #require(first.message?.id)
    let stored = try await service.receiveMessage(download, downloaded: id, for: anna)
    #expect(stored.message?.state == "received")
    // What is repeated adds nothing.
    #expect(try await service.receiveMessage(download, for: anna).message?.id == id)
    let repeated = try Carrier.notification(2)
    #expect(try await service.receiveMessage(repeated, for: anna).message != nil)
    try await service.deleteMessage(id, of: anna)
    _ = try await service.receiveMessage(try Carrier.notification(3), for: anna)
    #expect(try await service.receiveMessage(download, for: anna).message == nil)
  }

  @Test("messages leave less room for uploads, and unfinished uploads leave less for messages") func sharedQuota()
    async throws
  {
    let service = try await ServiceFixture { $0.limits.ownerBytes = 100_000 }.service
    _ = try await service.receiveMessage(try Carrier.retrieved(photo: [UInt8](repeating: 7, count: 60_000)), for: anna)
    let used = try await service.usage(for: anna).messageBytes
    #expect(used > 60_000)
    #expect(used < 70_000)
    let large = MediaService.NewUpload(form: .tus, length: 40_000)
    #expect(await code { _ = try await service.createUpload(large, for: anna) } == "quotaExceeded")
    _ = try await service.createUpload(large, for: bert)
    _ = try await service.createUpload(.init(form: .tus, length: 25_000), for: anna)
    let second = try Carrier.retrieved(2, photo: [UInt8](repeating: 7, count: 20_000))
    #expect(await code { _ = try await service.receiveMessage(second, for: anna) } == "quotaExceeded")
    _ = try await service.receiveMessage(second, for: bert)
  }
}
