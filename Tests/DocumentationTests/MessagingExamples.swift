import AttachmentPolicy
import Foundation
import MMSCodec
import MediaEngine
import MediaEngineInProcess
import MediaModel
import MessageFitting
import Messaging
import TestSupport
import Testing

extension Examples {
  @Test func `A message is composed and sent`() throws {
    let photo = MediaAttachment(id: "photo", name: "a.png", info: MediaInfo(type: .png, bytes: 77))
    #expect(try Self.compose(photo, bytes: [UInt8](repeating: 0, count: 77), now: 1_800_000_000) == [])
  }

  private static func compose(_ photo: MediaAttachment, bytes: [UInt8], now: Double) throws -> [String] {
    let profile = CarrierProfile.preset("mms-600k") ?? CarrierProfile()
    var message = MessageComposition(recipients: [MessageRecipient("+15551234567")])
    for event in message.setText("Look: mzl.la", under: profile) + message.attach([photo], under: profile) {
      if let seconds = event.noticeSeconds { print("\(event), for \(seconds) s") }
    }
    for module in message.modules() { print(module.label) }
    guard message.canSend(under: profile) else { return message.blockers(under: profile).map(\.code) }

    var sending = MessageSending(message, id: "message-1", under: profile, settings: MessageSettings())
    for effect in sending.handle(.send(NetworkConditions()), at: now) {
      guard case .submit(let request) = effect else { continue }
      let options = MessageComposition.SendOptions(request, date: Int(now))
      let octets = try message.sendRequest(options) { _ in bytes }.encoded()
      print("POST of \(octets.count) octets, \(message.bytes(under: profile)) were projected")
    }
    #expect(sending.state == .sending)
    #expect(message.links().flatMap(\.self).count == 1)
    return []
  }

  @Test func `A message is retrieved`() {
    var pushed = MMSMessage(.notificationInd, transactionID: "N")
    pushed[.contentLocation] = "http://mmsc.example/1"
    let answers = Self.retrieve(pushed, fetched: MMSMessage(.retrieveConf, transactionID: "R"), now: 0)
    #expect(answers.map(\.type) == [.notifyRespInd, .acknowledgeInd])
  }

  private static func retrieve(_ pushed: MMSMessage, fetched: MMSMessage, now: Double) -> [MMSMessage] {
    guard let notification = MessageRetrieval.Notification(pushed, receivedAt: now),
      var (retrieval, effects) = MessageRetrieval.arrived(
        notification, settings: MessageSettings(), conditions: NetworkConditions(), at: now)
    else { return [] }
    effects += retrieval.handle(.start(NetworkConditions()), at: now + 60)
    effects += retrieval.handle(MessageRetrieval.Event(fetched), at: now + 65)
    let answers = effects.compactMap { $0.message() }
    return answers
  }

  @Test func `A message is read and answered`() throws {
    var made = MMSMessage(.retrieveConf, transactionID: "T9")
    made[.subject] = "é"
    made.content = try MMSMessage.Content(presenting: [MessageSlides.Slide(media: nil, text: "hi", index: 0)])
    let octets = try made.encoded()

    let message = try MMSMessage(decoding: octets)
    print(message.type.name, message.subjectText ?? "no subject")
    if message[.retrieveStatus]?.outcome ?? .ok == .ok {
      for slide in MessageSlides(of: message).slides {
        if let media = slide.media { print(media.contentType.mediaType, media.content.count) }
        if let text = slide.text { print(text.text) }
      }
    }
    var answer = MMSMessage(.acknowledgeInd, transactionID: message.transactionID)
    answer[.reportAllowed] = true
    let reply = try answer.encoded()

    #expect(message.subjectText == "é")
    #expect(MessageSlides(of: message).slides.map { $0.text?.text } == ["hi"])
    #expect(reply == [0x8C, 0x85, 0x98, 0x54, 0x39, 0x00, 0x8D, 0x93, 0x91, 0x80])
  }

  @Test func `A message is shown`() throws {
    var message = MMSMessage(.retrieveConf)
    message.content = try MMSMessage.Content(presenting: [MessageSlides.Slide(media: nil, text: "see a.de", index: 0)])

    for module in MessageModule.modules(of: message.moduleContent { part in MessageModule.File(part) }) {
      print(module.kind, module.state, module.label)
      for link in module.links ?? [] { print(link.uri) }
    }

    #expect(MessageModule.modules(of: message.moduleContent()).first?.links?.first?.uri == "http://a.de")
  }

  @Test func `A message is written`() throws {
    let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xD9]

    let photo = MMSMessage.Part(type: .jpeg, name: "lake.jpg", body: jpeg)
    var request = MMSMessage(.sendReq, transactionID: "T1")
    request[.from] = .insertAddress
    request[all: .to] = [EncodedString(MMSAddress("+12065550100", kind: .phone)), "jane@example.org"]
    request[.subject] = "The lake"
    request.content = try MMSMessage.Content(presenting: [
      MessageSlides.Slide(media: photo, text: "This morning", index: 0)
    ])
    let pdu = try request.encoded()

    #expect(try MMSMessage(decoding: pdu) == request)
    #expect(request.missingFields == [])
  }

  @Test func `A message is fitted`() async throws {
    var configuration = MediaEngine.Configuration()
    configuration.kind = .inProcess()
    let engine = try await MediaEngine.start(configuration)
    let temporary = try TemporaryFolder()
    let folder = temporary.url
    let source = MediaSource.bytes([UInt8](try #require(Data(base64Encoded: Self.image))))
    let attachment = MediaAttachment(id: "1", name: "picture.png", info: try await engine.probe(source))
    let composition = MessageComposition(
      content: [.text("Hello"), .attachment(AttachmentDraft.Item(attachment))],
      recipients: [MessageRecipient("+15551234567")])
    let files = [attachment.id: source]

    let fitter = MessageFitter(engine: engine, transcoder: EngineTranscoder(engine: engine))
    let profile = CarrierProfile.preset("mms-300k") ?? CarrierProfile()
    switch try await fitter.fit(composition, under: profile, files: files) {
    case .fitted(let message):
      for change in message.plan.changes {
        print(change.id, change.from.bytes, "→", change.to.bytes, change.effects.map(\.rawValue))
      }
      let request = try message.sendRequest(MessageComposition.SendOptions(transactionID: "T1", date: 1_800_000_000))
      let octets = try request.encoded()
      try Data(octets).write(to: folder.appendingPathComponent("message.mms"), options: .atomic)
    case .refused(let refusal):
      print("\(refusal.bytes) of \(refusal.limit) bytes; remove", refusal.remove)
    }

    let written = try Data(contentsOf: folder.appendingPathComponent("message.mms"))
    let slides = MessageSlides(of: try MMSMessage(decoding: [UInt8](written))).slides
    #expect(slides.map { $0.media?.contentType.mediaType } == [nil, .jpeg])
    await engine.shutdown()
  }
}
