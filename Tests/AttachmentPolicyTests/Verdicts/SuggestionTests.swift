internal import AttachmentPolicy
internal import MediaModel
internal import TestSupport
internal import Testing

@Suite("Suggestions") struct SuggestionTests {
  private func drops(_ verdict: Verdict) -> [MediaAttachment.ID]? {
    verdict.suggestions.compactMap { if case .drop(let files) = $0 { files } else { nil } }.first
  }

  private func presets(_ verdict: Verdict) -> [AttachmentRules.Preset] {
    verdict.suggestions.compactMap { if case .usePreset(let preset) = $0 { preset } else { nil } }
  }

  @Test("The files over a limit are suggested for removal, as few as possible")
  func theFilesOverALimitAreSuggestedForRemoval() {
    #expect(drops(AttachmentRules().verdict(for: Sample.photos(12))) == ["p10", "p11"])
    let all = AttachmentRules.Preset.mattermost.rules.verdict(for: [
      Sample.photo("a"), Sample.photo("b", bytes: 1 << 40),
    ])
    #expect(drops(all) == ["b"])
    var rules = Sample.unlimited
    rules.maxMessageBytes = 1_000
    let sizes = [400, 300, 600, 200].enumerated().map { Sample.file("\($0)", .pdf, bytes: $1) }
    #expect(drops(rules.verdict(for: sizes)) == ["2"], "one large file rather than two small ones")
  }

  @Test(
    "R-MYM-21: a preset that skips a check is no way out: not for active content, nor for what else is refused by a check"
  )
  func presetsKeepTheChecks() {
    var script = MediaInfo(type: .svg, bytes: 5)
    script.mismatch = MediaInfo.Mismatch(declared: "jpg", by: .extension, class: .active)
    let active = MediaAttachment(id: "a", info: script)
    #expect(presets(AttachmentRules().verdict(for: [active])) == [])
    // Refused for something else by rules that do not mind.
    var lax = AttachmentRules.Preset.mattermost.rules
    lax.maxFileBytes = 1
    #expect(presets(lax.verdict(for: [active])) == [])
    var broken = Sample.photo("b").info
    broken.error = MediaFailure(.truncated, "The file is truncated.")
    #expect(presets(AttachmentRules().verdict(for: [MediaAttachment(id: "b", info: broken)])) == [])
    let twice = [Sample.photo("c", asset: "1"), Sample.photo("d", asset: "1")]
    #expect(presets(AttachmentRules().verdict(for: twice)) == [])
    // A limit is one that another preset may not have.
    #expect(presets(AttachmentRules().verdict(for: Sample.photos(12))).contains(.mail25m))
  }

  @Test("No removal is suggested if every new file would have to go")
  func nothingIsSuggestedIfAllWouldHaveToBeRemoved() {
    let verdict = AttachmentRules().verdict(for: [Sample.photo("a", bytes: 0)])
    #expect(verdict.suggestions.isEmpty)
    let full = AttachmentRules().verdict(
      for: Sample.photos(1), given: Sample.draft([Sample.photo("x")] + (0..<9).map { Sample.photo("y\($0)") }))
    #expect(drops(full) == nil)
  }

  @Test("The suggested files are the fewest, and without them the rest is accepted (random selections, seed printed)")
  func dropIsMinimal() {
    for seed in 0..<400 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      var rules = AttachmentRules()
      rules.maxAttachments = random.below(3) == 0 ? nil : random.below(6)
      rules.maxFileBytes = 90
      rules.maxMessageBytes = random.below(3) == 0 ? nil : random.below(200)
      rules.batch = random.below(2) == 0 ? .eachByItself : .allOrNothing
      let draft = Sample.draft((0..<random.below(3)).map { Sample.file("d\($0)", .pdf, bytes: 1 + random.below(40)) })
      // The same asset has the same size.
      let selection = (0..<1 + random.below(7)).map { index in
        let asset = random.below(20)
        return Sample.photo("\(index)", bytes: asset * 5, asset: "\(asset)")
      }
      let verdict = rules.verdict(for: selection, given: draft)
      // Every subset; the largest accepted one is expected.
      let best =
        (0..<1 << selection.count).compactMap { mask -> Int? in
          let part = selection.indices.filter { mask & 1 << $0 != 0 }.map { selection[$0] }
          return rules.verdict(for: part, given: draft).accepted ? part.count : nil
        }.max() ?? 0
      if verdict.accepted {
        #expect(verdict.suggestions.isEmpty, "seed \(seed)")
      } else if let dropped = drops(verdict) {
        let rest = selection.filter { !dropped.contains($0.id) }
        #expect(rules.verdict(for: rest, given: draft).accepted, "seed \(seed)")
        #expect(rest.count == best, "seed \(seed)")
      } else {
        #expect(best == 0, "seed \(seed)")
      }
    }
  }

  @Test("Images reduced as suggested fit together with all accepted files (random selections, seed printed)")
  func shrinkingHelps() {
    var suggested = 0
    for seed in 0..<2_000 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      var rules = AttachmentRules()
      rules.maxAttachments = random.below(3) == 0 ? nil : random.below(6)
      rules.maxFileBytes = random.below(2) == 0 ? nil : 100_000
      rules.maxMessageBytes = random.below(3) == 0 ? nil : random.below(200_000)
      rules.maxPixels = 2_000
      rules.batch = random.below(2) == 0 ? .eachByItself : .allOrNothing
      let draft = Sample.draft(
        (0..<random.below(3)).map { Sample.file("d\($0)", .pdf, bytes: 1 + random.below(40_000)) })
      let selection = (0..<1 + random.below(6)).map { index in
        random.below(4) == 0
          ? Sample.file("\(index)", .pdf, bytes: 1 + random.below(120_000))
          : Sample.photo("\(index)", bytes: 1 + random.below(150_000)) { $0.height = 30 + random.below(30) }
      }
      let verdict = rules.verdict(for: selection, given: draft)
      var limits: [MediaAttachment.ID: (bytes: Int?, pixels: Int?)] = [:]
      for case .shrink(let id, let bytes, let pixels) in verdict.suggestions { limits[id] = (bytes, pixels) }
      guard !limits.isEmpty else { continue }
      suggested += 1
      // As large as allowed, and not larger than the original.
      let shrunk = selection.map { attachment in
        guard let limit = limits[attachment.id] else { return attachment }
        var attachment = attachment
        attachment.info.bytes = min(attachment.info.bytes, limit.bytes ?? .max)
        if limit.pixels != nil { (attachment.info.width, attachment.info.height) = (40, 50) }
        return attachment
      }
      let isReported = Set(limits.keys)
      let going = zip(shrunk, verdict.files).filter { attachment, file in
        isReported.contains(attachment.id) || file.reasons.allSatisfy { $0 == .batchRefused }
      }.map(\.0)
      #expect(rules.verdict(for: going, given: draft).accepted, "seed \(seed)")
    }
    #expect(suggested > 200, "too few selections had anything to be made smaller")
  }

  @Test("A preset whose limit of text is exceeded is not suggested")
  func aPresetWhoseTextLimitIsExceededIsNotSuggested() {
    var rules = AttachmentRules()
    rules.maxFileBytes = 10
    let draft = AttachmentDraft(text: String(repeating: "a", count: 4_001))
    #expect(presets(rules.verdict(for: [Sample.photo("a")], given: draft)).contains(.photoTray))
    #expect(!presets(rules.verdict(for: [Sample.photo("a")], given: draft)).contains(.mattermost))
  }

  @Test("The presets that accept the files and the draft are suggested")
  func aPresetThatAcceptsEverythingIsSuggested() {
    let video = Sample.file("video", MediaType("video/mp4"), bytes: 700_000)
    let verdict = AttachmentRules.Preset.mms600k.rules.verdict(for: [video])
    #expect(presets(verdict) == [.photoTray, .mattermost, .mms1m, .mail25m])
    // The preset must accept the draft too.
    let draft = Sample.draft([Sample.file("paper", .pdf, bytes: 400_000)])
    #expect(
      presets(AttachmentRules.Preset.mms600k.rules.verdict(for: [video], given: draft)) == [
        .photoTray, .mattermost, .mail25m,
      ])
    let tooMuch = Sample.file("video", MediaType("video/mp4"), bytes: 1 << 40)
    #expect(presets(AttachmentRules.Preset.mms600k.rules.verdict(for: [tooMuch])) == [])
  }

  @Test("An image that can be reduced is suggested with its limits")
  func aReducibleImageIsSuggestedWithItsLimits() {
    func shrinks(_ verdict: Verdict) -> [Verdict.Suggestion] {
      verdict.suggestions.filter { if case .shrink = $0 { true } else { false } }
    }
    let large = Sample.photo("large", bytes: 1 << 30)
    #expect(
      shrinks(AttachmentRules().verdict(for: [large]))
        == [.shrink("large", maxBytes: 104_857_600, maxPixels: nil)])
    let wide = Sample.photo("wide") { ($0.width, $0.height) = (7_680, 4_321) }
    #expect(
      shrinks(AttachmentRules.Preset.mattermost.rules.verdict(for: [wide]))
        == [.shrink("wide", maxBytes: 104_857_600, maxPixels: 33_177_600)])
    var mail = Sample.unlimited
    mail.maxMessageBytes = 100_000
    let two = [
      Sample.photo("a", bytes: 200_000), Sample.file("b", .pdf, bytes: 40_000), Sample.photo("c", bytes: 90_000),
    ]
    #expect(
      shrinks(mail.verdict(for: two))
        == [.shrink("a", maxBytes: 30_000, maxPixels: nil), .shrink("c", maxBytes: 30_000, maxPixels: nil)])
    // Not suggested: videos, animations, images with another reason, and images that would become too small.
    let moving = Sample.photo("m", bytes: 1 << 30) { $0.animated = true }
    let video = Sample.file("f", MediaType("video/mp4"), bytes: 1 << 30)
    let wrong = Sample.photo("w", bytes: 1 << 30) {
      $0.mismatch = MediaInfo.Mismatch(declared: "pdf", by: .client, class: .kind)
    }
    #expect(shrinks(AttachmentRules().verdict(for: [moving, video, wrong])).isEmpty)
    mail.maxMessageBytes = 16_383
    #expect(shrinks(mail.verdict(for: [Sample.photo("a", bytes: 20_000)])).isEmpty)
  }
}
