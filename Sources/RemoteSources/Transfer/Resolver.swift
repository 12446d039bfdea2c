internal import Dispatch
internal import Foundation
internal import Glibc
internal import MediaEngine
internal import MediaEngineProtocol
internal import MediaModel

/// The addresses of names, kept for a minute.
final class Resolver: Sendable {
  private let known = Locked<[String: (addresses: [IPAddress], until: ContinuousClock.Instant)]>([:])
  private let resolve: @Sendable (String) throws(MediaFailure) -> [IPAddress]

  init(resolve: (@Sendable (String) throws(MediaFailure) -> [IPAddress])?) {
    if let resolve {
      self.resolve = resolve
    } else {
      self.resolve = Self.ask
    }
  }

  /// The addresses of a name or an address, at least one. Blocking.
  func addresses(
    of host: String, until deadline: ContinuousClock.Instant, cancellation: Cancellation
  ) throws(MediaFailure) -> [IPAddress] {
    if let address = IPAddress(host) { return [address] }
    let now = ContinuousClock.now
    if let known = known.withLock({ $0[host] }), known.until > now { return known.addresses }
    let answer = Locked<Result<[IPAddress], MediaFailure>?>(nil)
    let isDone = DispatchSemaphore(value: 0)
    // getaddrinfo has no deadline.
    Thread.detachNewThread { [resolve] in
      do throws(MediaFailure) {
        let addresses = try resolve(host)
        answer.withLock { $0 = .success(addresses) }
      } catch {
        answer.withLock { $0 = .failure(error) }
      }
      isDone.signal()
    }
    if cancellation.wait(for: isDone, until: deadline) == .cancelled { throw .cancelled }
    guard let result = answer.withLock({ $0 }) else {
      throw MediaFailure(.sourceUnavailable, "The name of the source was not resolved in time.")
    }
    let addresses = try result.get()
    known.withLock { known in
      if known.count > 1_000 { known = [:] }
      known[host] = (addresses, now.advanced(by: .seconds(60)))
    }
    return addresses
  }

  @Sendable private static func ask(_ host: String) throws(MediaFailure) -> [IPAddress] {
    var hints = addrinfo()
    hints.ai_family = AF_UNSPEC
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    hints.ai_flags = AI_ADDRCONFIG
    var list: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(host, nil, &hints, &list)
    guard code == 0 else {
      throw MediaFailure(
        .sourceUnavailable, "The name of the source cannot be resolved.", detail: String(cString: gai_strerror(code)))
    }
    defer { freeaddrinfo(list) }
    var addresses: [IPAddress] = []
    var next = list
    while let entry = next {
      next = entry.pointee.ai_next
      guard let address = entry.pointee.ai_addr else { continue }
      let bytes: [UInt8]? =
        switch entry.pointee.ai_family {
        case AF_INET:
          address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { pointer in
            withUnsafeBytes(of: pointer.pointee.sin_addr) { Array($0) }
          }
        case AF_INET6:
          address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { pointer in
            withUnsafeBytes(of: pointer.pointee.sin6_addr) { Array($0) }
          }
        default: nil
        }
      if let bytes, let found = IPAddress(bytes: bytes), !addresses.contains(found) { addresses.append(found) }
    }
    guard !addresses.isEmpty else {
      throw MediaFailure(.sourceUnavailable, "The name of the source has no address.")
    }
    return addresses
  }
}
