internal import CEngineShims
internal import Foundation
internal import Glibc
internal import MediaEngineProtocol

/// One helper: a process, the socket to it, and what is known of its memory.
///
/// Made by the nursery, then used by one slot at a time, which is what makes the class Sendable.
final class HelperProcess: @unchecked Sendable {
  /// What happened while a helper was waited for.
  enum Event {
    /// It said something whole.
    case frame(Frame)
    /// It said something that is no message.
    case violation(ProtocolViolation)
    /// It has closed the socket: it is dead, or soon will be.
    case closed
    /// Somebody wants the slot's attention.
    case woken
    /// Nothing: time to look at its memory.
    case tick
    /// The deadline has passed.
    case deadline
  }

  /// How often a working helper's memory is looked at. In that time it can touch some 20 MiB more.
  static let tick = Duration.milliseconds(10)

  let process: mediatool_process
  /// Jobs that it has answered.
  var jobsDone = 0
  /// Whether its greeting has come and was accepted.
  var isReady = false
  /// Resident bytes when it was ready.
  var residentAtStart = 0
  /// The most resident bytes that were seen.
  private(set) var residentPeak = 0
  /// Kills for want of memory that the kernel had counted when it was started.
  let memoryKillsBefore = mediatool_memory_kills()

  private let socket: CInt
  private let statm: CInt
  private var received: [UInt8] = []
  private var header: FrameHeader?
  private var hasEnded = false

  private init(process: mediatool_process, socket: CInt) {
    self.process = process
    self.socket = socket
    statm = open("/proc/\(process.process)/statm", O_RDONLY | O_CLOEXEC)
  }

  deinit { end() }

  /// Starts one. What goes wrong is said as the system says it.
  static func start(program: String, arguments: [String]) throws(HelperStartFailure) -> HelperProcess {
    var (ours, theirs): (CInt, CInt) = (-1, -1)
    guard mediatool_socket_pair(&ours, &theirs) == 0 else { throw HelperStartFailure("no socket", errno) }
    _ = fcntl(ours, F_SETFL, O_NONBLOCK)
    var words = ([program] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var process = mediatool_process()
    let code = words.withUnsafeMutableBufferPointer { words -> CInt in
      guard let first = words.baseAddress else { return ENOMEM }
      return program.withCString { program in
        var options = mediatool_spawn_options(program: program, arguments: first, socket: theirs)
        return mediatool_spawn(&options, &process)
      }
    }
    close(theirs)
    guard code == 0 else {
      close(ours)
      throw HelperStartFailure(program, code)
    }
    return HelperProcess(process: process, socket: ours)
  }

  /// Resident bytes now; nil where the system does not say.
  func residentBytes() -> Int? {
    let bytes = Int(mediatool_resident_bytes(statm))
    guard bytes > 0 else { return nil }
    residentPeak = max(residentPeak, bytes)
    return bytes
  }

  /// Whether it says something, or has closed the socket, although nobody has asked it anything.
  var saysSomethingUnasked: Bool {
    var waiting = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    return !received.isEmpty || poll(&waiting, 1, 0) != 0
  }

  /// Sends a message with the job's file. nil when all of it went.
  func send(_ frame: Frame, descriptor: CInt, deadline: ContinuousClock.Instant, wake: CInt) -> Event? {
    var rest = frame.wire[...]
    var descriptor = descriptor
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { bytes in
        bytes.baseAddress.map { mediatool_send(socket, $0, bytes.count, descriptor) } ?? 0
      }
      if count > 0 {
        rest = rest.dropFirst(count)
        descriptor = -1
      } else if errno == EAGAIN {
        let event = wait(for: Int16(POLLOUT), until: deadline, wake: wake)
        if let event, event.ends { return event }
      } else if errno != EINTR {
        return .closed
      }
    }
    return nil
  }

  /// Waits for what happens next.
  func next(until deadline: ContinuousClock.Instant, wake: CInt) -> Event {
    while true {
      switch receive() {
      case .some(let event): return event
      case nil: break
      }
      if let event = wait(for: Int16(POLLIN), until: deadline, wake: wake) { return event }
    }
  }

  /// Ends it, whatever it does, and collects it. How it ended, had it ended before; a second call does nothing.
  @discardableResult
  func end() -> mediatool_end? {
    guard !hasEnded else { return nil }
    hasEnded = true
    mediatool_kill(process)
    let end = mediatool_wait(process)
    close(process.handle)
    close(socket)
    if statm >= 0 { close(statm) }
    return end
  }

  /// Takes what has come; nil when there is nothing more for now and no message is whole.
  private func receive() -> Event? {
    while true {
      if let event = message() { return event }
      // As much as belongs to this message, and no more memory than has really come.
      let wanted = min(max(1, (header?.bodyLength ?? FrameHeader.length) - received.count), Self.pieceSize)
      var count = 0
      let piece = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, filled in
        guard let start = buffer.baseAddress else { return }
        count = mediatool_receive_bytes(socket, start, wanted)
        filled = max(0, count)
      }
      if count > 0 {
        received += piece
      } else if count < 0, errno == EAGAIN {
        return nil
      } else if count == 0 || errno != EINTR {
        return .closed
      }
    }
  }

  private func message() -> Event? {
    if header == nil, received.count >= FrameHeader.length {
      guard let head = FrameHeader(received) else {
        return .violation(ProtocolViolation("the head of a message is none"))
      }
      header = head
      received = []
    }
    guard let head = header, received.count >= head.bodyLength, let frame = Frame(header: head, body: received) else {
      return nil
    }
    header = nil
    received = []
    return .frame(frame)
  }

  /// Waits until the socket is ready (nil), or for something else.
  private func wait(for events: Int16, until deadline: ContinuousClock.Instant, wake: CInt) -> Event? {
    let left = ContinuousClock.now.duration(to: deadline)
    guard left > .zero else { return .deadline }
    let (seconds, attoseconds) = min(left, Self.tick).components
    let milliseconds = CInt(seconds * 1_000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    var waiting = [
      pollfd(fd: socket, events: events, revents: 0), pollfd(fd: wake, events: Int16(POLLIN), revents: 0),
    ]
    let count = poll(&waiting, 2, milliseconds)
    if waiting[1].revents != 0, count > 0 {
      var calls: UInt64 = 0
      _ = read(wake, &calls, MemoryLayout.size(ofValue: calls))
      return .woken
    }
    return count > 0 ? nil : .tick
  }

  private static let pieceSize = 262_144
}

extension HelperProcess.Event {
  /// Whether a message cannot be sent to its end after this.
  fileprivate var ends: Bool {
    switch self {
    case .deadline, .closed: true
    default: false
    }
  }
}

/// Why there is no helper.
struct HelperStartFailure: Error, Sendable {
  let reason: String

  init(_ what: String, _ code: CInt) { reason = "\(what): \(String(cString: strerror(code)))" }
  init(_ reason: String) { self.reason = reason }
}
