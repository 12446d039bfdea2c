internal import AttachmentPolicy
internal import Foundation
internal import MMSCodec
internal import MediaLibrary
internal import MediaModel
internal import Messaging
internal import TestSupport
internal import Testing

@testable internal import MediaService

@Suite("Messages of the service") struct MessageTests {
  private let anna = Caller(owner: "anna")

  @Test("a check evaluates attachments as one selection, and changes nothing (R-CHAT-3, R-MYM-20)") func check()
    async throws
  {
    let fixture = try await ServiceFixture()
    let service = fixture.service
    let small = try await fixture.addRow("a.jpg", bytes: 1_000, time: 1)
    let large = try await fixture.addRow("b.mp4", type: MediaType("video/mp4"), bytes: 400_000, time: 2)
    #expect(try await service.check([small, large], of: anna).accepted)
    let verdict = try await service.check(
      [small, large, small], of: anna, policy: .init(AttachmentRules.Preset.mms300k.rules))
    #expect(verdict.files.map(\.accepted) == [true, false, false])
    #expect(verdict.files[1].reasons.map(\.code.rawValue) == ["messageTooLarge"])
    #expect(verdict.files[2].reasons == [.duplicate(of: MediaAttachment.ID(small))])
    let draft = try await service.createDraft(for: anna)
    _ = try await service.addToDraft([.init(attachment: small)], draft: draft.id, of: anna)
    #expect(try await !service.check([small], of: anna, draft: draft.id).accepted)
    #expect(try await service.draft(draft.id, of: anna).version == 2)
  }

  @Test("a profile of a request cannot allow a message larger than the service holds in memory")
  func profileLimits() async throws {
    let service = try await ServiceFixture().service
    for json in [
      "{\"profile\":{\"maxMessageBytes\":9000000000000000000}}", "{\"profile\":{\"maxAttachments\":1000}}",
    ] {
      let request = try JSONDecoder().decode(MediaService.CompositionRequest.self, from: Data(json.utf8))
      do throws(ServiceError) {
        _ = try await service.compose(request, for: anna)
        Issue.record("\(json) is accepted")
      } catch {
        #expect(error.code == .invalidRequest)
      }
    }
  }

  @Test("rules of a request are a preset or an object; a misspelt one is an error") func policies() throws {
    func rules(_ json: String) throws -> AttachmentRules {
      try JSONDecoder().decode(MediaService.PolicyChoice.self, from: Data(json.utf8)).rules
    }
    #expect(try rules("\"mms-300k\"") == AttachmentRules.Preset.mms300k.rules)
    #expect(try rules("{\"maxAttachments\":3}").maxAttachments == 3)
    for json in ["\"mms\"", "{\"maxAttachment\":3}", "7"] { #expect(throws: DecodingError.self) { try rules(json) } }
  }

  @Test("a draft is shown as modules, in the order of sending (R-MMS-38, R-MMS-42, R-MMS-43)") func draftModules()
    async throws
  {
    let fixture = try await ServiceFixture()
    let service = fixture.service
    let photo = try await fixture.add("camera-roll/IMG_0001.jpg")
    let video = try await fixture.add("camera-roll/VID_0008.mp4")
    let draft = try await service.createDraft(for: anna, text: "See www.example.org")
    _ = try await service.addToDraft([.init(attachment: video), .init(attachment: photo)], draft: draft.id, of: anna)
    let message = try await service.modules(of: draft.id, for: anna)
    #expect(message.direction == "outgoing")
    #expect(message.modules.map(\.kind) == [.text, .video, .image])
    #expect(message.modules[0].links?.map(\.target) == ["http://www.example.org"])
    #expect(message.modules[1].poster?.hasPrefix("/v1/attachments/\(video)/renditions/message.webp") == true)
    #expect(message.modules[2].thumbnail?.hasPrefix("/v1/attachments/\(photo)/renditions/message.webp") == true)
    #expect(message.modules.allSatisfy { $0.state == .ready })
  }

  @Test("a draft becomes a message within the limit, which is shown with the same modules (R-MMS-38, R-MMS-44)")
  func compose() async throws {
    let fixture = try await ServiceFixture()
    let service = fixture.service
    let photo = try await fixture.add("camera-roll/IMG_0001.jpg")
    let draft = try await service.createDraft(for: anna, text: "At the lake")
    _ = try await service.addToDraft([.init(attachment: photo)], draft: draft.id, of: anna)
    var request = MediaService.CompositionRequest()
    (request.draft, request.to) = (draft.id, ["+15551234567"])
    let message = try await service.compose(request, for: anna)
    #expect(message.canSend)
    #expect(message.type == .mms)
    let pdu = try #require(message.pdu)
    #expect(pdu.count <= 307_200)
    var defects: [MMSMessage.Defect] = []
    let decoded = try MMSMessage(decoding: pdu[...], defects: &defects)
    #expect(decoded.type == .sendReq)
    #expect(defects.isEmpty)

    let path = try fixture.folder.write(pdu, to: "sent.mms")
    let stored = try await fixture.add(path: path)
    let shown = try await service.modules(of: stored, for: anna)
    #expect(shown.messageType == "m-send-req")
    #expect(shown.to == ["+15551234567"])
    #expect(shown.modules.map(\.kind) == [.text, .image] || shown.modules.map(\.kind) == [.image, .text])
    let image = try #require(shown.modules.first { $0.kind == .image })
    #expect(image.thumbnail?.hasPrefix("data:image/webp;base64,") == true)
    #expect(await code { _ = try await service.modules(of: stored, for: Caller(owner: "berta")) } == "notFound")
  }

  @Test("a message that cannot be sent names all reasons, and has no PDU") func refused() async throws {
    let fixture = try await ServiceFixture()
    let photo = try await fixture.add("camera-roll/IMG_0001.jpg")
    var request = MediaService.CompositionRequest()
    (request.attachments, request.subject) = ([photo], String(repeating: "x", count: 41))
    let message = try await fixture.service.compose(request, for: anna)
    #expect(message.pdu == nil)
    #expect(!message.canSend)
    #expect(message.blockerCodes == ["noRecipient", "subjectTooLong"])
    let sentences = ["It has no recipient.", "The subject has 41 characters; the limit is 40."]
    #expect(message.blockerSentences == sentences)
    (request.attachments, request.subject, request.text, request.to) = (nil, nil, "Hello", ["+15551234567"])
    let sms = try await fixture.service.compose(request, for: anna)
    #expect(sms.type == .sms)
    #expect(sms.canSend)
    #expect(sms.pdu == nil)
  }

  @Test("a message requests the reports of its owner's settings, unless the request states it (R-MMS-55)")
  func reports() async throws {
    let fixture = try await ServiceFixture()
    let service = fixture.service
    var request = MediaService.CompositionRequest()
    request.attachments = [try await fixture.add("camera-roll/IMG_0001.jpg")]
    request.to = ["+15551234567"]
    func requested() async throws -> [Bool?] {
      let pdu = try #require(try await service.compose(request, for: anna).pdu)
      var defects: [MMSMessage.Defect] = []
      let message = try MMSMessage(decoding: pdu[...], defects: &defects)
      return [message[.deliveryReport], message[.readReport]]
    }
    // What the settings are before anybody has changed them.
    #expect(try await requested() == [false, true])
    var change = MediaService.MessageSettingsChange()
    (change.requestsMMSDeliveryReports, change.requestsReadReports) = (true, false)
    _ = try await service.changeMessageSettings(change, for: anna)
    #expect(try await requested() == [true, false])
    request.deliveryReport = false
    #expect(try await requested() == [false, false])
    (request.deliveryReport, request.readReport) = (nil, true)
    #expect(try await requested() == [true, true])
  }

  @Test("an attachment that is no message, and one that is gone, have no modules") func notAMessage() async throws {
    let fixture = try await ServiceFixture()
    let photo = try await fixture.add("camera-roll/IMG_0001.jpg")
    #expect(await code { _ = try await fixture.service.modules(of: photo, for: anna) } == "unavailable")
    #expect(await code { _ = try await fixture.service.modules(of: "4711", for: anna) } == "notFound")
  }

  @Test("a text has its links and segments (R-CHAT-16)") func text() {
    let answer = MediaService.TextAnswer("call +1 555 123 4567")
    #expect(answer.links.map(\.kind) == [.phone])
    #expect(answer.segments.count == 1)
    #expect(answer.segments.perSegment == 160)
    #expect(MediaService.TextAnswer(String(repeating: "ê", count: 71)).segments.count == 2)
    #expect(MediaService.TextAnswer(String(repeating: "ê", count: 71), isStrict7Bit: true).segments.count == 1)
  }

  @Test("a text alone is an MMS only if it needs more segments than a message has (R-MMS-30)") func textType() {
    let most = 153 * (CarrierProfile().maxSMSSegments ?? SMSSegmenter.Segments.largestCount)
    #expect(MediaService.TextAnswer("").type == .sms)
    #expect(MediaService.TextAnswer(String(repeating: "a", count: most)).type == .sms)
    #expect(MediaService.TextAnswer(String(repeating: "a", count: most + 1)).type == .mms)
    #expect(MediaService.TextAnswer(String(repeating: "ê", count: most)).type == .mms)
    #expect(MediaService.TextAnswer(String(repeating: "ê", count: most), isStrict7Bit: true).type == .sms)
  }

  @Test("a blocked attachment of a draft is put into no message (R-MYM-26)") func blocked() async throws {
    let fixture = try await ServiceFixture()
    let service = fixture.service
    let photo = try await fixture.add("camera-roll/IMG_0001.jpg")
    let draft = try await service.createDraft(for: anna, text: "At the lake")
    _ = try await service.addToDraft([.init(attachment: photo)], draft: draft.id, of: anna)
    var request = MediaService.CompositionRequest()
    (request.draft, request.to) = (draft.id, ["+15551234567"])
    #expect(try await service.compose(request, for: anna).canSend)
    let id = FileID(rawValue: try #require(Int64(photo)))
    _ = try await service.block(id, reason: "law", by: .moderator)
    let message = try await service.compose(request, for: anna)
    #expect(message.blockerCodes == ["unavailable"])
    #expect(message.pdu == nil)
  }

  @Test("an owner who stores no locations keeps no metadata in a message (R-MYM-27)") func withoutLocations()
    async throws
  {
    let fixture = try await ServiceFixture()
    let photo = try await fixture.add("camera-roll/IMG_0001.jpg")
    var request = MediaService.CompositionRequest()
    (request.attachments, request.to, request.metadata) = ([photo], ["+15551234567"], .keep)
    // An image that fits as it is.
    request.profile = try JSONDecoder().decode(
      MediaService.CompositionRequest.ProfileChoice.self,
      from: Data("{\"maxImageSize\":{\"width\":4000,\"height\":4000}}".utf8))
    let exif = Array("Exif\0\0".utf8)
    func hasMetadata() async throws -> Bool {
      let pdu = try #require(try await fixture.service.compose(request, for: anna).pdu)
      return pdu.indices.contains { pdu[$0...].starts(with: exif) }
    }
    #expect(try await hasMetadata())
    _ = try await fixture.service.setLocationSharing(.none, for: anna)
    #expect(try await !hasMetadata())
  }
}
