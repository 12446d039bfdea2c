internal import AsyncHTTPClient
internal import Dispatch
internal import Foundation
internal import MediaEngine
internal import MediaModel
internal import NIOCore
internal import NIOHTTP1
internal import NIOSSL

/// One request to one address that has been checked.
struct TransportRequest: Sendable {
  var method = "GET"
  var address: WebAddress
  /// Connected to, whatever the name means by now.
  var ip: IPAddress
  var headers: [(name: String, value: String)] = []
  /// Empty for none.
  var body: [UInt8] = []
  /// Whether the certificate is checked against ``Transport/trustFile``, if there is one.
  var isService = false
}

/// Status and header fields, which arrive before the body.
struct ResponseHead: Sendable {
  let status: Int
  /// By names in lower case; the first value of each.
  let headers: [String: String]

  /// The entity tag; nil for none, and for one that is invalid.
  var etag: EntityTag? { headers["etag"].flatMap { EntityTag($0) } }
}

/// Why there is no response, or no whole one.
enum TransportFailure: Error, Sendable {
  /// The connection failed, was cut, or the response is not HTTP.
  case connection(String)
  /// The deadline has passed.
  case deadline
  /// Nobody waits for it any more.
  case cancelled
  /// The receiver of the body stopped, for this reason.
  case stopped(MediaFailure)
}

/// Sends requests with async-http-client from threads that may block. Neither redirects, nor retries, nor decompression: what a response means is
/// decided elsewhere.
///
/// There is a client for each pair of a name and an address, because only thus async-http-client connects to an address that has been checked, while
/// certificate and `Host` are those of the name.
final class Transport: Sendable {
  private struct Key: Hashable, Sendable {
    let host: String
    let ip: IPAddress
    let isService: Bool
    /// Whether requests have a body.
    let sends: Bool
  }

  /// Shuts a client down when nobody uses it any more.
  private final class Client: Sendable {
    let client: HTTPClient

    /// - Parameter sends: Whether requests have a body. The time without a byte of the response then has no limit but the deadline: it counts while the body
    ///   is sent, and while a service puts the parts of an object together.
    init(host: String, ip: IPAddress, sends: Bool, trustFile: String?) {
      var configuration = HTTPClient.Configuration()
      configuration.redirectConfiguration = .disallow
      configuration.decompression = .disabled
      configuration.httpVersion = .http1Only
      configuration.timeout = .init(connect: .seconds(10), read: sends ? nil : .seconds(10))
      configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 256
      configuration.connectionPool.retryConnectionEstablishment = false
      if let trustFile {
        var security = TLSConfiguration.makeClientConfiguration()
        security.trustRoots = .file(trustFile)
        configuration.tlsConfiguration = security
      }
      if IPAddress(host) == nil { configuration.dnsOverride = [host: ip.description] }
      client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    deinit { client.shutdown { _ in } }
  }

  private let clients = Locked<(byKey: [Key: Client], order: [Key])>(([:], []))
  private let trustFile: String?

  /// - Parameter trustFile: The certificates that the service of S3 is checked against, in PEM; nil for those of the system.
  init(trustFile: String? = nil) { self.trustFile = trustFile }

  /// Sends a request and passes the body on. Blocking.
  /// - Parameters:
  ///   - deadline: For the whole response.
  ///   - cancellation: Ends waiting early.
  ///   - receive: Called with the head, and then with each part of the body, until it returns false: the rest is then cut off.
  func send(
    _ request: TransportRequest, until deadline: ContinuousClock.Instant, cancellation: Cancellation,
    head: @escaping @Sendable (ResponseHead) throws -> Bool, body: @escaping @Sendable ([UInt8]) throws -> Bool
  ) throws(TransportFailure) {
    let key = Key(
      host: request.address.host, ip: request.ip, isService: request.isService, sends: !request.body.isEmpty)
    let client = client(of: key)
    var outgoing = HTTPClientRequest(url: request.address.text)
    outgoing.method = HTTPMethod(rawValue: request.method)
    outgoing.headers.add(name: "Host", value: request.address.authority)
    outgoing.headers.add(name: "Accept-Encoding", value: "identity")
    outgoing.headers.add(name: "User-Agent", value: "mediatool")
    for (name, value) in request.headers { outgoing.headers.replaceOrAdd(name: name, value: value) }
    if !request.body.isEmpty { outgoing.body = .bytes(ByteBuffer(bytes: request.body)) }
    let outcome = Locked<Result<Void, TransportFailure>?>(nil)
    let isDone = DispatchSemaphore(value: 0)
    let task = Task.detached(executorPreference: Self.executor) { [outgoing] in
      let result: Result<Void, TransportFailure>
      do {
        let response = try await client.client.execute(outgoing, deadline: Self.deadline(deadline))
        var headers: [String: String] = [:]
        for (name, value) in response.headers where headers[name.lowercased()] == nil {
          headers[name.lowercased()] = value
        }
        if try head(ResponseHead(status: Int(response.status.code), headers: headers)) {
          for try await part in response.body {
            guard try body(Array(part.readableBytesView)) else { break }
          }
        }
        result = .success(())
      } catch let failure as MediaFailure {
        result = .failure(.stopped(failure))
      } catch let error as HTTPClientError where error == .deadlineExceeded {
        result = .failure(.deadline)
      } catch is CancellationError {
        result = .failure(.deadline)
      } catch {
        result = .failure(ContinuousClock.now >= deadline ? .deadline : .connection(Self.reason(error)))
      }
      outcome.withLock { $0 = $0 ?? result }
      isDone.signal()
    }
    // Its own deadline comes first, unless it hangs.
    let end = cancellation.wait(for: isDone, until: deadline.advanced(by: .milliseconds(100)))
    if end != .signalled {
      // First the outcome: the task, once cancelled, would state one of its own.
      outcome.withLock { $0 = $0 ?? .failure(end == .cancelled ? .cancelled : .deadline) }
      task.cancel()
    }
    try (outcome.withLock { $0 } ?? .failure(.deadline)).get()
  }

  private func client(of key: Key) -> Client {
    clients.withLock { clients in
      clients.order.removeAll { $0 == key }
      clients.order.append(key)
      if let client = clients.byKey[key] { return client }
      if clients.order.count > Self.maxClients { clients.byKey[clients.order.removeFirst()] = nil }
      let client = Client(
        host: key.host, ip: key.ip, sends: key.sends, trustFile: key.isService ? trustFile : nil)
      clients.byKey[key] = client
      return client
    }
  }

  private static func reason(_ error: any Error) -> String {
    switch error {
    case let error as HTTPClientError: error.shortDescription
    default: String(String(describing: error).prefix(200))
    }
  }

  private static func deadline(_ instant: ContinuousClock.Instant) -> NIODeadline {
    .now() + .milliseconds(max(0, Int64(ContinuousClock.now.duration(to: instant) / .milliseconds(1))))
  }

  private static let maxClients = 64
  private static let executor = NetworkExecutor()
}

/// Runs tasks on a thread of its own: while one waits for the network, all threads of Swift's pool may be blocked by callers.
private final class NetworkExecutor: TaskExecutor {
  // A serial queue gets a thread even if all others are blocked.
  private let queue = DispatchQueue(label: "remote-sources")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
