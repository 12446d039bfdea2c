internal import AttachmentPolicy
internal import Foundation
internal import MediaModel
internal import TestSupport
internal import Testing

@Suite("Drafts in JSON") struct DraftJSONTests {
  private func read(_ json: String) throws -> AttachmentDraft {
    try JSONDecoder().decode(AttachmentDraft.self, from: Data(json.utf8))
  }

  private static func fixture(_ version: Int) throws -> Data {
    try Data(
      contentsOf: URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Fixtures/draft-\(version).json"))
  }

  /// The draft that stands in the file of version 1.
  private static var first: AttachmentDraft {
    var info = MediaInfo(type: .heic, bytes: 2_400_000)
    (info.width, info.height, info.orientation) = (3_024, 4_032, .right)
    info.sha256 = String(repeating: "ab", count: 32)
    let photo = MediaAttachment(
      id: "8D3F", asset: "IMG_0001/L0/001", name: "<img src=x onerror=alert(1)>.heic", info: info)
    var video = MediaInfo(type: MediaType("video/quicktime"), bytes: 90_000_000)
    (video.width, video.height, video.duration) = (1_920, 1_080, 12.5)
    var draft = AttachmentDraft(text: "Grüße vom Meer 🏖")
    let rest = [
      MediaAttachment(id: "9A00", asset: "IMG_0002/L0/001", info: video),
      MediaAttachment(id: "A1", name: "letter.pdf", info: MediaInfo(type: .pdf, bytes: 40_000)),
      MediaAttachment(id: "A2", info: MediaInfo(type: .plainText, bytes: 5)),
    ]
    _ = draft.add([photo] + rest, under: Sample.unlimited)
    _ = draft.crop("8D3F", to: PixelRect(x: 0, y: 504, width: 3_024, height: 3_024))
    _ = draft.setUpload(.uploading(bytesSent: 5_242_880), of: "9A00")
    _ = draft.setUpload(.failed(.timedOut, bytesSent: 100), of: "A1")
    _ = draft.setUpload(.uploaded, of: "A2")
    return draft
  }

  @Test("Every released version can be decoded", arguments: 1...AttachmentDraft.version)
  func fixtures(version: Int) throws {
    let draft = try JSONDecoder().decode(AttachmentDraft.self, from: Self.fixture(version))
    #expect(draft == Self.first)
  }

  @Test("The encoded form equals the fixture of the current version")
  func theFixtureIsOfThisVersion() throws {
    let written = try JSONSerialization.jsonObject(with: JSONEncoder().encode(Self.first)) as? NSDictionary
    let fixture = try JSONSerialization.jsonObject(with: Self.fixture(AttachmentDraft.version)) as? NSDictionary
    #expect(written != nil)
    #expect(written == fixture)
  }

  @Test("A draft of an unknown version is refused")
  func aDraftOfANewerVersionIsRefused() throws {
    for version in [0, -1, AttachmentDraft.version + 1] {
      let error = #expect(throws: DecodingError.self) { try read(#"{"version":\#(version),"text":"","items":[]}"#) }
      #expect(error.map { "\($0)".contains("version \(version)") } == true)
    }
    #expect(throws: DecodingError.self) { try read(#"{"text":"","items":[]}"#) }
    #expect(try read(#"{"version":1,"text":"a","items":[]}"#) == AttachmentDraft(text: "a"))
  }

  @Test("Numbers from a file are clamped to their range") func foreignNumbers() throws {
    let info = #"{"kind":"image","type":"image/jpeg","bytes":100,"width":10,"height":10}"#
    let draft = try read(
      """
      {"version":1,"text":"","items":[
        {"attachment":{"id":"a","info":\(info),"crop":{"x":5,"y":5,"width":9223372036854775807,"height":1}},
         "upload":{"name":"uploading","bytesSent":101}},
        {"attachment":{"id":"a","info":\(info)},"upload":{"name":"waiting"}},
        {"attachment":{"id":"b","info":\(info)},"upload":{"name":"failed","code":"new","bytesSent":-3}}]}
      """)
    #expect(draft.items.map(\.id) == ["a", "b"])
    #expect(draft.items.map(\.upload) == [.uploading(bytesSent: 100), .failed(.init(rawValue: "new"), bytesSent: 0)])
    #expect(draft.items[0].attachment.crop == nil)
    // An item by itself, as a message keeps it, is not believed either.
    let item = try JSONDecoder().decode(
      AttachmentDraft.Item.self,
      from: Data(
        """
        {"attachment":{"id":"a","info":\(info),"crop":{"x":0,"y":0,"width":11,"height":1}},
         "upload":{"name":"uploading","bytesSent":101}}
        """.utf8))
    #expect(item.upload == .uploading(bytesSent: 100))
    #expect(item.attachment.crop == nil)
    var wide = item.attachment
    wide.crop = PixelRect(x: 0, y: 0, width: 11, height: 1)
    #expect(AttachmentDraft(text: "", items: [.init(wide)]).items[0].attachment.crop == nil)
  }

  @Test("A corrupt file gives an error and never traps (random corruption, seed printed)") func damage() throws {
    let whole = [UInt8](try Self.fixture(1))
    for seed in 0..<2_000 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      var bytes = whole
      for _ in 0...random.below(4) {
        let place = random.below(bytes.count)
        switch random.below(3) {
        case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
        case 1: bytes.remove(at: place)
        default: bytes.removeSubrange(place..<min(bytes.count, place + random.below(60)))
        }
        if bytes.isEmpty { break }
      }
      guard let draft = try? JSONDecoder().decode(AttachmentDraft.self, from: Data(bytes)) else { continue }
      // What could be read can be evaluated, changed and written again.
      _ = AttachmentRules().verdict(for: draft.attachments, given: draft)
      #expect(Set(draft.items.map(\.id)).count == draft.items.count, "seed \(seed)")
      let again = try JSONDecoder().decode(AttachmentDraft.self, from: JSONEncoder().encode(draft))
      #expect(again == draft, "seed \(seed)")
    }
  }
}
