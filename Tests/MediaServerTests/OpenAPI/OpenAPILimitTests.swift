internal import Foundation
internal import MediaLibrary
internal import PhotoTray
internal import RawHTTP
internal import TestSupport
internal import Testing

@testable internal import MediaServer
@testable internal import MediaService

/// The limits that openapi.json states are those of the code.
@Suite struct OpenAPILimitTests {
  @Test func `Every upper limit of the document is a constant of the code`() throws {
    var found: [String: Int] = [:]
    Self.collect(try Self.document(), at: "", into: &found)
    let documented = found.filter { pointer, _ in !Self.isOfNature(pointer) }
    let expected = Self.limits()
    #expect(Set(documented.keys).subtracting(expected.keys).sorted() == [], "limits without a constant")
    #expect(Set(expected.keys).subtracting(documented.keys).sorted() == [], "constants that are not documented")
    for (pointer, limit) in expected { #expect(documented[pointer] == limit, "\(pointer)") }
  }

  @Test func `Lower limits of the document are those of the code`() throws {
    var lowest: [String: Int] = [:]
    Self.collect(try Self.document(), at: "", keywords: ["minimum", "minLength"], into: &lowest)
    for (pointer, limit) in [
      "/components/parameters/PageLimit/schema/minimum": FieldLimits.page.lowerBound,
      "/components/parameters/MemberLimit/schema/minimum": FieldLimits.page.lowerBound,
      "/components/parameters/ModerationPageLimit/schema/minimum": FieldLimits.moderationPage.lowerBound,
      "/components/parameters/Zoom/schema/minimum": FieldLimits.zoom.lowerBound,
      "/components/parameters/PathZoom/schema/minimum": FieldLimits.zoom.lowerBound,
      "/components/parameters/MaxPoints/schema/minimum": FieldLimits.pathPoints.lowerBound,
      "/components/parameters/GapHours/schema/minimum": FieldLimits.gapHours.lowerBound,
      "/components/parameters/GapKilometres/schema/minimum": FieldLimits.gapKilometres.lowerBound,
      "/components/schemas/NewMoment/properties/time/minimum": MomentFields.times.lowerBound,
      "/components/schemas/NewMoment/properties/utcOffset/minimum": MomentFields.utcOffsets.lowerBound,
      "/components/schemas/MomentChange/properties/time/minimum": MomentFields.times.lowerBound,
      "/components/schemas/NewTrip/properties/started/minimum": MomentFields.times.lowerBound,
      "/components/schemas/TripChange/properties/ended/minimum": MomentFields.times.lowerBound,
      "/components/schemas/ReceivedSMS/properties/time/minimum": FieldLimits.smsTimes.lowerBound,
      "/components/schemas/ReceivedSMS/properties/segment/properties/count/minimum": FieldLimits.segments.lowerBound,
    ] {
      #expect(lowest[pointer] == limit, "\(pointer)")
    }
  }

  @Test func `Limits that no keyword can state are in the descriptions`() throws {
    let document = try Self.document()
    let information = try #require(Self.text(document, "info", "description"))
    let connections = MediaServer.ConnectionLimits()
    #expect(information.contains(Self.number(connections.headBytes) + " bytes"))
    #expect(information.contains("\(connections.headFields) fields"))
    let tooLarge = try #require(Self.text(document, "components", "responses", "TooLarge", "description"))
    #expect(tooLarge.contains(Self.number(JSONBody.limit) + " bytes"))
    #expect(tooLarge.contains(Self.number(MessagePDU.limit)))
    #expect(tooLarge.contains(Self.number(MediaService.maxMessageBytes)))
    #expect(tooLarge.contains(Self.number(Upload.Checksum.maxBytes)))
    let checksum = try #require(Self.text(document, "components", "parameters", "UploadChecksum", "description"))
    #expect(checksum.contains(Self.number(Upload.Checksum.maxBytes) + " bytes"))
    let segment = try #require(
      Self.text(document, "components", "schemas", "ReceivedSMS", "properties", "text", "description"))
    #expect(segment.contains(Self.number(FieldLimits.segmentUnits) + " UTF-16 units"))
  }

  @Test func `A value at its limit is accepted, and one beyond it is refused with the limit`() async throws {
    let words = FieldLimits.words
    try await TestServer.start(configure: { $0.keys = try? Tokens.keys() }) { server in
      for path in ["/v1/moments", "/v1/trips", "/v1/messages"] {
        let longest = try await server.request(
          "GET", "\(path)?q=\(String(repeating: "a", count: words))", Self.moderator)
        #expect(longest.status == 200, "\(path)")
        let longer = try await server.request(
          "GET", "\(path)?q=\(String(repeating: "a", count: words + 1))", Self.moderator)
        #expect(longer.status == 400, "\(path)")
        #expect(longer.json["limit"] as? Int == words, "\(path)")
      }
      let limit = MediaService.Limits().textLength
      let block = "/v1/moderation/contents/" + String(repeating: "0a", count: 32)
      for (length, status) in [(limit, 200), (limit + 1, 400)] {
        // Two scalars that are one character for Swift, which JSON Schema counts as two.
        let reason = String(repeating: "e\u{301}", count: length / 2) + String(repeating: "a", count: length % 2)
        let answer = try await server.request(
          "PUT", block, Self.json, body: Array("{\"reason\":\"\(reason)\"}".utf8))
        #expect(answer.status == status, "\(length)")
      }
    }
  }

  @Test func `A moderator's reason is as long as a reader's at most`() async throws {
    try await TestServer.start(configure: { $0.keys = try? Tokens.keys() }) { server in
      let photo = try await server.request(
        "POST", "/v1/attachments", Self.moderator.merging(["Content-Type": "image/jpeg"]) { $1 },
        body: try Fixture.bytes("camera-roll/IMG_0001.jpg"))
      let id = try #require(photo.json["id"] as? String)
      let note = try await server.request(
        "POST", "/v1/moments", Self.json, body: Array("{\"caption\":\"A\"}".utf8))
      let moment = try #require(note.json["id"] as? String)
      let limit = MediaService.Limits().textLength
      for route in [
        "attachments/\(id)/block", "attachments/\(id)/protect", "moments/\(moment)/hold", "moments/\(moment)/protect",
      ] {
        let reason = String(repeating: "a", count: limit + 1)
        let answer = try await server.request(
          "POST", "/v1/moderation/\(route)", Self.json, body: Array("{\"reason\":\"\(reason)\"}".utf8))
        #expect(answer.status == 400, "\(route)")
        #expect(answer.json["limit"] as? Int == limit, "\(route)")
      }
    }
  }

  private static var moderator: [String: String] { Tokens.field("anna", scope: "read write moderate") }

  private static var json: [String: String] { moderator.merging(["Content-Type": "application/json"]) { $1 } }

  // MARK: The constants

  /// The upper limits of the code by JSON pointers into the document.
  private static func limits() -> [String: Int] {
    var all = parameters()
    for (name, limit) in schemas() { all["/components/schemas/\(name)"] = limit }
    return all
  }

  private static func parameters() -> [String: Int] {
    let limits: [String: Int] = [
      // Ids have at most 19 digits, and each a comma after it or its escape.
      "Ids/schema/maxLength": 21 * MediaService.Limits().batch,
      "ItemPath/schema/maxLength": FieldLimits.name,
      "IdempotencyKey/schema/maxLength": FieldLimits.name,
      "MessageWords/schema/maxLength": FieldLimits.words,
      "Words/schema/maxLength": FieldLimits.words,
      "OwnerNames/schema/maxItems": MediaService.Limits().batch,
      "PageLimit/schema/maximum": FieldLimits.page.upperBound,
      "MemberLimit/schema/maximum": FieldLimits.page.upperBound,
      "ModerationPageLimit/schema/maximum": FieldLimits.moderationPage.upperBound,
      "Zoom/schema/maximum": FieldLimits.zoom.upperBound,
      "PathZoom/schema/maximum": FieldLimits.zoom.upperBound,
      "MaxPoints/schema/maximum": FieldLimits.pathPoints.upperBound,
      "GapHours/schema/maximum": FieldLimits.gapHours.upperBound,
      "GapKilometres/schema/maximum": FieldLimits.gapKilometres.upperBound,
      "PosterAt/schema/exclusiveMaximum": FieldLimits.posterSeconds,
      "UploadOffset/schema/maximum": .max,
      "UploadLength/schema/maximum": .max,
    ]
    return Dictionary(uniqueKeysWithValues: limits.map { ("/components/parameters/\($0.key)", $0.value) })
  }

  private static func schemas() -> [String: Int] {
    let limits = MediaService.Limits()
    let (text, times) = (limits.textLength, MomentFields.times.upperBound)
    let segment = "ReceivedSMS/properties/segment/properties"
    return [
      "AttachmentChange/properties/title/maxLength": text,
      "AttachmentChange/properties/caption/maxLength": text,
      "AttachmentChange/properties/collection/maxLength": text,
      "AttachmentChange/properties/labels/items/maxLength": FieldLimits.label,
      "AttachmentChange/properties/labels/maxItems": limits.labels,
      "AttachmentChange/properties/originalLabels/items/maxLength": FieldLimits.label,
      "AttachmentChange/properties/originalLabels/maxItems": limits.labels,
      "BlockRequest/properties/reason/maxLength": text,
      "ReportRequest/properties/reason/maxLength": text,
      "GrantRequest/properties/ids/maxItems": limits.batch,
      "Tray/properties/cells/maxItems": PhotoTray.Tray.capacity,
      "DraftList/properties/drafts/maxItems": FieldLimits.draftPage,
      "UnscannableList/properties/items/items/properties/attachments/maxItems": FieldLimits.holders,
      "DraftCreation/properties/thread/maxLength": FieldLimits.name,
      "DraftCreation/properties/attachments/maxItems": FieldLimits.additions,
      "DraftAddition/anyOf/1/properties/id/maxLength": FieldLimits.name,
      "DraftAdditions/properties/attachments/maxItems": FieldLimits.additions,
      "DraftCommit/properties/labels/items/maxLength": FieldLimits.label,
      "DraftCommit/properties/labels/maxItems": limits.labels,
      "CheckRequest/properties/attachments/maxItems": FieldLimits.additions,
      "CompositionRequest/properties/attachments/maxItems": FieldLimits.additions,
      "TextRequest/properties/texts/maxItems": FieldLimits.texts,
      "ThreadDraftChange/properties/to/items/maxLength": FieldLimits.recipient,
      "ThreadDraftChange/properties/to/maxItems": FieldLimits.recipients,
      "ThreadDraftChange/properties/content/items/anyOf/1/properties/id/maxLength": FieldLimits.name,
      "ReceivedSMS/properties/from/maxLength": FieldLimits.sender,
      "ReceivedSMS/properties/text/maxLength": FieldLimits.smsText,
      "ReceivedSMS/properties/time/maximum": FieldLimits.smsTimes.upperBound,
      "\(segment)/reference/maximum": FieldLimits.segmentReferences.upperBound,
      "\(segment)/number/maximum": FieldLimits.segments.upperBound,
      "\(segment)/count/maximum": FieldLimits.segments.upperBound,
      "NewMoment/properties/title/maxLength": text,
      "NewMoment/properties/caption/maxLength": text,
      "NewMoment/properties/time/maximum": times,
      "NewMoment/properties/utcOffset/maximum": MomentFields.utcOffsets.upperBound,
      "NewMoment/properties/trips/maxItems": limits.batch,
      "MomentChange/properties/title/maxLength": text,
      "MomentChange/properties/caption/maxLength": text,
      "MomentChange/properties/time/maximum": times,
      "MomentChange/properties/utcOffset/maximum": MomentFields.utcOffsets.upperBound,
      "NewTrip/properties/title/maxLength": text,
      "NewTrip/properties/description/maxLength": text,
      "NewTrip/properties/started/maximum": times,
      "NewTrip/properties/ended/maximum": times,
      "TripChange/properties/title/maxLength": text,
      "TripChange/properties/description/maxLength": text,
      "TripChange/properties/started/maximum": times,
      "TripChange/properties/ended/maximum": times,
      "TripAdditions/properties/moments/maxItems": limits.batch,
    ]
  }

  /// Limits that are no choice of the service: degrees, orientations of EXIF, the two ends of a range, and more files than any message has.
  private static func isOfNature(_ pointer: String) -> Bool {
    ["latitude/maximum", "longitude/maximum", "orientation/maximum", "TextRange/maxItems", "PartPath/schema/maximum"]
      .contains { pointer.hasSuffix("/" + $0) }
  }

  // MARK: The document

  private static func document() throws -> [String: Any] {
    let json = try JSONSerialization.jsonObject(with: Data(contentsOf: OpenAPITests.file))
    return try #require(json as? [String: Any])
  }

  /// The numbers of keywords, by JSON pointer (RFC 6901).
  private static func collect(
    _ value: Any, at pointer: String,
    keywords: Set<String> = ["maxLength", "maxItems", "maxProperties", "maximum", "exclusiveMaximum"],
    into found: inout [String: Int]
  ) {
    if let array = value as? [Any] {
      for (index, item) in array.enumerated() {
        collect(item, at: "\(pointer)/\(index)", keywords: keywords, into: &found)
      }
    }
    guard let object = value as? [String: Any] else { return }
    for (key, item) in object {
      let below = "\(pointer)/\(key.replacing("~", with: "~0").replacing("/", with: "~1"))"
      if keywords.contains(key), let number = item as? Int { found[below] = number }
      collect(item, at: below, keywords: keywords, into: &found)
    }
  }

  private static func text(_ document: [String: Any], _ keys: String...) -> String? {
    var value: Any? = document
    for key in keys { value = (value as? [String: Any])?[key] }
    return value as? String
  }

  /// A number with commas, as texts write it.
  private static func number(_ number: Int) -> String {
    var digits = "\(number)"[...]
    var groups: [Substring] = []
    while digits.count > 3 {
      groups.insert(digits.suffix(3), at: 0)
      digits = digits.dropLast(3)
    }
    return ([digits] + groups).joined(separator: ",")
  }
}
