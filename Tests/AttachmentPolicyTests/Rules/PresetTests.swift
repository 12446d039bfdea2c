internal import AttachmentPolicy
internal import Foundation
internal import MediaModel
internal import Testing

@Suite("Presets and rules in JSON") struct PresetTests {
  @Test("The presets have the names of the design")
  func presetsHaveTheNamesInTheDesign() {
    #expect(
      AttachmentRules.Preset.allCases.map(\.rawValue) == [
        "photo-tray", "mattermost", "mms-300k", "mms-600k", "mms-1m", "mail-25m",
      ])
  }

  @Test(
    "R-TRAY-4, R-MYM-10, D6.8, D6.9: photo-tray allows ten files of 100 MiB, evaluated one by one, without duplicates")
  func photoTray() {
    let rules = AttachmentRules.Preset.photoTray.rules
    #expect(rules == AttachmentRules())
    #expect(rules.maxAttachments == 10)
    #expect(rules.maxFileBytes == 104_857_600)
    #expect(rules.maxPixels == 268_402_689)
    #expect(rules.batch == .eachByItself)
    #expect(rules.refusesSameAsset)
    #expect(rules.refusesSameContent)
  }

  @Test("C2, C4, C5, C8, C21, C24: mattermost has the limits of Mattermost") func mattermost() {
    let rules = AttachmentRules.Preset.mattermost.rules
    #expect(rules.maxAttachments == 10)
    #expect(rules.maxFileBytes == 104_857_600)
    #expect(rules.maxPixels == 33_177_600)
    #expect(rules.maxTextScalars == 4_000)
    #expect(rules.batch == .allOrNothing)
    #expect(!rules.refusesSameAsset)
    #expect(!rules.refusesSameContent)
    #expect(!rules.refusesDamagedFiles)
    #expect(rules.refusedMismatches == [])
  }

  @Test("A2: the MMS presets reserve 5 KiB for headers") func multimedia() {
    let limits = [AttachmentRules.Preset.mms300k, .mms600k, .mms1m].map(\.rules.maxMessageBytes)
    #expect(limits == [302_080, 609_280, 1_043_456])
    #expect(AttachmentRules.Preset.mms300k.rules.shrinksImages)
    #expect(AttachmentRules.Preset.mms300k.rules.allowedKinds == [.image, .video, .audio, .contact, .text])
  }

  @Test("mail-25m allows 25 MiB after base64 encoding in lines of 76 characters") func mail() throws {
    let limit = try #require(AttachmentRules.Preset.mail25m.rules.maxMessageBytes)
    // 57 bytes become a line of 76 characters and its CRLF (RFC 2045 §6.8).
    let encoded = (limit + 56) / 57 * 78
    #expect(encoded <= 26_214_400 - 65_536)
    #expect(encoded > 26_214_400 - 65_536 - 78)
    #expect(Data(count: 57).base64EncodedString(options: [.lineLength76Characters]).utf8.count + 2 == 78)
  }

  private func read(_ json: String) throws -> AttachmentRules {
    try JSONDecoder().decode(AttachmentRules.self, from: Data(json.utf8))
  }

  @Test("The rules of each preset are the same after JSON", arguments: AttachmentRules.Preset.allCases)
  func rulesSurviveJSON(preset: AttachmentRules.Preset) throws {
    let encoder = JSONEncoder()
    let json = try encoder.encode(preset.rules)
    #expect(try JSONDecoder().decode(AttachmentRules.self, from: json) == preset.rules)
  }

  @Test("Every rule is the same after JSON")
  func everyRuleSurvivesJSON() throws {
    var rules = AttachmentRules()
    rules.allowsAttachments = false
    rules.maxAttachments = 3
    rules.maxFileBytes = 4
    rules.maxMessageBytes = 5
    rules.maxPixels = nil
    rules.maxDuration = 6.5
    rules.maxTextScalars = 7
    rules.allowedKinds = [.image, .audio]
    rules.allowedTypes = [.png]
    rules.kindLimits = [.audio: .init(maxFileBytes: 8, maxDuration: 9)]
    rules.refusedMismatches = [.format]
    rules.refusesDamagedFiles = false
    rules.refusesSameAsset = false
    rules.refusesSameContent = false
    rules.batch = .allOrNothing
    rules.shrinksImages = true
    let json = try JSONEncoder().encode(rules)
    #expect(try JSONDecoder().decode(AttachmentRules.self, from: json) == rules)
  }

  @Test("An absent key has the default of its preset, and null is no limit")
  func anAbsentKeyHasItsDefaultAndNullIsNoLimit() throws {
    #expect(try read("{}") == AttachmentRules())
    var four = AttachmentRules()
    four.maxAttachments = 4
    four.maxFileBytes = nil
    #expect(try read(#"{"maxAttachments":4,"maxFileBytes":null}"#) == four)
    var mattermost = AttachmentRules.Preset.mattermost.rules
    mattermost.maxFileBytes = 52_428_800
    #expect(try read(#"{"preset":"mattermost","maxFileBytes":52428800}"#) == mattermost)
    #expect(try read(#"{"allowedTypes":["IMAGE/JPEG"]}"#).allowedTypes == [.jpeg])
    #expect(try read(#"{"preset":"mms-300k","allowedKinds":null}"#).allowedKinds == nil)
  }

  @Test(
    "A mistake in rules is an error that names it",
    arguments: [
      (#"{"maxFileByte":1}"#, "maxFileByte"), (#"{"preset":"fax"}"#, "fax"), (#"{"maxAttachments":-1}"#, "0 or more"),
      (#"{"maxDuration":-0.5}"#, "0 or more"), (#"{"kindLimits":{"picture":{}}}"#, "picture"),
      (#"{"kindLimits":{"image":{"maxFileBytes":-1}}}"#, "0 or more"), (#"{"allowedKinds":["photo"]}"#, "photo"),
      (#"{"maxFileBytes":99999999999999999999}"#, "not valid"),
      ("[]", "ictionary"),
      // The limits of a kind are decoded as strictly as the common ones.
      (#"{"kindLimits":{"image":{"maxFileByte":1}}}"#, "maxFileByte"),
      (#"{"kindLimits":{"video":{"maxDuration":-1}}}"#, "0 or more"),
      (#"{"kindLimits":{"video":{"maxFileBytes":null}}}"#, "null"),
      // Null means no limit, and is an error for rules that are not limits.
      (#"{"batch":null}"#, "null"), (#"{"refusesSameContent":null}"#, "null"), (#"{"kindLimits":null}"#, "null"),
      (#"{"preset":null}"#, "null"),
    ])
  func aMistakeInRulesIsReportedRatherThanIgnored(json: String, word: String) {
    let error = #expect(throws: DecodingError.self) { try read(json) }
    #expect(error.map { "\($0)".contains(word) } == true, "\(String(describing: error))")
  }

  @Test("Equal rules have equal JSON, whatever the order of their kinds")
  func equalRulesHaveEqualBytes() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let kinds = ["image", "audio", "video", "text", "contact", "archive"]
    let texts = try [kinds, kinds.reversed()].map { kinds in
      let list = kinds.map { "\"\($0)\"" }.joined(separator: ",")
      return try encoder.encode(read(#"{"allowedKinds":[\#(list)]}"#))
    }
    #expect(texts[0] == texts[1])
  }
}
