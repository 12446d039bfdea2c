internal import Foundation
internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import RemoteSources

/// Retries against those of botocore.
@Suite("Retries against botocore", .timeLimit(.minutes(20))) struct PeerRetryTests {
  private struct Line: Decodable {
    var attempt: Int
    var throttled: Bool
    var jitter: Double
    var stated: String?
    var delay: Double
    var cost: Int
  }

  @Test("waiting times and costs are those of botocore's standard mode") func rules() throws {
    guard let python = Python.withPackage("botocore", for: "retries against botocore") else { return }
    let lines = try python.run([Python.peer("retry.py")]).split(separator: "\n")
    #expect(lines.count > 500)
    for text in lines {
      let line = try JSONDecoder().decode(Line.self, from: Data(text.utf8))
      let reason = line.throttled ? RetryPolicy.Reason.throttled : .transient
      let delay = RetryPolicy.delay(after: line.attempt, reason, jitter: line.jitter, stated: line.stated)
      #expect(delay == line.delay, "\(text)")
      #expect(RetryTokens.cost(of: reason) == line.cost, "\(text)")
    }
  }

  @Test("a service that asks for a longer pause than there is time for gets no second request")
  func deadline() throws {
    let server = try ScriptedServer { _, connection in
      connection.respond("503 Service Unavailable", ["x-amz-retry-after: 3600000"])
      return true
    }
    let file = try RemoteClient(.test(allowing: "127.0.0.1")).file(server.url())
    do throws(MediaFailure) {
      _ = try file.size(until: .now.advanced(by: .seconds(4)))
      Issue.record("read")
    } catch {
      #expect(error.code == .sourceUnavailable)
    }
    #expect(server.seen.count <= 1)
  }
}
