internal import FileSupport
internal import Foundation
internal import Glibc
internal import Mail
internal import Testing

/// A mail server, and what the user asked for: it outlives the app. What a line says is done as soon as the line is whole.
final class LoggedServer {
  private let path: String
  private let descriptor: CInt
  private var lines: [String: [String]] = [:]
  /// The mails that their owner deleted, here or elsewhere.
  private var gone: Set<String> = []
  /// The mails with a reply.
  private(set) var answered: Set<String> = []
  /// All mails before this one are gone or answered.
  private var first: UInt32 = 1

  init(_ folder: String) {
    path = folder + "/server"
    let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    // A last line without an end was not noted.
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() { add(String(line)) }
  }

  deinit { close(descriptor) }

  private func add(_ line: String) {
    let words = line.split(separator: " ", maxSplits: 1)
    let (word, value) = (String(words[0]), String(words[1]))
    lines[word, default: []].append(value)
    if word == "deleted" || word == "left" { gone.insert(value) }
    if word == "sent" { answered.insert(String(value.prefix { $0 != " " })) }
  }

  func note(_ word: String, _ value: String) {
    _ = "\(word) \(value)\n".withCString { write(descriptor, $0, strlen($0)) }
    add("\(word) \(value)")
  }

  func noted(_ word: String) -> [String] { lines[word] ?? [] }

  /// Whether a mail is there.
  func has(_ uid: UInt32) -> Bool { !gone.contains("\(uid)") }

  /// The replies that were sent, by their ids.
  var replies: [String] { noted("sent").compactMap { $0.split(separator: " ").last.map(String.init) } }

  private func isOpen(_ uid: UInt32) -> Bool { has(uid) && !answered.contains("\(uid)") }

  /// The first mail that is there and has no answer.
  func next(after released: UInt32?) -> UInt32 {
    while !isOpen(first) { first += 1 }
    var uid = first
    while !isOpen(uid) || uid == released { uid += 1 }
    return uid
  }
}

/// An app with a hold on the disk, which does what the documentation of ``MailHold/Effect`` says.
final class HoldProgram {
  private let folder: String
  private let turn: Int
  let server: LoggedServer
  private(set) var hold: MailHold
  private var answers: [MailHold.Event] = []

  /// - Parameter turn: Which process it is, for the ids of replies.
  init(folder: String, turn: Int) throws {
    (self.folder, self.turn, server) = (folder, turn, LoggedServer(folder))
    hold = try Self.stored(in: folder) ?? MailHold()
    try FileManager.default.createDirectory(atPath: folder + "/parts", withIntermediateDirectories: true)
  }

  /// The hold on the disk; nil before it is stored for the first time.
  static func stored(in folder: String) throws -> MailHold? {
    try FileManager.default.contents(atPath: folder + "/hold.json").map {
      try JSONDecoder().decode(MailHold.self, from: $0)
    }
  }

  /// The UID of the held mail.
  static func uid(_ hold: MailHold) -> UInt32? { hold.held.flatMap { uid($0.identity) } }

  static func uid(_ identity: MailHold.Identity) -> UInt32? {
    if case .imap(_, let uid) = identity { uid } else { nil }
  }

  /// The file in a mail.
  static func content(_ uid: UInt32) -> [UInt8] { (0..<300 + Int(uid % 50)).map { UInt8(truncatingIfNeeded: $0) } }

  /// What is on the disk of a mail's file.
  static func file(_ uid: UInt32, in folder: String) -> [UInt8]? {
    FileManager.default.contents(atPath: folder + "/parts/\(uid)").map { [UInt8]($0) }
  }

  /// Begins where the process before was killed.
  func start() throws { try take(.restored) }

  /// Holds a mail, fetches its file, and deletes it, replies to it, or finds that it has left the server.
  func step(_ number: Int) throws {
    if hold.state == .empty { try take(.timer) }
    let held = try #require(hold.held)
    let uid = try #require(Self.uid(held.identity))
    if held.parts["2"]?.isComplete != true {
      try fetch(held.identity, held.parts["2"]?.decoder ?? MailPartDecoder(encoding: "base64"))
    }
    switch number % 3 {
    case 0:
      server.note("asked", "\(uid)")
      try take(.delete)
    case 1: try take(.reply(id: "\(turn)-\(number)"))
    default:
      server.note("left", "\(uid)")
      try take(.timer)
    }
    server.note("done", "\(uid)")
  }

  /// Takes an event and what answers its effects.
  private func take(_ event: MailHold.Event) throws {
    answers.append(event)
    while !answers.isEmpty {
      for effect in try store(answers.removeFirst()) { try carryOut(effect) }
    }
  }

  /// Takes an event, and stores the state before its effects are carried out.
  private func store(_ event: MailHold.Event) throws -> [MailHold.Effect] {
    let effects = hold.handle(event)
    try AtomicFile.write([UInt8](try JSONEncoder().encode(hold)), to: PathBytes(folder + "/hold.json"))
    return effects
  }

  private func carryOut(_ effect: MailHold.Effect) throws {
    switch effect {
    case .fetchNext(let released):
      let uid = server.next(after: released.flatMap(Self.uid))
      answers.append(.found(.imap(validity: 1, uid: uid), nil))
    case .select: answers.append(.selected(validity: 1))
    case .fetchStructure(let identity):
      answers.append(.structured(identity, MailStructure(message: StructureTests.nested)))
    case .fetchPart(let identity, _, let decoder): try fetch(identity, decoder)
    case .check(let identity):
      answers.append(.checked(identity, isThere: Self.uid(identity).map(server.has) ?? false))
    case .delete(let identity):
      if let uid = Self.uid(identity), server.has(uid) { server.note("deleted", "\(uid)") }
      answers.append(.confirmed(identity, .deletion))
    case .sendReply(let id, let identity):
      if let uid = Self.uid(identity) { server.note("sent", "\(uid) \(id)") }
      answers.append(.confirmed(identity, .reply(id: id)))
    case .findReply(let id, let identity):
      let request = MailHold.Request.unconfirmedReply(id: id)
      answers.append(
        server.replies.contains(id)
          ? .confirmed(identity, request) : .failed(identity, request, reason: "not sent"))
    case .removeParts(let identity):
      let kept = identity.flatMap(Self.uid).map { "\($0)" }
      for name in try FileManager.default.contentsOfDirectory(atPath: folder + "/parts") where name != kept {
        try FileManager.default.removeItem(atPath: folder + "/parts/" + name)
      }
    case .setTimer: break
    }
  }

  /// Continues a file: each piece is on the disk before the state that says so.
  private func fetch(_ identity: MailHold.Identity, _ decoder: MailPartDecoder) throws {
    let uid = try #require(Self.uid(identity))
    let encoded = Array(Data(Self.content(uid)).base64EncodedString().utf8)
    let file = open(folder + "/parts/\(uid)", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    defer { close(file) }
    var decoder = decoder
    #expect(ftruncate(file, off_t(decoder.decodedOctets)) == 0)
    while decoder.encodedOctets < encoded.count {
      let start = decoder.decodedOctets
      let end = min(decoder.encodedOctets + 97, encoded.count)
      var bytes = decoder.feed(encoded[decoder.encodedOctets..<end])
      if end == encoded.count { bytes += decoder.finish() }
      #expect(pwrite(file, bytes, bytes.count, off_t(start)) == bytes.count)
      #expect(fsync(file) == 0)
      let effects = try store(.written(identity, section: "2", decoder, isComplete: end == encoded.count))
      #expect(effects.isEmpty)
    }
  }
}
