internal import Dispatch
internal import FileSupport
internal import Foundation
internal import MediaEngine
internal import MediaEngineProtocol
internal import MediaModel
internal import Testing

@testable internal import RemoteSources

/// Responses that come after their request has been given up: they change nothing.
@Suite("Late responses", .timeLimit(.minutes(10))) struct LateResponseTests {
  private static let size = 600_000

  /// A server that writes the first part of a response, waits, and then writes the rest, until the first request is over; it answers later requests at once,
  /// with other bytes.
  ///
  /// Its entity tag stays the same: only the bytes show which response they are of.
  private func server(
    sent: DispatchSemaphore, resume: DispatchSemaphore, ended: DispatchSemaphore, isOver: Locked<Bool>
  ) throws -> ScriptedServer {
    try ScriptedServer { request, connection in
      if isOver.withLock({ $0 }) {
        connection.serve([UInt8](repeating: 2, count: Self.size), request)
        return true
      }
      let range = request.range ?? 0..<Self.size
      let part = "Content-Range: bytes \(range.lowerBound)-\(range.upperBound - 1)/\(Self.size)"
      let lines =
        (request.range == nil ? ["HTTP/1.1 200 OK"] : ["HTTP/1.1 206 Partial Content", part])
        + ["ETag: \"1\"", "Content-Length: \(range.count)", "", ""]
      connection.write(lines.joined(separator: "\r\n"))
      connection.write([UInt8](repeating: 1, count: 1_000))
      sent.signal()
      resume.wait()
      // Fails if the client has closed the connection.
      connection.write([UInt8](repeating: 1, count: range.count - 1_000))
      ended.signal()
      return false
    }
  }

  @Test("the rest of a response that comes after a cancellation is in no later read") func cancelled() throws {
    let (sent, resume, ended) = (
      DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
    )
    let isOver = Locked(false)
    let server = try server(sent: sent, resume: resume, ended: ended, isOver: isOver)
    let file = try RemoteClient(.test(allowing: "127.0.0.1")).file(server.url())
    Thread.detachNewThread {
      sent.wait()
      file.cancel()
    }
    #expect(throws: MediaFailure.cancelled) { try file.size(until: .far) }
    file.release()
    isOver.withLock { $0 = true }
    resume.signal()
    ended.wait()
    let first = try file.read(0..<RangeWindows.base, until: .far)
    #expect(first == [UInt8](repeating: 2, count: RangeWindows.base))
    #expect(server.seen.count == 2)
  }

  @Test("a whole file that is late is not the file of the next attempt") func late() throws {
    let (sent, resume, ended) = (
      DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
    )
    let isOver = Locked(false)
    let server = try server(sent: sent, resume: resume, ended: ended, isOver: isOver)
    let file = try RemoteClient(.test(allowing: "127.0.0.1")).file(server.url())
    // The server waits for this test, so the deadline passes, however slow the machine is: perhaps before the request arrives.
    #expect(throws: MediaFailure.lateSource) {
      _ = try file.whole(limit: 1_000_000, until: .now.advanced(by: .seconds(1)))
    }
    isOver.withLock { $0 = true }
    resume.signal()
    if !server.seen.isEmpty, sent.wait(timeout: .now()) == .success { ended.wait() }
    let memory = try file.whole(limit: 1_000_000, until: .far)
    #expect(memory.count == Self.size)
    file.release()
    #expect(try file.read(0..<1_000, until: .far) == [UInt8](repeating: 2, count: 1_000))
  }

  @Test("a closed receiver takes neither head nor body, and its counts stay") func closed() throws {
    let sink = BodySink(limit: 10_000)
    let head = ResponseHead(status: 206, headers: [:])
    let plan = RangePlan(start: 0, count: 100, total: 100, etag: nil)
    #expect(try sink.take(head: head) { (_) throws(MediaFailure) in plan })
    #expect(try sink.take([UInt8](repeating: 1, count: 40)))
    let received = sink.close()
    #expect(try !sink.take([UInt8](repeating: 2, count: 60)))
    #expect(try !sink.take(head: ResponseHead(status: 500, headers: [:])) { (_) throws(MediaFailure) in nil })
    #expect(received.bytes == [UInt8](repeating: 1, count: 40))
    let later = sink.close()
    #expect(later.bytes == received.bytes)
    #expect(later.count == 40)
    #expect(later.head?.status == 206)
  }
}
