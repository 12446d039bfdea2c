internal import AttachmentPolicy
internal import Foundation
internal import MediaModel
internal import Testing

@Suite("Verdicts in JSON") struct VerdictJSONTests {
  private func json(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  /// Every reason, and how it is written (docs/design.md §6).
  static let reasons: [(Verdict.Reason, String)] = [
    (.tooManyAttachments(limit: 10), #"{"code":"tooManyAttachments","limit":10}"#),
    (.fileTooLarge(limit: 1, actual: 2), #"{"actual":2,"code":"fileTooLarge","limit":1}"#),
    (.messageTooLarge(limit: 1, actual: 2), #"{"actual":2,"code":"messageTooLarge","limit":1}"#),
    (.duplicate(of: "a"), #"{"code":"duplicate","of":"a"}"#),
    (.kindNotAllowed(.audio), #"{"actual":"audio","code":"kindNotAllowed"}"#),
    (.typeNotAllowed(.png), #"{"actual":"image/png","code":"typeNotAllowed"}"#),
    (
      .typeMismatch(declared: "jpg", actual: .png),
      #"{"actual":"image/png","code":"typeMismatch","declared":"jpg"}"#
    ),
    (.tooManyPixels(limit: 1, actual: .max), #"{"actual":9223372036854775807,"code":"tooManyPixels","limit":1}"#),
    (.tooLong(limit: 1, actual: 2.5), #"{"actual":2.5,"code":"tooLong","limit":1}"#),
    (.empty, #"{"code":"empty"}"#),
    (.unreadable(.truncated), #"{"code":"unreadable","failure":"truncated"}"#),
    (.attachmentsDisabled, #"{"code":"attachmentsDisabled"}"#),
    (.batchRefused, #"{"code":"batchRefused"}"#),
    (.invalidCrop, #"{"code":"invalidCrop"}"#),
    (.other(.init(rawValue: "ofANewerVersion")), #"{"code":"ofANewerVersion"}"#),
  ]

  @Test("A reason is encoded as its code and its values", arguments: reasons)
  func aReasonIsEncodedAsItsCodeAndAssociatedValues(reason: Verdict.Reason, text: String)
    throws
  {
    #expect(try json(reason) == text)
    #expect(try JSONDecoder().decode(Verdict.Reason.self, from: Data(text.utf8)) == reason)
  }

  @Test("The JSON of a verdict has all that it says")
  func aVerdictSurvivesJSON() throws {
    let verdict = AttachmentRules.Preset.mms300k.rules.verdict(for: [
      Sample.photo("a", bytes: 900_000), Sample.file("b", MediaType("video/mp4"), bytes: 400_000),
    ])
    #expect(
      try json(verdict)
        == #"{"accepted":false,"files":[{"accepted":true,"id":"a","reasons":[],"shrinks":true},"#
        + #"{"accepted":false,"id":"b","reasons":[{"actual":416384,"code":"messageTooLarge","limit":302080}]}],"#
        + #""remaining":24,"suggestions":[{"action":"drop","files":["b"]},{"action":"usePreset","preset":"photo-tray"},"#
        + #"{"action":"usePreset","preset":"mattermost"},{"action":"usePreset","preset":"mms-600k"},"#
        + #"{"action":"usePreset","preset":"mms-1m"},{"action":"usePreset","preset":"mail-25m"}]}"#)
    #expect(try JSONDecoder().decode(Verdict.self, from: Data(json(verdict).utf8)) == verdict)
    for suggestion in [Verdict.Suggestion.drop(["a"]), .shrink("a", maxBytes: 1, maxPixels: nil), .usePreset(.mms1m)] {
      #expect(try JSONDecoder().decode(Verdict.Suggestion.self, from: Data(json(suggestion).utf8)) == suggestion)
    }
  }
}
