internal import AttachmentPolicy
internal import FileSupport
internal import MediaLibrary
internal import MediaModel
internal import Messaging
internal import Testing

@testable internal import MediatoolCommand

@Suite("Messages name what is wrong, the value, and the limit or the way out") struct MessageTests {
  @Test(
    "Refusals have the documented messages",
    arguments: [
      (Verdict.Reason.tooManyAttachments(limit: 1), "a.mov exceeds the limit of 1 file"),
      (.fileTooLarge(limit: 1_048_576, actual: 2_097_152), "a.mov is 2.1 MB; the limit is 1.0 MB (1 MiB)"),
      (
        .messageTooLarge(limit: 1_048_576, actual: 2_097_152),
        "the message would be 2.1 MB with a.mov; the limit is 1.0 MB (1 MiB)"
      ),
      (.duplicate(of: "b.mov"), "a.mov is a duplicate of b.mov"),
      (.kindNotAllowed(.video), "a.mov is of kind video, which is not allowed"),
      (.typeNotAllowed(.gif), "a.mov is image/gif, which is not allowed"),
      (.typeMismatch(declared: "image/jpeg", actual: .png), "a.mov is declared as image/jpeg but is image/png"),
      (.tooManyPixels(limit: 1_000, actual: 2_000), "a.mov has 2,000 pixels; the limit is 1,000"),
      (.tooLong(limit: 60, actual: 90), "a.mov is 1:30 long; the limit is 1:00"),
      (.empty, "a.mov is empty"), (.unreadable(.truncated), "a.mov is truncated"),
      (.unreadable(.accessDenied), "a.mov cannot be read: permission denied"),
      (.unreadable(.unsupported), "a.mov has an unsupported format"),
      (.attachmentsDisabled, "attachments are not allowed"),
      (.batchRefused, "a.mov is refused because another file of the selection is refused"),
      (.invalidCrop, "the crop is not inside a.mov"),
    ])
  func refusals(reason: Verdict.Reason, text: String) {
    #expect(RefusalSentence.text(reason, name: "a.mov") == text)
  }

  @Test("Each change that compose makes has a unique word") func changes() {
    let words = MessageFit.Plan.Change.Effect.allCases.map(ComposeTable.word)
    #expect(Set(words).count == words.count)
    #expect(ComposeTable.word(.cropped) == "cropped")
    #expect(ComposeTable.word(.cut) == "shortened")
  }

  @Test(arguments: [
    (["thumbnail", "x", "--size", "0"], "or pixels as N or WxH with each side 1 to 16,383"),
    (["thumbnail", "x", "--quality", "101"], "expected a whole number from 1 to 100."),
    (["thumbnail", "x", "--size", "64", "--size", "064"], "--size 64 is given twice."),
    (["probe", "x", "--deadline", "0"], "expected a number of seconds above 0, at most 86,400 (one day)."),
    (["probe"], "Missing input: name files or folders"),
    (["find", "--kind", "movie"], "'movie' is invalid for '--kind <kind>': expected one of image, video, audio"),
    (["text", "--national", "klingon"], "'klingon' is not a known language; expected "),
    (["compose", "x"], "Missing output: name a file with --output, or add --dry-run."),
  ])
  func `Wrong arguments have the documented messages`(line: [String], message: String) throws {
    let result = try Command.run(line.map { PathBytes($0) })
    #expect(result.status == 64)
    #expect(result.errors.contains(message), "\(result.errors)")
  }

  @Test(
    "How to write a file name that begins with a dash is explained only for commands that take file names",
    arguments: [
      ("probe", true), ("thumbnail", true), ("erase", true), ("serve", false), ("doctor", false), ("locations", false),
    ])
  func unknownOption(verb: String, explains: Bool) {
    let hint = TypedArguments.hint(for: "Unknown option '--nope'", verb: verb)
    #expect(hint.contains("begins with a dash") == explains)
  }

  @Test("A missing library is named by its path") func missingLibrary() throws {
    let result = try Command.run(["find", "--library", "/nonexistent/library", "x"])
    #expect(result.status == 64)
    #expect(
      result.errors.contains(
        "There is no library in /nonexistent/library. `mediatool scan DIR` creates one; with --library FOLDER, in that folder."
      ),
      "\(result.errors)")
  }
}
