internal import FileSupport
internal import Foundation
internal import MediaLibrary
internal import TestSupport
internal import Testing

@testable internal import MediaService

@Suite("Random histories of an owner who is erased (R-MYM-24)") struct OwnerHistoryTests {
  /// What an owner did, in a kit whose service is started again on the way.
  private struct History {
    var kit: UploadKit
    var random: SeededGenerator
    var files: [FileID] = []
    var notes: [Moment.ID] = []
    /// Words that stand in what the owner, or somebody about the owner, wrote.
    var words: [String] = []

    private func some<Value>(_ values: [Value], _ number: Int) -> Value? {
      values.isEmpty ? nil : values[number % values.count]
    }

    /// One thing that the owner does, or a moderator with it. What the service refuses, such as a blocked attachment, is not done.
    mutating func step(_ number: Int, _ bobs: Moment.ID) async throws {
      let (service, ada) = (kit.service, UploadKit.ada)
      let word = "Quokka\(number)word"
      let file = some(files, random.below(99))
      let note = some(notes, random.below(99))
      words.append(word)
      switch (random.below(11), file, note) {
      case (0...1, _, _), (5...8, nil, _):
        let photo = try Fixture.bytes("camera-roll/IMG_000\(1 + random.below(2)).jpg")
        files.append(
          try await service.attach(
            Pieces(photo), length: photo.count, claims: Upload.Claims(name: "\(word).jpg"), for: ada
          ).id)
      case (2, _, let note?):
        var change = MediaService.MomentChange()
        change.caption = .set(word)
        _ = try await service.change(note, change, for: ada)
      case (3, _, let note?): _ = try await service.hold(moment: note, reason: word, by: .moderator)
      case (4, _, _): try await service.report(moment: bobs, reason: word, by: ada)
      case (5, let file?, _): try await service.setAvatar("\(file.rawValue)", for: ada)
      case (6, let file?, _):
        var moment = MediaService.NewMoment(attachment: "\(file.rawValue)")
        (moment.title, moment.visibility) = (word, .friends)
        _ = try await service.post(moment, for: ada)
      case (7, let file?, _):
        let draft = try await service.createDraft(for: ada, text: word)
        _ = try await service.addToDraft([.init(attachment: "\(file.rawValue)")], draft: draft.id, of: ada)
      case (8, let file?, _): _ = try await service.block(file, reason: word, similar: false, by: .moderator)
      case (9, _, _):
        let upload = try await service.create(100, claims: Upload.Claims(name: "\(word).txt"))
        _ = try await service.send(UploadKit.text(50), to: upload, at: 0)
      default: notes.append(try await service.create(.init(note: word), for: ada))
      }
    }
  }

  @Test("Nothing of an erased owner is in any byte, whatever the owner and moderators did before", arguments: 0..<4)
  func bytes(seed: Int) async throws {
    let kit = try await UploadKit.open()
    var others = MediaService.NewMoment(note: "Othernote")
    others.visibility = .public
    let bobs = try await kit.service.create(others, for: UploadKit.bob)
    var history = History(kit: kit, random: SeededGenerator(seed: UInt64(seed)))
    var refused = 0
    for number in 1...40 {
      do { try await history.step(number, bobs) } catch is ServiceError { refused += 1 }
      if number == 20 { history.kit = try await history.kit.restarted() }
    }
    #expect(refused < 30, "seed \(seed)")
    let folder = history.kit.folder
    let written = try history.words.filter { try !folder.files(containing: Array($0.utf8)).isEmpty }
    #expect(written.count > 5, "seed \(seed): \(written)")
    let report = try await history.kit.service.eraseOwner(for: UploadKit.ada)
    #expect(report.unreached == [:], "seed \(seed)")
    for word in history.words {
      for spelling in [word, word.lowercased()] {
        #expect(try folder.files(containing: Array(spelling.utf8)) == [], "seed \(seed): \(spelling)")
      }
    }
    #expect(try !folder.files(containing: Array("Othernote".utf8)).isEmpty)
  }
}
