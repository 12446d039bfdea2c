internal import CEngineShims
internal import Foundation
internal import Glibc
internal import MediaEngineProtocol

/// One worker: a process, the socket to it, and what is known of its memory.
///
/// Made by the nursery, then used by one slot at a time, which is what makes the class Sendable.
final class WorkerProcess: @unchecked Sendable {
  /// What happened while a worker was waited for.
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

  /// How often a working worker's memory is looked at. In that time it can touch some 20 MiB more.
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
  private var memoryKills = mediatool_memory_kills()
  private var memoryKillsAsked = ContinuousClock.now

  private let socket: CInt
  private let statm: CInt
  private var outgoing: ArraySlice<UInt8> = []
  private var outgoingDescriptor: CInt = -1
  private var received: [UInt8] = []
  private var header: FrameHeader?
  private var piece = [UInt8](repeating: 0, count: pieceSize)
  private var nextTick = ContinuousClock.now
  private var hasEnded = false

  private init(process: mediatool_process, socket: CInt, statm: CInt) {
    self.process = process
    self.socket = socket
    self.statm = statm
  }

  deinit { end() }

  /// Starts one. What goes wrong is said as the system says it.
  static func start(program: String, arguments: [String]) throws(WorkerStartFailure) -> WorkerProcess {
    var (ours, theirs): (CInt, CInt) = (-1, -1)
    guard mediatool_socket_pair(&ours, &theirs) == 0 else {
      throw WorkerStartFailure("cannot create a socket pair", errno)
    }
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
      throw WorkerStartFailure(program, code)
    }
    let statm = open("/proc/\(process.process)/statm", O_RDONLY | O_CLOEXEC)
    let reason = errno
    let worker = WorkerProcess(process: process, socket: ours, statm: statm)
    // Without it nobody would see a balloon. Where there is no /proc at all only the limit on address space is left.
    if statm < 0, reason != ENOENT {
      throw WorkerStartFailure("cannot open /proc/\(process.process)/statm to watch its memory", reason)
    }
    return worker
  }

  /// A job begins. The kernel's kills for want of memory are counted for the whole machine, so only those of this time may be meant.
  func beginJob() {
    let now = ContinuousClock.now
    guard memoryKillsAsked.duration(to: now) > .seconds(1) else { return }
    memoryKillsAsked = now
    memoryKills = mediatool_memory_kills()
  }

  /// Whether the kernel has killed for want of memory since the job began, or the second before.
  var hasSeenMemoryKills: Bool { mediatool_memory_kills() > memoryKills }

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

  /// Begins to send a message with the job's file; ``next(until:wake:)`` sends what does not go at once.
  func send(_ frame: Frame, descriptor: CInt) {
    outgoing = frame.wire[...]
    outgoingDescriptor = descriptor
    nextTick = .now.advanced(by: Self.tick)
    sendSome()
  }

  /// Whether all of the last message has gone.
  var hasSentAll: Bool { outgoing.isEmpty }

  /// Waits for what happens next, and sends meanwhile what has not gone yet. A tick comes also while it talks without end.
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

  /// Whether it has ended, or does so in that time.
  func ends(within time: Duration) -> Bool {
    let deadline = ContinuousClock.now.advanced(by: time)
    while true {
      var waiting = pollfd(fd: process.handle, events: Int16(POLLIN), revents: 0)
      let count = poll(&waiting, 1, Self.milliseconds(until: deadline))
      if count >= 0 || errno != EINTR { return count > 0 }
    }
  }

  /// Ends it, whatever it does, and collects it. How it ended, had it ended before; a second call does nothing.
  @discardableResult
  func end() -> mediatool_end? {
    guard !hasEnded else { return nil }
    hasEnded = true
    mediatool_kill(process)
    close(socket)
    if statm >= 0 { close(statm) }
    guard ends(within: Self.endTime) else {
      // It waits for a disk or a server that does not answer, and dies when that does. Nobody here need wait with it.
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

  /// Sends what goes without waiting. To a worker that is no more nothing goes; reading then tells.
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

  /// Takes what has come; nil when there is nothing more for now and no message is whole, or when it is time to look at other things.
  private func receive() -> Event? {
    for _ in 0..<Self.piecesAtOnce {
      if let event = message() { return event }
      // Into room that is there already: a head promises, and memory is taken for what has really come.
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
      header = head
    }
    guard let head = header, received.count >= FrameHeader.length + head.bodyLength else { return nil }
    let end = FrameHeader.length + head.bodyLength
    guard let frame = Frame(header: head, body: received[FrameHeader.length..<end]) else { return nil }
    header = nil
    received = received.count == end ? [] : Array(received[end...])
    return .frame(frame)
  }

  /// Waits until the socket may be ready (nil), or for something else.
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

  /// Rounded up; not below 0, and no more than a minute.
  private static func milliseconds(until deadline: ContinuousClock.Instant) -> CInt {
    let left = min(max(.zero, ContinuousClock.now.duration(to: deadline)), .seconds(60))
    let (seconds, attoseconds) = left.components
    return CInt(seconds * 1_000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }

  /// Most messages are shorter.
  private static let pieceSize = 65_536
  /// After so many it is time to look at the clock.
  private static let piecesAtOnce = 64
  /// How long one that was killed may take to end.
  private static let endTime = Duration.seconds(2)
}

/// Why there is no worker.
struct WorkerStartFailure: Error, Sendable {
  let reason: String

  init(_ what: String, _ code: CInt) { reason = "\(what): \(String(cString: strerror(code)))" }
  init(_ reason: String) { self.reason = reason }
}
