internal import FileSupport
internal import Foundation
internal import MediaLibrary
internal import TestSupport
internal import Testing

@testable internal import MediaService

@Suite("Erasures of messages that failed") struct MessageErasureTests {
  private let anna = Caller(owner: "anna")
  private let bert = Caller(owner: "bert")

  private func folder(_ service: MediaService) -> String {
    service.configuration.library.data.appending("messages".utf8).text
  }

  private func names(_ service: MediaService) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder(service))
  }

  @Test("nobody opens messages whose erasure failed: it is ended first (R-MYM-24)") func opening() async throws {
    let service = try await ServiceFixture { $0.limits.openMessageStores = 1 }.service
    _ = try await service.receiveMessage(try Operator.notification(), for: anna)
    let name = try #require(try names(service).first)
    // The store of another owner is open now, and hers is closed.
    _ = try await service.receiveMessage(try Operator.notification(), for: bert)
    try FileManager.default.createDirectory(
      atPath: "\(folder(service))/.erase-\(name)", withIntermediateDirectories: false)
    #expect(try await service.threads(for: anna).threads.isEmpty)
    #expect(try names(service).count == 1)
    #expect(try !names(service).contains(name))
    #expect(try await service.threads(for: bert).threads.count == 1)
  }

  @Test("an erasure that failed is ended by the next start (R-MYM-24)") func starting() async throws {
    let fixture = try await ServiceFixture()
    _ = try await fixture.service.receiveMessage(try Operator.notification(), for: anna)
    try await fixture.service.close()
    let name = try #require(try names(fixture.service).first)
    try FileManager.default.createDirectory(
      atPath: "\(folder(fixture.service))/.erase-\(name)", withIntermediateDirectories: false)
    let service = try await ServiceFixture(in: fixture.folder).service
    #expect(try names(service) == [])
    #expect(try await service.threads(for: anna).threads.isEmpty)
  }
}
