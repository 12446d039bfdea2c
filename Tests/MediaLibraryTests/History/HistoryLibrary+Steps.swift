internal import AttachmentPolicy
internal import FileSupport
internal import Foundation
internal import MediaModel

@testable internal import MediaLibrary

/// The same steps as those of the model. One about something that is not there changes nothing: it was erased by the same step before a kill.
extension HistoryLibrary {
  func take(_ step: HistoryStep) throws {
    let moments = library.moments
    switch step {
    case .upload(let file, let collection): try upload(file, collection)
    case .post(let name, let owner, let file, let location, let visibility):
      let word = HistoryModel.word(name)
      var new = Moment.New(owner: owner, note: word, posted: name)
      if let file {
        guard let id = try id(file) else { return }
        new = Moment.New(owner: owner, file: id, posted: name)
        new.caption = word
      }
      (new.title, new.time, new.location) = ("t\(name)", name, .given(Self.location(location)))
      (new.visibility, new.trips) = (visibility, [])
      try moments.add([new])
    case .edit(let name, let text, let location, let visibility, let isStale):
      try edit(
        name, isStale: isStale,
        [.caption(HistoryModel.word(text)), .location(Self.location(location)), .visibility(visibility)])
    case .makeTrip(let name, let owner):
      var new = Trip.New(owner: owner, title: "T\(name)", started: name)
      new.ended = name
      try moments.add(new)
    case .addToTrip(let name, let some, let before):
      guard let trip = try trip(name) else { return }
      let place = try before.flatMap { try moment($0)?.id }
      try moments.add(try self.moments(some), to: trip.id, of: trip.owner, version: trip.version, before: place)
    case .removeFromTrip(let name, let some):
      guard let trip = try trip(name) else { return }
      try moments.remove(try self.moments(some), from: trip.id, of: trip.owner, version: trip.version)
    case .arrangeTrip(let name, let some):
      guard let trip = try trip(name) else { return }
      try moments.arrange(try self.moments(some), in: trip.id, of: trip.owner, version: trip.version)
    case .saveDraft(let owner, let text, let files): try saveDraft(owner, text, files)
    case .shareLocations(let sharing, let owner, let isApplied):
      try moments.setLocationSharing(sharing, of: owner, applyingToExisting: isApplied, wiping: false)
    case .backUp: try library.backUp()
    case .eraseFile, .eraseMoment, .eraseTrip, .eraseCollection, .eraseOwner: try erase(step)
    default: try moderate(step)
    }
  }

  /// An edit that was made on an earlier version is refused.
  private func edit(_ name: Int, isStale: Bool, _ changes: [Moment.Change]) throws {
    guard let moment = try moment(name) else { return }
    do throws(LibraryError) {
      try library.moments.change(
        moment.id, of: moment.owner, version: isStale ? moment.version - 1 : moment.version, at: 1, changes)
    } catch {
      guard isStale, error.code == .versionConflict else { throw error }
    }
  }

  private func upload(_ file: HistoryFile, _ collection: String?) throws {
    let upload = folder + "/upload"
    try Data(Self.bytes(file.content)).write(to: URL(fileURLWithPath: upload))
    let stamp = try library.keepOriginal(at: PathBytes(upload), owner: file.owner)
    let address = try library.store.put(Self.rendition(file.content))
    let rendition = StoredRendition(
      name: "grid", address: address, type: .webp, width: 1, height: 1, bytes: 1, from: .image)
    let placeholder = HistoryModel.image(of: file.content).map {
      Placeholder(thumbhash: Self.thumbhash($0), blurhash: "000000", color: "#102030")
    }
    let result = FileResult(
      info: TestLibrary.photo(taken: file.content), digest: Self.digest(file.content), placeholder: placeholder,
      renditions: [rendition], engine: "e", recipe: "facts")
    _ = try library.catalogue.add([
      AddedFile(
        path: stamp.path, modified: 1, received: 1, result: result, owner: file.owner,
        collection: collection.map { MediaCollection.Choice.named($0) } ?? MediaCollection.Choice.none)
    ])
  }

  private func saveDraft(_ owner: String, _ text: Int, _ files: [HistoryFile]) throws {
    var draft = AttachmentDraft(text: HistoryModel.word(text))
    let attachments = try files.compactMap { file in
      try id(file).map {
        MediaAttachment(id: MediaAttachment.ID("\(file.content)"), asset: $0.asset, info: TestLibrary.photo())
      }
    }
    _ = draft.add(attachments, under: AttachmentRules())
    try library.drafts.save(draft, for: Self.key(of: owner), owner: owner)
  }

  private func moderate(_ step: HistoryStep) throws {
    let (moderation, mod) = (library.moderation, "mod")
    switch step {
    case .block(let content): try moderation.block(Self.digest(content), reason: "r", by: mod, at: 1)
    case .unblock(let content): try moderation.unblock(Self.digest(content), by: mod, at: 1)
    case .blockImage(let image): try moderation.blockImages(like: Self.hash(image), reason: "r", by: mod, at: 1)
    case .unblockImage(let image): try moderation.unblockImages(like: Self.hash(image), by: mod, at: 1)
    case .hideSimilar(let image): try moderation.quarantineFiles(like: Self.hash(image), at: 1)
    case .quarantine(let file): try moderation.quarantine(ids([file]), reason: "r", by: mod, at: 1)
    case .release(let file): try moderation.release(ids([file]), by: mod, at: 1)
    case .protect(let file): try moderation.protect(ids([file]), by: mod, at: 1)
    case .report(let note, let reader):
      guard let id = try moment(note)?.id else { return }
      _ = try moderation.report(
        moment: id, by: "reader\(reader)", reason: "r", at: 1, threshold: HistoryModel.reportsToHold)
    case .releaseNote(let note): try moderation.release(moments: moments([note]), by: mod, at: 1)
    default: break
    }
  }

  private func erase(_ step: HistoryStep) throws {
    switch step {
    case .eraseFile(let file): try library.erase(.files(ids([file])), wiping: false)
    case .eraseMoment(let name, let owner):
      try library.erase(.moments(moments([name]), owner: owner), wiping: false)
    case .eraseTrip(let name, let owner, let withMoments):
      guard let trip = try trip(name) else { return }
      try library.erase(.trip(trip.id, owner: owner, withMoments: withMoments), wiping: false)
    case .eraseCollection(let name, let owner): try library.erase(.collection(name, owner: owner), wiping: false)
    case .eraseOwner(let owner): try library.erase(.owner(owner))
    default: break
    }
  }
}
