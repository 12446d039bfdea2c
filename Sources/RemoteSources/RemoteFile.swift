public import FileSupport
internal import Foundation
public import MediaEngine
public import MediaModel

/// One file behind a URL or in a bucket, read by ranges.
///
/// The first request is for its first 256 KiB, and shows size and entity tag; later ones are for this tag only, so a file that is replaced meanwhile is
/// `changed`, and never a mixture of two.
public final class RemoteFile: MediaSource.RangeReader {
  private struct State: Sendable {
    var windows: RangeWindows?
    var etag: String?
    var bytesRead = 0
    var requests = 0
    var rangeBytes = 0
  }

  private let client: RemoteClient
  private let address: RemoteAddress
  private let bytes: Int?
  private let state: Locked<State>
  /// Held while bytes are fetched.
  private let fetching = NSLock()

  init(_ client: RemoteClient, _ address: RemoteAddress, etag: String?, bytes: Int?) {
    self.client = client
    self.address = address
    self.bytes = bytes
    state = Locked(State(etag: etag))
  }

  /// Number of bytes that came over the network so far, without heads.
  public var bytesRead: Int { state.withLock { $0.bytesRead } }

  /// Number of requests that were sent so far, with those that failed.
  public var requests: Int { state.withLock { $0.requests } }

  /// ``RemoteSettings/seconds``.
  public var seconds: Double { client.settings.seconds }

  /// Size in bytes, after the first request. Blocking.
  public func size(until deadline: ContinuousClock.Instant) throws(MediaFailure) -> Int {
    fetching.lock()
    defer { fetching.unlock() }
    return try known(until: deadline)
  }

  /// The bytes of a range if all were fetched.
  public func held(_ range: Range<Int>) -> [UInt8]? { state.withLock { $0.windows?.bytes(range) } }

  /// The bytes of a range, with windows around it that are kept. Blocking.
  public func read(_ range: Range<Int>, until deadline: ContinuousClock.Instant) throws(MediaFailure) -> [UInt8] {
    fetching.lock()
    defer { fetching.unlock() }
    let size = try known(until: deadline)
    guard range.upperBound <= size else { throw .readFailed }
    while true {
      if let bytes = held(range) { return bytes }
      guard let next = state.withLock({ $0.windows?.missing(in: range) }) else { throw .readFailed }
      try fetch(next, size: size, until: deadline)
    }
  }

  /// The whole file, by one request. Blocking.
  public func whole(limit: Int, until deadline: ContinuousClock.Instant) throws(MediaFailure) -> MemoryFile {
    fetching.lock()
    defer { fetching.unlock() }
    let etag = state.withLock { $0.etag }
    let expected = bytes
    var attempt = RemoteAttempt(client: client, address: address, deadline: deadline)
    attempt.headers = etag.map { [("If-Match", $0)] } ?? []
    let sink: BodySink = try attempt.run(
      { () throws(MediaFailure) in BodySink(memory: try MemoryFile(limit: limit)) },
      plan: { (head) throws(MediaFailure) in
        guard head.status == 200 else { throw .badResponse(detail: "the server sent a part of the file") }
        let length = head.headers["content-length"].flatMap { Int($0) }
        if let length, length > limit {
          throw MediaFailure(
            .tooLarge, "The source has \(length.grouped) bytes; the limit is \(limit.grouped).")
        }
        if let length, let expected, length != expected { throw .changedSource }
        if let etag, let other = RangePlan.strongTag(head.headers["etag"]), other != etag { throw .changedSource }
        return RangePlan(whole: length)
      }, spent: spent)
    guard let memory = sink.takeMemory() else { throw .readFailed }
    if let expected, memory.count != expected { throw .changedSource }
    return memory
  }

  /// The size, after the first request.
  private func known(until deadline: ContinuousClock.Instant) throws(MediaFailure) -> Int {
    if let size = state.withLock({ $0.windows?.size }) { return size }
    try fetch(0..<RangeWindows.base, size: nil, until: deadline)
    return state.withLock { $0.windows?.size } ?? 0
  }

  private func fetch(_ range: Range<Int>, size: Int?, until deadline: ContinuousClock.Instant) throws(MediaFailure) {
    let (etag, rangeBytes) = state.withLock { ($0.etag, $0.rangeBytes) }
    let request = RangePlan.Request(range: range, size: size, etag: etag)
    var attempt = RemoteAttempt(client: client, address: address, deadline: deadline)
    attempt.headers = [("Range", "bytes=\(range.lowerBound)-\(range.upperBound - 1)")]
    if let etag { attempt.headers.append(("If-Match", etag)) }
    attempt.acceptsEmpty = size == nil
    let limit = max(0, client.settings.maxRangeBytes - rangeBytes)
    let sink: BodySink = try attempt.run(
      { () throws(MediaFailure) in BodySink(limit: limit) },
      plan: { (head) throws(MediaFailure) in try RangePlan(head, to: request) }, spent: spent)
    let received = sink.close()
    let total = received.plan?.total ?? received.bytes.count
    if let bytes, bytes != total { throw .changedSource }
    state.withLock { state in
      var windows = state.windows ?? RangeWindows(size: total)
      windows.add(received.bytes, at: received.plan?.start ?? 0)
      state.windows = windows
      state.rangeBytes += received.bytes.count
      state.etag = state.etag ?? received.plan?.etag
    }
  }

  /// Counts a request, and refuses one too many.
  private func spent(_ requests: Int, _ bytes: Int) throws(MediaFailure) {
    let isTooMuch = state.withLock { state in
      state.requests += requests
      state.bytesRead += bytes
      return requests > 0 && state.requests > client.settings.maxRequests
    }
    guard isTooMuch else { return }
    throw MediaFailure(.tooLarge, "The file needs more than \(client.settings.maxRequests) requests.")
  }
}

extension RangePlan {
  /// The plan for a whole file.
  init(whole length: Int?) { self.init(start: 0, count: length, total: length, etag: nil) }
}
