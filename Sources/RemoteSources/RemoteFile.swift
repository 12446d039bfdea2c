public import FileSupport
internal import Foundation
public import MediaEngine
internal import MediaEngineProtocol
public import MediaModel

/// One file behind a URL or in a bucket, read by ranges.
///
/// The first request is for its first 256 KiB, and shows size and entity tag; later ones are for this tag only, so a file that is replaced meanwhile is
/// `changed`, and never a mixture of two.
public final class RemoteFile: MediaSource.RangeReader {
  private struct State: Sendable {
    var windows: RangeWindows?
    /// That of the request at first, then that of the first response.
    var etag: EntityTag?
    /// Of what is under way.
    var cancellation: Cancellation
    var bytesRead = 0
    var requests = 0
    var rangeBytes = 0
  }

  private let client: RemoteClient
  private let address: RemoteAddress
  private let bytes: Int?
  /// Whether the limits of the settings apply.
  private let isBounded: Bool
  private let state: Locked<State>
  /// Held while bytes are fetched.
  private let fetching = NSLock()

  init(_ client: RemoteClient, _ address: RemoteAddress, etag: EntityTag?, bytes: Int?, isBounded: Bool = true) {
    self.client = client
    self.address = address
    self.bytes = bytes
    self.isBounded = isBounded
    state = Locked(State(etag: etag, cancellation: Cancellation(parent: client.cancellation)))
  }

  /// Number of bytes that came over the network so far, without heads.
  public var bytesRead: Int { state.withLock { $0.bytesRead } }

  /// Number of requests that were sent so far, with those that failed.
  public var requests: Int { state.withLock { $0.requests } }

  /// ``RemoteClient/Settings/seconds``.
  public var seconds: Double { client.settings.seconds }

  /// ``RemoteClient/Settings/maxBytes``.
  public var maxBytes: Int { client.settings.maxBytes }

  /// Size in bytes, after the first request. Blocking.
  public func size(until deadline: ContinuousClock.Instant) throws(MediaFailure) -> Int {
    let cancellation = state.withLock { $0.cancellation }
    fetching.lock()
    defer { fetching.unlock() }
    return try known(until: deadline, cancellation)
  }

  /// The bytes of a range if all were fetched.
  public func held(_ range: Range<Int>) -> [UInt8]? { state.withLock { $0.windows?.bytes(range) } }

  /// The bytes of a range, with windows around it that are kept. Blocking.
  public func read(_ range: Range<Int>, until deadline: ContinuousClock.Instant) throws(MediaFailure) -> [UInt8] {
    let cancellation = state.withLock { $0.cancellation }
    fetching.lock()
    defer { fetching.unlock() }
    if cancellation.isRequested { throw .cancelled }
    let size = try known(until: deadline, cancellation)
    guard range.upperBound <= size else { throw .readFailed }
    while true {
      if let bytes = held(range) { return bytes }
      guard let next = state.withLock({ $0.windows?.missing(in: range) }) else { throw .readFailed }
      try fetch(next, size: size, until: deadline, cancellation)
    }
  }

  /// The whole file, by one request, or by none if all of it is held. Blocking.
  public func whole(limit: Int, until deadline: ContinuousClock.Instant) throws(MediaFailure) -> MemoryFile {
    let cancellation = state.withLock { $0.cancellation }
    fetching.lock()
    defer { fetching.unlock() }
    if cancellation.isRequested { throw .cancelled }
    if let held = try held(limit: limit) { return held }
    let etag = state.withLock { $0.etag }
    let expected = bytes
    var attempt = RemoteAttempt(client: client, address: address, deadline: deadline, cancellation: cancellation)
    attempt.headers = etag.condition
    let maxMemory = client.settings.maxMemory
    let sink: BodySink = try attempt.run(
      { () throws(MediaFailure) in BodySink(memory: try MemoryFile(limit: limit, maxMemory: maxMemory)) },
      plan: { (head) throws(MediaFailure) in
        guard head.status == 200 else {
          throw .badResponse(detail: "the server answered a request for the whole file with status \(head.status)")
        }
        let length = head.headers["content-length"].flatMap { Int($0) }
        if let length, length > limit {
          let (size, most) = HumanNumbers.sizes(length, limit: limit)
          throw MediaFailure(.tooLarge, "The source is \(size); the limit is \(most).")
        }
        if let length, let expected, length != expected { throw .changedSource }
        try etag.check(head.etag)
        return RangePlan(whole: length)
      }, spent: spent)
    guard let memory = sink.takeMemory() else { throw .readFailed }
    if let expected, memory.count != expected { throw .changedSource }
    return memory
  }

  /// The whole file if all its bytes were fetched as ranges.
  private func held(limit: Int) throws(MediaFailure) -> MemoryFile? {
    let bytes = state.withLock { state in state.windows.flatMap { $0.bytes(0..<$0.size) } }
    guard let bytes else { return nil }
    var memory = try MemoryFile(limit: limit)
    try memory.append(bytes)
    return memory
  }

  /// Ends what is under way in other threads with `cancelled`, and every later call, until ``release()``: a job that was cancelled between two of its ranges
  /// reads no further one.
  public func cancel() { state.withLock { $0.cancellation }.request() }

  /// Frees the bytes that were fetched, because the job is over. Size, entity tag and counts are kept, and ranges are fetched again if they are needed. The next
  /// job can read the file, also after ``cancel()``; what is under way since before stays cancelled.
  public func release() {
    state.withLock { state in
      state.windows = state.windows.map { RangeWindows(size: $0.size) }
      state.cancellation = Cancellation(parent: client.cancellation)
    }
  }

  /// The size, after the first request.
  private func known(
    until deadline: ContinuousClock.Instant, _ cancellation: Cancellation
  ) throws(MediaFailure) -> Int {
    if let size = state.withLock({ $0.windows?.size }) { return size }
    try fetch(0..<RangeWindows.base, size: nil, until: deadline, cancellation)
    return state.withLock { $0.windows?.size } ?? 0
  }

  private func fetch(
    _ range: Range<Int>, size: Int?, until deadline: ContinuousClock.Instant, _ cancellation: Cancellation
  ) throws(MediaFailure) {
    let (etag, rangeBytes) = state.withLock { ($0.etag, $0.rangeBytes) }
    if cancellation.isRequested { throw .cancelled }
    let request = RangePlan.Request(range: range, size: size, etag: etag)
    var attempt = RemoteAttempt(client: client, address: address, deadline: deadline, cancellation: cancellation)
    attempt.headers = [("Range", "bytes=\(range.lowerBound)-\(range.upperBound - 1)")] + etag.condition
    attempt.acceptsEmpty = size == nil
    let limit = isBounded ? max(0, client.settings.maxRangeBytes - rangeBytes) : .max
    let sink: BodySink = try attempt.run(
      { () throws(MediaFailure) in BodySink(limit: limit) },
      plan: { (head) throws(MediaFailure) in try RangePlan(head, to: request) }, spent: spent)
    let received = sink.close()
    let total = received.plan?.total ?? received.bytes.count
    if let bytes, bytes != total { throw .changedSource }
    // A strong tag that was requested is kept where the server sends a weak one.
    let found = received.plan?.etag.flatMap { $0.isWeak && etag?.isWeak == false ? nil : $0 } ?? etag
    if received.plan?.isUnproven == true {
      attempt.headers = [("Range", "bytes=0-0")] + found.condition
      _ = try attempt.run(
        { () throws(MediaFailure) in BodySink(limit: 0) },
        plan: { (head) throws(MediaFailure) in try RangePlan(head, proving: total, etag: found) }, spent: spent)
    }
    state.withLock { state in
      var windows = state.windows ?? RangeWindows(size: total)
      windows.add(received.bytes, at: received.plan?.start ?? 0)
      state.windows = windows
      state.rangeBytes += received.bytes.count
      state.etag = size == nil ? found : state.etag
    }
  }

  /// Counts a request, and refuses one too many.
  private func spent(_ requests: Int, _ bytes: Int) throws(MediaFailure) {
    let isTooMuch = state.withLock { state in
      state.requests += requests
      state.bytesRead += bytes
      return isBounded && requests > 0 && state.requests > client.settings.maxRequests
    }
    guard isTooMuch else { return }
    throw MediaFailure(.tooLarge, "The file needs more than \(client.settings.maxRequests) requests.")
  }
}

extension RangePlan {
  /// The plan for a whole file.
  init(whole length: Int?) { self.init(start: 0, count: length, total: length, etag: nil) }
}
