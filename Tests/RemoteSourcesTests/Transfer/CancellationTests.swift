internal import Dispatch
internal import Foundation
internal import MediaEngineProtocol
internal import MediaModel
internal import Testing

@testable internal import RemoteSources

/// Requests whose answer nobody waits for any more.
@Suite("Cancelled requests", .timeLimit(.minutes(10))) struct CancellationTests {
  /// A server that takes a request and does not answer until the test ends.
  private func silent() throws -> (server: ScriptedServer, arrived: DispatchSemaphore, end: DispatchSemaphore) {
    let (arrived, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let server = try ScriptedServer { _, _ in
      arrived.signal()
      end.wait()
      return false
    }
    return (server, arrived, end)
  }

  /// The code of the failure of a request that is cancelled when the server has it.
  private func code(_ client: RemoteClient, cancel: @escaping @Sendable (RemoteFile) -> Void) throws -> String? {
    let (server, arrived, end) = try silent()
    defer { end.signal() }
    let file = try client.file(server.url())
    Thread.detachNewThread {
      arrived.wait()
      cancel(file)
    }
    do throws(MediaFailure) {
      _ = try file.size(until: .far)
      return nil
    } catch {
      return error.code.rawValue
    }
  }

  @Test("cancelling a file or the client ends a request that the server does not answer") func requests() throws {
    let client = try RemoteClient(.test(allowing: "127.0.0.1"))
    #expect(try code(client) { $0.cancel() } == "cancelled")
    #expect(try code(client) { _ in client.cancel() } == "cancelled")
    // What begins later ends too.
    let (server, _, end) = try silent()
    defer { end.signal() }
    #expect(throws: MediaFailure.self) { try client.file(server.url()).size(until: .far) }
  }

  @Test("a cancelled file stays cancelled until its job is over, and can be read again then") func again() throws {
    let bytes = [UInt8](repeating: 7, count: 300_000)
    let (isFirst, arrived, end) = (Counter(), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let server = try ScriptedServer { request, connection in
      if isFirst.next() == 1 {
        arrived.signal()
        end.wait()
        return false
      }
      connection.serve(bytes, request)
      return true
    }
    defer { end.signal() }
    let file = try RemoteClient(.test(allowing: "127.0.0.1")).file(server.url())
    Thread.detachNewThread {
      arrived.wait()
      file.cancel()
    }
    #expect(throws: MediaFailure.self) { try file.size(until: .far) }
    #expect(throws: MediaFailure.cancelled) { try file.size(until: .far) }
    #expect(server.seen.count == 1)
    file.release()
    #expect(try file.size(until: .far) == 300_000)
    // Between two ranges of a job, when nothing is under way.
    file.cancel()
    #expect(throws: MediaFailure.cancelled) { try file.read(280_000..<280_010, until: .far) }
    #expect(throws: MediaFailure.cancelled) { _ = try file.whole(limit: 1_000_000, until: .far) }
    #expect(server.seen.count == 2)
    file.release()
    #expect(try file.read(280_000..<280_010, until: .far) == Array(bytes[280_000..<280_010]))
  }

  @Test("a wait ends when its cancellation or the one above it is requested, also if that was before") func waits() {
    let above = Cancellation()
    let cancellation = Cancellation(parent: above)
    let semaphore = DispatchSemaphore(value: 0)
    #expect(cancellation.wait(for: semaphore, until: .now) == .deadline)
    semaphore.signal()
    #expect(cancellation.wait(for: semaphore, until: .far) == .signalled)
    Thread.detachNewThread { above.request() }
    #expect(cancellation.wait(for: semaphore, until: .far) == .cancelled)
    #expect(cancellation.wait(for: DispatchSemaphore(value: 0), until: .far) == .cancelled)
    #expect(!Cancellation().isRequested)
  }

  @Test("resolving a name ends too") func names() throws {
    let (asked, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    defer { end.signal() }
    var settings = RemoteClient.Settings.test(allowing: "name.test")
    settings.resolve = { _ in
      asked.signal()
      end.wait()
      return []
    }
    let resolving = try RemoteClient(settings)
    Thread.detachNewThread {
      asked.wait()
      resolving.cancel()
    }
    #expect(throws: MediaFailure.self) { try resolving.file("http://name.test/x").size(until: .far) }
  }
}
