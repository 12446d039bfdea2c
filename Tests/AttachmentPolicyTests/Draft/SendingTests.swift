internal import AttachmentPolicy
internal import MediaModel
internal import Testing

@Suite("Uploading and sending") struct SendingTests {
  private let rules = AttachmentRules()

  @Test("R-TRAY-27, C14: sending waits for every upload") func waiting() {
    var draft = Sample.draft(Sample.photos(3))
    #expect(draft.sendBlockers(under: rules) == [.uploading(["p0", "p1", "p2"])])
    _ = draft.setUpload(.uploaded, of: "p0")
    _ = draft.setUpload(.uploading(bytesSent: 5), of: "p1")
    #expect(draft.sendBlockers(under: rules) == [.uploading(["p1", "p2"])])
    _ = draft.setUpload(.uploaded, of: "p1")
    #expect(!draft.canSend(under: rules))
    _ = draft.setUpload(.uploaded, of: "p2")
    #expect(draft.canSend(under: rules))
  }

  @Test("A8, C14: an empty message or only white space cannot be sent") func empty() {
    for text in ["", " \n\t\u{A0}"] {
      #expect(AttachmentDraft(text: text).sendBlockers(under: rules) == [.empty])
    }
    #expect(AttachmentDraft(text: " a ").canSend(under: rules))
    var photo = Sample.draft(Sample.photos(1), text: " ")
    _ = photo.setUpload(.uploaded, of: "p0")
    #expect(photo.canSend(under: rules))
  }

  @Test("C14: failed uploads are retried or removed") func failed() {
    var draft = Sample.draft(Sample.photos(2))
    _ = draft.setUpload(.uploaded, of: "p0")
    _ = draft.setUpload(.uploading(bytesSent: 700), of: "p1")
    let failure = AttachmentDraft.UploadState.failed(.timedOut, bytesSent: 700)
    #expect(draft.setUpload(failure, of: "p1") == [.uploadChanged("p1", failure)])
    #expect(draft.sendBlockers(under: rules) == [.failed(["p1"])])
    #expect(draft.removeFailed(under: rules) == [.removed("p1")])
    #expect(draft.canSend(under: rules))
    #expect(draft.removeFailed(under: rules) == [])
  }

  @Test("R-TRAY-23: a retry resumes from the last uploaded byte") func retry() {
    var draft = Sample.draft(Sample.photos(2))
    _ = draft.setUpload(.failed(.timedOut, bytesSent: 700), of: "p0")
    _ = draft.setUpload(.failed(.timedOut, bytesSent: 0), of: "p1")
    #expect(draft.retry("p0") == [.uploadChanged("p0", .uploading(bytesSent: 700))])
    #expect(draft.retry("p1") == [.uploadChanged("p1", .waiting)])
    #expect(draft.retry("p1") == [])
    #expect(draft.retry("nobody") == [])
  }

  @Test("A late progress report has no effect, and byte counts are clamped to the file size") func lateReports() {
    var draft = Sample.draft([Sample.photo("a", bytes: 100)])
    #expect(draft.setUpload(.uploading(bytesSent: 60), of: "a") == [.uploadChanged("a", .uploading(bytesSent: 60))])
    #expect(draft.setUpload(.uploading(bytesSent: 40), of: "a") == [])
    #expect(draft.setUpload(.uploading(bytesSent: .max), of: "a") == [.uploadChanged("a", .uploading(bytesSent: 100))])
    #expect(draft.setUpload(.uploaded, of: "a") == [.uploadChanged("a", .uploaded)])
    #expect(draft.setUpload(.uploading(bytesSent: 100), of: "a") == [])
    #expect(draft["a"]?.upload == .uploaded)
    #expect(
      draft.setUpload(.failed(.unreadable, bytesSent: -5), of: "a")
        == [.uploadChanged("a", .failed(.unreadable, bytesSent: 0))])
    #expect(draft.setUpload(.uploaded, of: "nobody") == [])
    // Nor does it take back a failure: that is for a retry.
    #expect(draft.setUpload(.uploading(bytesSent: 70), of: "a") == [])
    #expect(draft.sendBlockers(under: rules) == [.failed(["a"])])
    // The server may have lost a part of what it had: a retry goes on from where it says.
    _ = draft.setUpload(.failed(.timedOut, bytesSent: 70), of: "a")
    _ = draft.retry("a")
    #expect(draft["a"]?.upload == .uploading(bytesSent: 70))
    _ = draft.setUpload(.waiting, of: "a")
    #expect(draft.setUpload(.uploading(bytesSent: 30), of: "a") == [.uploadChanged("a", .uploading(bytesSent: 30))])
  }

  @Test("D6.5: a message equal to the limit can be sent, above it cannot; stricter rules are reported") func limits() {
    var draft = Sample.draft([Sample.file("a", .pdf, bytes: 95)], text: "grün")
    _ = draft.setUpload(.uploaded, of: "a")
    var rules = rules
    rules.maxMessageBytes = 100
    #expect(draft.canSend(under: rules))
    rules.maxMessageBytes = 99
    #expect(draft.sendBlockers(under: rules) == [.messageTooLarge(limit: 99, actual: 100)])
    rules.maxMessageBytes = nil
    rules.maxTextScalars = 4
    #expect(draft.canSend(under: rules))
    rules.maxTextScalars = 3
    #expect(draft.sendBlockers(under: rules) == [.textTooLong(limit: 3, actual: 4)])
    rules.maxTextScalars = nil
    rules.maxAttachments = 0
    #expect(draft.sendBlockers(under: rules) == [.tooManyAttachments(limit: 0, actual: 1)])
    rules.allowsAttachments = false
    #expect(draft.sendBlockers(under: rules) == [.attachmentsDisabled])
  }
}
