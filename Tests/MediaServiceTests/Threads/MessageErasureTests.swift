internal import FileSupport
internal import Foundation
internal import Glibc
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
    _ = try await service.receiveMessage(try Carrier.notification(), for: anna)
    let name = try #require(try names(service).first)
    // The store of another owner is open now, and hers is closed.
    _ = try await service.receiveMessage(try Carrier.notification(), for: bert)
    try FileManager.default.createDirectory(
      atPath: "\(folder(service))/.erase-\(name)", withIntermediateDirectories: false)
    #expect(try await service.threads(for: anna).threads.isEmpty)
    #expect(try names(service).count == 1)
    #expect(try !names(service).contains(name))
    #expect(try await service.threads(for: bert).threads.count == 1)
  }

  @Test("an erasure that failed is ended by the next start (R-MYM-24)") func starting() async throws {
    let fixture = try await ServiceFixture()
    _ = try await fixture.service.receiveMessage(try Carrier.notification(), for: anna)
    try await fixture.service.close()
    let name = try #require(try names(fixture.service).first)
    try FileManager.default.createDirectory(
      atPath: "\(folder(fixture.service))/.erase-\(name)", withIntermediateDirectories: false)
    let service = try await ServiceFixture(in: fixture.folder).service
    #expect(try names(service) == [])
    #expect(try await service.threads(for: anna).threads.isEmpty)
  }

  @Test("the messages of an owner are erased although the mark of the erasure cannot be made (R-MYM-24)")
  func withoutMark() async throws {
    let service = try await ServiceFixture().service
    _ = try await service.receiveMessage(try Carrier.notification(), for: anna)
    let name = try #require(try names(service).first)
    // Where a folder is to be made.
    try Data().write(to: URL(fileURLWithPath: "\(folder(service))/.erase-\(name)"))
    let report = try await service.eraseOwner(for: anna)
    #expect(report.messages == 1)
    #expect(report.unreached == [:])
    #expect(try names(service) == [])
  }

  @Test("an erasure removes what an earlier one of the owner left, and of nobody else (R-MYM-24)") func again()
    async throws
  {
    let service = try await ServiceFixture().service
    _ = try await service.receiveMessage(try Carrier.notification(), for: anna)
    let name = try #require(try names(service).first)
    let other = ".erased-\(String(repeating: "0", count: 64))-1"
    for left in [".erased-\(name)-1", ".erased-\(name)-2", other] {
      try FileManager.default.createDirectory(
        atPath: "\(folder(service))/\(left)/parts", withIntermediateDirectories: true)
    }
    #expect(try await service.eraseOwner(for: anna).messages == 1)
    #expect(try names(service) == [other])
    // Also without messages.
    try FileManager.default.createDirectory(
      atPath: "\(folder(service))/.erased-\(name)-3", withIntermediateDirectories: false)
    #expect(try await service.eraseOwner(for: anna).unreached == [:])
    #expect(try names(service) == [other])
  }

  @Test(
    "an erasure is not complete while files of an earlier one are left (R-MYM-24)", .enabled(if: geteuid() != 0))
  func notRemoved() async throws {
    let service = try await ServiceFixture().service
    _ = try await service.receiveMessage(try Carrier.notification(), for: anna)
    let name = try #require(try names(service).first)
    let left = "\(folder(service))/.erased-\(name)-1"
    try FileManager.default.createDirectory(atPath: "\(left)/parts", withIntermediateDirectories: true)
    try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: left)
    for _ in 1...2 { #expect(try await service.eraseOwner(for: anna).unreached["messages"] == 1) }
    #expect(try names(service).contains(".erased-\(name)-1"))
    #expect(try await service.threads(for: anna).threads.isEmpty)
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: left)
    #expect(try await service.eraseOwner(for: anna).unreached == [:])
    #expect(try names(service) == [])
  }

  @Test("a request that waits for the store of its owner during the erasure creates none (R-MYM-24)") func waiting()
    async throws
  {
    let service = try await ServiceFixture().service
    _ = try await service.receiveMessage(try Carrier.notification(), for: anna)
    let work = service.work.begin(for: "anna")
    _ = try await service.eraseOwner(for: anna)
    let outcome = await code {
      _ = try await service.messageStores.use("anna", creating: true, during: work) { _ in
        _ = Issue.record("it runs")
      }
    }
    #expect(outcome == "gone")
    #expect(try names(service) == [])
    // A request that begins afterwards creates one.
    _ = try await service.receiveMessage(try Carrier.notification(), for: anna)
    #expect(try names(service).count == 1)
  }
}
