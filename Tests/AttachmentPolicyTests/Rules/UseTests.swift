internal import AttachmentPolicy
internal import MediaModel
internal import Testing

/// The same values for a message, a post, a comment, a profile image and a moment on a map.
@Suite("Uses of the rules") struct UseTests {
  @Test("R-CHAT-3: the same rules apply to images, voice and videos in messages, posts and comments")
  func everywhere() {
    let selection = [
      Sample.photo("photo"), Sample.file("voice", MediaType("audio/mp4")) { $0.duration = 30 },
      Sample.file("video", MediaType("video/mp4")) { $0.duration = 12 }, Sample.file("sticker", .webp),
    ]
    let verdict = AttachmentRules().verdict(for: selection)
    #expect(verdict.accepted)
    #expect(verdict.remaining == 6)
    // A post may be text alone, or a video alone.
    #expect(AttachmentDraft(text: "see https://example.org 🎉").canSend(under: AttachmentRules()))
    var video = Sample.draft([selection[2]])
    _ = video.setUpload(.uploaded, of: "video")
    #expect(video.canSend(under: AttachmentRules()))
  }

  @Test("R-CHAT-14: a profile image is a single image that can be replaced or removed, and no video")
  func profilePicture() {
    var rules = AttachmentRules()
    rules.maxAttachments = 1
    rules.allowedKinds = [.image]
    var draft = AttachmentDraft()
    _ = draft.add([Sample.photo("old")], under: rules)
    #expect(draft.replace("old", with: Sample.photo("new"), under: rules) == [.replaced("old", by: "new", at: 0)])
    let video = Sample.file("video", MediaType("video/mp4"))
    #expect(draft.replace("new", with: video, under: rules) == [.refused("video", [.kindNotAllowed(.video)])])
    #expect(draft.crop("new", to: PixelRect(x: 0, y: 0, width: 30, height: 30)).count == 1)
    #expect(draft.remove("new", under: rules) == [.removed("new"), .limitLeft])
    #expect(draft.isEmpty)
  }

  @Test("R-CHAT-13: a file that is too large is refused with its limit") func resize() {
    var rules = AttachmentRules()
    rules.maxPixels = 1_000
    let verdict = rules.verdict(for: [Sample.photo("wide")])
    #expect(verdict.suggestions.contains(.shrink("wide", maxBytes: 104_857_600, maxPixels: 1_000)))
  }

  @Test("R-CHAT-11, R-MYM-8, R-MYM-9: retaking or cancelling leaves nothing of the first capture") func takeAgain() {
    var draft = AttachmentDraft()
    _ = draft.add([Sample.photo("first")], under: AttachmentRules())
    _ = draft.replace("first", with: Sample.photo("second"), under: AttachmentRules())
    #expect(draft.items.map(\.id) == ["second"])
    #expect(draft["first"] == nil)
    _ = draft.clearSelection(under: AttachmentRules())
    #expect(draft == AttachmentDraft())
  }

  @Test("R-MYM-10: all moments have the limit of the rules") func moments() {
    for limit in [0, 1, 3] {
      var rules = AttachmentRules()
      rules.maxAttachments = limit
      #expect(rules.verdict(for: Sample.photos(5)).files.count(where: \.accepted) == limit)
    }
  }
}
