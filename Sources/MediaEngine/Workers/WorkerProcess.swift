internal import CEngineShims
internal import Foundation
internal import Glibc
internal import MediaEngineProtocol

/// One worker: a process with its socket and its memory use.
///
/// Created by the pool, then used by one slot at a time, which is what makes the class Sendable.
final class WorkerProcess: @unchecked Sendable {
  /// An event while a worker is waited for.
  enum Event {
    /// A complete message has arrived.
    case frame(Frame)
    /// Invalid bytes have arrived.
    case violation(ProtocolViolation)
    /// It has closed the socket: it has ended, or will soon.
    case closed
    /// Another thread has woken the slot.
    case woken
    /// No event: time to check its memory.
    case tick
    /// The deadline has passed.
    case deadline
  }

  /// Interval at which a busy worker's memory is checked. It can touch some 20 MiB in that time.
  static let tick = Duration.milliseconds(10)

  let process: mediatool_process
  /// What it loads before it isolates itself.
  let libraries: WorkerLibraries
  /// Number of jobs that it has answered.
  var jobsDone = 0
  /// Whether its greeting was received and accepted.
  var isReady = false
  /// Resident bytes when it became ready.
  var residentAtStart = 0
  /// Highest number of resident bytes seen.
  private(set) var residentPeak = 0
  private var memoryKills = mediatool_memory_kills()
  private var memoryKillsAsked = ContinuousClock.now

  private let socket: CInt
  private let statm: CInt
  /// The folder of its threads, which has a link for each.
  private let tasks: CInt
  /// How large a result may be: what the job under way can have.
  private var bounds: ResultBounds?
  private var outgoing: ArraySlice<UInt8> = []
  private var outgoingDescriptor: CInt = -1
  private var received: [UInt8] = []
  private var header: FrameHeader?
  private var piece = [UInt8](repeating: 0, count: pieceSize)
  private var nextTick = ContinuousClock.now
  private var hasEnded = false

  private init(process: mediatool_process, libraries: WorkerLibraries, socket: CInt, statm: CInt, tasks: CInt) {
    self.process = process
    self.libraries = libraries
    self.socket = socket
    self.statm = statm
    self.tasks = tasks
  }

  deinit { end() }

  /// Starts a worker process. Failures carry the message of the system.
  static func start(
    program: String, arguments: [String], libraries: WorkerLibraries = .all
  ) throws(WorkerStartFailure) -> WorkerProcess {
    var (ours, theirs): (CInt, CInt) = (-1, -1)
    guard mediatool_socket_pair(&ours, &theirs) == 0 else {
      throw WorkerStartFailure("cannot create a socket pair", errno)
    }
    _ = fcntl(ours, F_SETFL, O_NONBLOCK)
    var words = ([program] + arguments + libraries.arguments).map { strdup($0) } + [nil]
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
      throw WorkerStartFailure(program, code)
    }
    func opened(_ name: String, _ flags: CInt) -> (descriptor: CInt, failure: CInt) {
      let descriptor = open("/proc/\(process.process)/\(name)", O_RDONLY | O_CLOEXEC | flags)
      return (descriptor, descriptor < 0 ? errno : 0)
    }
    let (statm, tasks) = (opened("statm", 0), opened("task", O_DIRECTORY))
    let worker = WorkerProcess(
      process: process, libraries: libraries, socket: ours, statm: statm.descriptor, tasks: tasks.descriptor)
    // Without them, neither memory growth nor threads would be noticed. On a system without /proc only the limit on address space remains.
    for (name, failure, what) in [("statm", statm.failure, "memory"), ("task", tasks.failure, "threads")]
    where failure != 0 && failure != ENOENT {
      throw WorkerStartFailure("cannot open /proc/\(process.process)/\(name) to watch its \(what)", failure)
    }
    return worker
  }

  /// Bytes that it uses beyond those at its start, including the received part of its message; 0 if the system does not report them.
  func extraBytes() -> Int { max(0, (residentBytes() ?? 0) - residentAtStart) + received.count }

  /// The number of its threads; nil if the system does not report it.
  func threadCount() -> Int? {
    let count = Int(mediatool_thread_links(tasks))
    return count > 0 ? count : nil
  }

  /// Marks the start of a job. The kernel counts kills for lack of memory for the whole machine, so only those from now on matter.
  func beginJob() {
    let now = ContinuousClock.now
    guard memoryKillsAsked.duration(to: now) > .seconds(1) else { return }
    memoryKillsAsked = now
    memoryKills = mediatool_memory_kills()
  }

  /// Whether the kernel has killed a process for lack of memory since the job began, or in the second before.
  var hasSeenMemoryKills: Bool { mediatool_memory_kills() > memoryKills }

  /// Current resident bytes; nil if they cannot be read.
  func residentBytes() -> Int? {
    let bytes = Int(mediatool_resident_bytes(statm))
    guard bytes > 0 else { return nil }
    residentPeak = max(residentPeak, bytes)
    return bytes
  }

  /// Whether it has sent bytes or closed the socket without a request.
  var saysSomethingUnasked: Bool {
    var waiting = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    return !received.isEmpty || poll(&waiting, 1, 0) != 0
  }

  /// Starts sending a message with the job's file; ``next(until:wake:)`` sends the rest.
  /// - Parameter bounds: The maximum size of its result.
  func send(_ frame: Frame, descriptor: CInt, bounds: ResultBounds) {
    self.bounds = bounds
    outgoing = frame.wire[...]
    outgoingDescriptor = descriptor
    nextTick = .now.advanced(by: Self.tick)
    sendSome()
  }

  /// Starts sending an answer to the worker, within the job under way.
  func send(_ frame: Frame) {
    outgoing = frame.wire[...]
    sendSome()
  }

  /// Whether the last message was sent completely.
  var hasSentAll: Bool { outgoing.isEmpty }

  /// Waits for the next event, and sends the rest of a message meanwhile. A tick comes also while data arrives without pause.
  func next(until deadline: ContinuousClock.Instant, wake: CInt) -> Event {
    while true {
      if !outgoing.isEmpty { sendSome() }
      let now = ContinuousClock.now
      if now >= nextTick {
        nextTick = now.advanced(by: Self.tick)
        return .tick
      }
      if let event = receive() { return event }
      if let event = wait(until: deadline, wake: wake) { return event }
    }
  }

  /// Whether it has ended, or ends within that time.
  func ends(within time: Duration) -> Bool {
    let deadline = ContinuousClock.now.advanced(by: time)
    while true {
      var waiting = pollfd(fd: process.handle, events: Int16(POLLIN), revents: 0)
      let count = poll(&waiting, 1, Self.milliseconds(until: deadline))
      if count >= 0 || errno != EINTR { return count > 0 }
    }
  }

  /// Kills and reaps it. Returns its status if it had ended before; a second call does nothing.
  @discardableResult
  func end() -> mediatool_end? {
    guard !hasEnded else { return nil }
    hasEnded = true
    mediatool_kill(process)
    close(socket)
    for descriptor in [statm, tasks] where descriptor >= 0 { close(descriptor) }
    guard ends(within: Self.endTime) else {
      // It waits for a disk or a server that does not respond, and ends when that does. A thread of its own reaps it.
      Thread.detachNewThread { [process] in
        _ = mediatool_wait(process)
        close(process.handle)
      }
      return nil
    }
    let end = mediatool_wait(process)
    close(process.handle)
    return end
  }

  /// Sends as much as possible without waiting. A dead worker gets nothing; the next read shows its death.
  private func sendSome() {
    while !outgoing.isEmpty {
      let count = outgoing.withUnsafeBytes { bytes in
        bytes.baseAddress.map { mediatool_send(socket, $0, bytes.count, outgoingDescriptor) } ?? 0
      }
      if count > 0 {
        outgoing = outgoing.dropFirst(count)
        outgoingDescriptor = -1
      } else if errno == EAGAIN {
        return
      } else if errno != EINTR {
        outgoing = []
      }
    }
  }

  /// Receives what has arrived; nil if no message is complete yet, or if it is time to check other things.
  private func receive() -> Event? {
    for _ in 0..<Self.piecesAtOnce {
      if let event = message() { return event }
      // Into an existing buffer: memory grows with the bytes that arrive, not with the length that a header states.
      let count = piece.withUnsafeMutableBytes { piece in
        piece.baseAddress.map { mediatool_receive_bytes(socket, $0, piece.count) } ?? 0
      }
      if count > 0 {
        received += piece[..<count]
      } else if count < 0, errno == EAGAIN {
        return nil
      } else if count == 0 || errno != EINTR {
        return .closed
      }
    }
    return nil
  }

  private func message() -> Event? {
    if header == nil, received.count >= FrameHeader.length {
      guard let head = FrameHeader(Array(received[..<FrameHeader.length])) else {
        return .violation(ProtocolViolation("invalid message header"))
      }
      // Refused before it is received: what a head promises is held in memory.
      if head.kind == .result, let bounds, head.textLength > bounds.text || head.byteCount > bounds.bytes {
        return .violation(ProtocolViolation("a result is larger than its job can return"))
      }
      if head.kind == .piece || head.kind == .job {
        return .violation(ProtocolViolation("the worker sent a message of a kind that only the engine may send"))
      }
      header = head
    }
    guard let head = header, received.count >= FrameHeader.length + head.bodyLength else { return nil }
    let end = FrameHeader.length + head.bodyLength
    guard let frame = Frame(header: head, body: received[FrameHeader.length..<end]) else { return nil }
    header = nil
    received = received.count == end ? [] : Array(received[end...])
    return .frame(frame)
  }

  /// Waits until the socket may be ready (nil), or for another event.
  private func wait(until deadline: ContinuousClock.Instant, wake: CInt) -> Event? {
    if ContinuousClock.now >= deadline { return .deadline }
    let events = outgoing.isEmpty ? POLLIN : POLLIN | POLLOUT
    var waiting = [
      pollfd(fd: socket, events: Int16(events), revents: 0), pollfd(fd: wake, events: Int16(POLLIN), revents: 0),
    ]
    guard poll(&waiting, 2, Self.milliseconds(until: min(deadline, nextTick))) > 0, waiting[1].revents != 0 else {
      return nil
    }
    var calls: UInt64 = 0
    _ = read(wake, &calls, MemoryLayout.size(ofValue: calls))
    return .woken
  }

  /// Rounded up; between 0 and one minute.
  private static func milliseconds(until deadline: ContinuousClock.Instant) -> CInt {
    let left = min(max(.zero, ContinuousClock.now.duration(to: deadline)), .seconds(60))
    let (seconds, attoseconds) = left.components
    return CInt(seconds * 1_000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }

  /// Longer than most messages.
  private static let pieceSize = 65_536
  /// Number of reads after which the clock is checked.
  private static let piecesAtOnce = 64
  /// Maximum time for a killed process to end.
  private static let endTime = Duration.seconds(2)
}

/// The reason why a worker could not be started.
struct WorkerStartFailure: Error, Sendable {
  let reason: String

  init(_ what: String, _ code: CInt) { reason = "\(what): \(String(cString: strerror(code)))" }
  init(_ reason: String) { self.reason = reason }
}
