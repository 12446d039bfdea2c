internal import MMSCodec
internal import MediaModel
internal import MessageStore
internal import Messaging
internal import Synchronization

/// A carrier that notes every request, and answers as a test says.
final class FakeNetwork: MessageOutbox.Network {
  struct Unknown: Error {}

  private struct State {
    var requests: [MessageOutbox.Request] = []
    var fetched: [String] = []
    var messages: [String: [UInt8]] = [:]
    var failures: [any Error] = []
    var pieces: [(received: Int, total: Int?)] = []
    var gate: AsyncStream<Void>?
  }
  private let state = Mutex(State())

  var requests: [MessageOutbox.Request] { state.withLock { $0.requests } }
  var fetched: [String] { state.withLock { $0.fetched } }

  /// The PDUs that were sent.
  var pdus: [MMSMessage] {
    requests.compactMap { if case .mms(let octets) = $0 { try? MMSMessage(decoding: octets) } else { nil } }
  }

  /// The texts of the SMS that were sent, by recipient.
  var texts: [String] {
    requests.compactMap { if case .sms(let text, let to, _) = $0 { "\(to): \(text)" } else { nil } }
  }

  /// The next call fails with this error.
  func fail(_ errors: any Error...) { state.withLock { $0.failures += errors } }

  /// The carrier keeps a message at an address.
  func keep(_ message: MMSMessage, at location: String) throws {
    keep(try message.encoded(), at: location)
  }

  /// The carrier keeps these octets at an address.
  func keep(_ octets: [UInt8], at location: String) { state.withLock { $0.messages[location] = octets } }

  /// The next download reports these numbers of bytes, and waits after each until the gate lets it go on.
  func reportProgress(_ pieces: [(received: Int, total: Int?)], waitingFor gate: AsyncStream<Void>) {
    state.withLock { ($0.pieces, $0.gate) = (pieces, gate) }
  }

  func submit(_ request: MessageOutbox.Request) async throws -> MessageOutbox.Answer {
    let (failure, count) = state.withLock { state in
      state.requests.append(request)
      return (state.failures.isEmpty ? nil : state.failures.removeFirst(), state.requests.count)
    }
    if let failure { throw failure }
    guard case .mms(let octets) = request else { return .sms(reference: "\(count)") }
    let message = try MMSMessage(decoding: octets)
    guard message.type == .sendReq else { return .mms([]) }
    var answer = MMSMessage(.sendConf, transactionID: message.transactionID)
    answer[.responseStatus] = .ok
    answer[.messageID] = TextString("id-\(count)")
    return .mms(try answer.encoded())
  }

  func fetch(_ location: String, progress: MessageOutbox.Progress) async throws -> [UInt8] {
    let (failure, message, pieces, gate) = state.withLock { state in
      state.fetched.append(location)
      let (pieces, gate) = (state.pieces, state.gate)
      (state.pieces, state.gate) = ([], nil)
      return (state.failures.isEmpty ? nil : state.failures.removeFirst(), state.messages[location], pieces, gate)
    }
    for piece in pieces {
      progress(piece.received, piece.total)
      if let gate { for await _ in gate { break } }
    }
    if let failure { throw failure }
    guard let message else { throw MessageOutbox.Failure.permanent(.notFound) }
    return message
  }
}

/// What a carrier pushes and serves.
enum OperatorPDU {
  static func notification(
    _ number: Int = 1, from sender: String = Sample.ann, transaction: String? = nil, location: String? = nil,
    expiry: Int = 3_600
  ) throws -> [UInt8] {
    var message = MMSMessage(.notificationInd, transactionID: TextString(transaction ?? "t\(number)"))
    message[.from] = .address(EncodedString(MMSAddress(sender, kind: .phone)))
    message[.contentLocation] = TextString(location ?? "http://mmsc/\(number)")
    message[.messageSize] = 10_000
    message[.messageClass] = .personal
    message[.expiry] = .relative(expiry)
    return try message.encoded()
  }

  /// A text and a photo.
  static func retrieved(
    _ number: Int = 1, from sender: String = Sample.ann, to people: [String] = ["+15550000001"],
    text: String = "Look at the lake", wantsReadReport: Bool = false
  ) throws -> MMSMessage {
    var message = MMSMessage(.retrieveConf, transactionID: TextString("r\(number)"))
    message[.messageID] = TextString("m\(number)")
    message[.date] = 900
    message[.from] = .address(EncodedString(MMSAddress(sender, kind: .phone)))
    message[all: .to] = people.map { EncodedString(MMSAddress($0, kind: .phone)) }
    message[.subject] = EncodedString("Holiday")
    message[.readReport] = wantsReadReport
    message.content = MMSMessage.Content(
      type: ContentType("application/vnd.wap.multipart.mixed"),
      parts: [
        MMSMessage.Part(type: .jpeg, name: "lake.jpg", body: Array("photo \(number)".utf8)),
        MMSMessage.Part(type: MediaType("text/plain"), name: "text.txt", body: Array(text.utf8)),
      ])
    return message
  }

  static func delivery(_ id: String, to address: String, _ status: MMSMessage.Status = .retrieved) throws -> [UInt8] {
    var message = MMSMessage(.deliveryInd)
    message[.messageID] = TextString(id)
    message[.to] = EncodedString(MMSAddress(address, kind: .phone))
    message[.date] = 950
    message[.status] = status
    return try message.encoded()
  }

  static func reading(_ id: String, from address: String) throws -> [UInt8] {
    var message = MMSMessage(.readOrigInd)
    message[.messageID] = TextString(id)
    message[.to] = EncodedString(MMSAddress("+15550000001", kind: .phone))
    message[.from] = .address(EncodedString(MMSAddress(address, kind: .phone)))
    message[.date] = 960
    message[.readStatus] = .read
    return try message.encoded()
  }
}
