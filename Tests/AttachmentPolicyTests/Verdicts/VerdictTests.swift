internal import AttachmentPolicy
internal import MediaModel
internal import Testing

@Suite("Verdicts on a whole selection") struct VerdictTests {
  private let rules = AttachmentRules()

  private func reasons(_ verdict: Verdict) -> [[Verdict.Reason]] { verdict.files.map(\.reasons) }

  @Test("R-TRAY-4, R-MYM-10: the first files up to the maximum are accepted") func count() {
    let ten = rules.verdict(for: Sample.photos(10))
    #expect(ten.accepted)
    #expect(ten.remaining == 0)
    #expect(ten.suggestions.isEmpty)
    let twelve = rules.verdict(for: Sample.photos(12))
    #expect(!twelve.accepted)
    #expect(twelve.files.map(\.accepted) == Array(repeating: true, count: 10) + [false, false])
    #expect(reasons(twelve).suffix(2) == [[.tooManyAttachments(limit: 10)], [.tooManyAttachments(limit: 10)]])
    #expect(twelve.files.map(\.id) == Sample.photos(12).map(\.id), "R-TRAY-27: the order is the selection's")
    let four = rules.verdict(for: [Sample.photo("x")], given: Sample.draft(Sample.photos(3)))
    #expect(four.accepted)
    #expect(four.remaining == 6)
  }

  @Test("D6.8: a refused file uses no slot and no bytes") func eachByItself() {
    var rules = rules
    rules.maxAttachments = 2
    rules.maxMessageBytes = 250
    rules.maxFileBytes = 200
    let verdict = rules.verdict(for: [
      Sample.photo("large", bytes: 201), Sample.photo("a", bytes: 100), Sample.photo("b", bytes: 151),
      Sample.photo("c", bytes: 150), Sample.photo("d", bytes: 1),
    ])
    #expect(
      reasons(verdict) == [
        [.fileTooLarge(limit: 200, actual: 201)], [], [.messageTooLarge(limit: 250, actual: 251)], [],
        [.tooManyAttachments(limit: 2), .messageTooLarge(limit: 250, actual: 251)],
      ])
    #expect(verdict.remaining == 0)
  }

  @Test("C4: one refused file refuses an all-or-nothing batch") func allOrNothing() {
    let rules = AttachmentRules.Preset.mattermost.rules
    let large = Sample.photo("large", bytes: 104_857_601)
    let verdict = rules.verdict(for: [Sample.photo("a"), large], given: Sample.draft(Sample.photos(3)))
    #expect(
      reasons(verdict) == [[.batchRefused], [.fileTooLarge(limit: 104_857_600, actual: 104_857_601)]])
    #expect(!verdict.accepted)
    #expect(verdict.remaining == 7)
    #expect(rules.verdict(for: Sample.photos(10)).accepted)
    let eleven = rules.verdict(for: Sample.photos(11))
    #expect(eleven.files.allSatisfy { !$0.accepted })
    #expect(eleven.files.last?.reasons == [.tooManyAttachments(limit: 10)])
    // The selection counts as a whole: the refused large file does not free a slot for the eleventh.
    #expect(
      rules.verdict(for: [large] + Sample.photos(10)).files.last?.reasons == [.tooManyAttachments(limit: 10)])
  }

  @Test("R-TRAY-8, D6.9: a duplicate asset, content or attachment is refused; the first two can be allowed")
  func duplicates() {
    let draft = Sample.draft([Sample.photo("old", asset: "IMG_1", digest: "aa")])
    let selection = [
      Sample.photo("byAsset", asset: "IMG_1"), Sample.photo("byContent", digest: "aa"),
      Sample.photo("new", asset: "IMG_2", digest: "bb"), Sample.photo("again", asset: "IMG_3", digest: "bb"),
      Sample.photo("old"), Sample.photo("unknown"), Sample.photo("unknown too"),
    ]
    #expect(
      reasons(rules.verdict(for: selection, given: draft)) == [
        [.duplicate(of: "old")], [.duplicate(of: "old")], [], [.duplicate(of: "new")], [.duplicate(of: "old")], [], [],
      ])
    var rules = rules
    rules.refusesSameAsset = false
    rules.refusesSameContent = false
    #expect(
      reasons(rules.verdict(for: selection, given: draft)).map(\.isEmpty)
        == [true, true, true, true, false, true, true])
  }

  @Test("Names are compared byte by byte: canonically equivalent names are different files") func namesAreBytes() {
    let (composed, decomposed) = ("caf\u{E9}.jpg", "cafe\u{301}.jpg")
    #expect(AssetID(composed) != AssetID(decomposed))
    #expect(Set([AssetID(composed), AssetID(decomposed), AssetID(composed)]).count == 2)
    #expect(MediaAttachment.ID(composed) != MediaAttachment.ID(decomposed))
    let verdict = rules.verdict(for: [
      Sample.photo(composed, asset: composed), Sample.photo(decomposed, asset: decomposed),
    ])
    #expect(reasons(verdict) == [[], []])
  }

  @Test("A negative limit refuses everything and does not trap") func negativeLimits() {
    var rules = rules
    rules.maxAttachments = -1
    rules.maxMessageBytes = .min
    let verdict = rules.verdict(for: Sample.photos(2), given: Sample.draft(Sample.photos(1)))
    #expect(verdict.files.allSatisfy { !$0.accepted })
    #expect(verdict.remaining == 0)
  }

  @Test("A copy of a refused file is not a duplicate")
  func aCopyOfARefusedFileIsNotADuplicate() {
    var rules = rules
    rules.maxFileBytes = 100
    let verdict = rules.verdict(for: [
      Sample.photo("a", bytes: 101, asset: "1"), Sample.photo("b", bytes: 50, asset: "1"),
    ])
    #expect(reasons(verdict) == [[.fileTooLarge(limit: 100, actual: 101)], []])
  }

  @Test("D6.5, D6.13: a message equal to the limit is accepted; text counts in UTF-8; sums saturate")
  func messageBytes() {
    var rules = Sample.unlimited
    rules.maxMessageBytes = 1_000
    let draft = Sample.draft([Sample.file("a", .pdf, bytes: 500)], text: "grün")
    #expect(rules.verdict(for: [Sample.file("b", .pdf, bytes: 495)], given: draft).accepted)
    #expect(
      reasons(rules.verdict(for: [Sample.file("b", .pdf, bytes: 496)], given: draft))
        == [[.messageTooLarge(limit: 1_000, actual: 1_001)]])
    rules.maxMessageBytes = .max
    let huge = (0..<3).map { Sample.file("\($0)", .pdf, bytes: .max - 1) }
    #expect(rules.verdict(for: huge).files.count == 3)
    rules.maxMessageBytes = .max - 1
    #expect(
      reasons(rules.verdict(for: huge))
        == [[], [.messageTooLarge(limit: .max - 1, actual: .max)], [.messageTooLarge(limit: .max - 1, actual: .max)]])
  }

  @Test("A3: an image over the limit is accepted for reduction; other files over the limit are refused")
  func shrinking() {
    let rules = AttachmentRules.Preset.mms300k.rules
    let verdict = rules.verdict(for: [
      Sample.photo("large", bytes: 5_000_000), Sample.file("video", MediaType("video/mp4"), bytes: 302_081),
      Sample.photo("moving", bytes: 400_000) { $0.animated = true }, Sample.photo("small", bytes: 900),
    ])
    #expect(verdict.files.map(\.accepted) == [true, false, false, true])
    #expect(verdict.files.map(\.shrinks) == [true, nil, nil, true])
    let fits = rules.verdict(for: [Sample.photo("a", bytes: 302_080)])
    #expect(fits.files.map(\.shrinks) == [nil], "nothing is made smaller that goes as it is")
    // D6.14: bytes are reserved for files that cannot be reduced first, and a minimum for every image.
    let audio = Sample.file("audio", MediaType("audio/amr"), bytes: 302_080 - 16_384)
    #expect(rules.verdict(for: [Sample.photo("a", bytes: 900_000)], given: Sample.draft([audio])).accepted)
    let full = Sample.draft([Sample.file("audio", MediaType("audio/amr"), bytes: 302_080 - 16_383)])
    #expect(
      reasons(rules.verdict(for: [Sample.photo("a", bytes: 900_000)], given: full))
        == [[.messageTooLarge(limit: 302_080, actual: 302_081)]])
  }

  @Test("C4: an empty selection is accepted") func emptySelection() {
    let verdict = AttachmentRules.Preset.mattermost.rules.verdict(for: [], given: Sample.draft(Sample.photos(12)))
    #expect(verdict == Verdict(accepted: true, files: [], remaining: 0, suggestions: []))
  }

  @Test("If attachments are disabled, that is the only reason, and nothing is suggested")
  func disabledAttachmentsAreTheOnlyReason() {
    var rules = rules
    rules.allowsAttachments = false
    rules.maxAttachments = 0
    let verdict = rules.verdict(for: Sample.photos(2))
    #expect(reasons(verdict) == [[.attachmentsDisabled], [.attachmentsDisabled]])
    #expect(verdict.suggestions.isEmpty)
  }

  @Test("R-MYM-20: the claims of a client do not change the verdict") func claims() {
    // A video that its sender declares as a thumbnail: facts come from the content, the claim is only compared.
    var info = Sample.info(MediaType("video/mp4"), bytes: 200_000_000)
    info.mismatch = MediaInfo.Mismatch(declared: "image/jpeg", by: .client, class: .kind)
    let video = MediaAttachment(id: "x", name: "holiday.jpg", info: info)
    #expect(
      reasons(rules.verdict(for: [video])) == [
        [
          .typeMismatch(declared: "image/jpeg", actual: MediaType("video/mp4")),
          .fileTooLarge(limit: 104_857_600, actual: 200_000_000),
        ]
      ])
  }
}
