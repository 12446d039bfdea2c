internal import MediaLibrary
internal import TestSupport

/// The steps of a history: each follows from the seed, its number and what the model has, so that a process that was killed takes the same ones.
extension HistoryModel {
  /// The model after so many steps.
  static func after(_ steps: Int, seed: Int) -> HistoryModel {
    var model = HistoryModel()
    for number in 0..<steps { model.take(model.step(number + 1, seed: seed)) }
    return model
  }

  func step(_ number: Int, seed: Int) -> HistoryStep {
    var random = SeededGenerator(seed: UInt64(seed * 100_003 + number))
    func some<Value>(_ values: [Value]) -> Value? { values.isEmpty ? nil : values[random.below(values.count)] }
    let owner = Self.owners[random.below(3)]
    let location = random.below(3)
    let visibility = Moment.Visibility.allCases[random.below(3)]
    let own = files.keys.filter { $0.owner == owner }.sorted()
    let note = some(shown.filter { posts[$0]?.file == nil })
    let post = some(shown)
    let trip = some(trips.keys.sorted())
    let file = some(files.keys.sorted())
    let new = HistoryFile(owner: owner, content: random.below(Self.contents))
    switch random.below(30) {
    case 0...4 where files[new] == nil:
      return .upload(new, collection: random.below(2) == 0 ? "album\(random.below(2))" : nil)
    case 0...8:
      return .post(
        number, owner: owner, file: random.below(3) == 0 ? nil : some(own), location: location, visibility: visibility)
    case 9, 10:
      guard let post else { break }
      return .edit(post, text: number, location: location, visibility: visibility, isStale: random.below(4) == 0)
    case 11: return .makeTrip(number, owner: owner)
    case 12...14:
      guard let trip, let known = trips[trip] else { break }
      return changeTrip(trip, known, &random)
    case 15:
      return .saveDraft(owner: owner, text: number, files: own.filter { !isHidden($0) && random.below(2) == 0 })
    case 16:
      let sharing = Moment.LocationSharing.allCases[random.below(3)]
      return .shareLocations(sharing, owner: owner, isApplied: random.below(2) == 0)
    case 17: return .backUp
    case 18...25: if let step = decision(file, note, &random) { return step }
    case 26:
      guard let trip, let owner = trips[trip]?.owner else { break }
      return .eraseTrip(trip, owner: owner, withMoments: random.below(2) == 0)
    case 27:
      if let name = some(collections[owner, default: []].sorted()) { return .eraseCollection(name, owner: owner) }
      if let file { return .eraseFile(file) }
    case 28:
      guard let post, let owner = posts[post]?.owner else { break }
      return .eraseMoment(post, owner: owner)
    default: if random.below(3) == 0 { return .eraseOwner(owner) }
    }
    return .post(number, owner: owner, file: nil, location: location, visibility: visibility)
  }

  private func changeTrip(_ name: Int, _ trip: Journey, _ random: inout SeededGenerator) -> HistoryStep {
    let members = members(of: trip)
    let some = members.filter { _ in random.below(3) == 0 }
    switch random.below(4) {
    case 0: return .removeFromTrip(name, some)
    case 1: return .arrangeTrip(name, some.reversed())
    default:
      let added = shown.filter { posts[$0]?.owner == trip.owner && random.below(2) == 0 }
      return .addToTrip(name, added, before: members.isEmpty ? nil : members[random.below(members.count)])
    }
  }

  private func decision(_ file: HistoryFile?, _ note: Int?, _ random: inout SeededGenerator) -> HistoryStep? {
    let (content, image) = (random.below(Self.contents), random.below(2))
    switch random.below(8) {
    case 0: return blocked.contains(content) ? .unblock(content: content) : .block(content: content)
    case 1: return blockedImages.contains(image) ? .unblockImage(image) : .blockImage(image)
    case 2: return blockedImages.contains(image) ? .hideSimilar(image: image) : .blockImage(image)
    case 3: return file.map { .quarantine($0) }
    case 4:
      // The library refuses to release a file while its content is blocked.
      guard let file, !blocked.contains(file.content) else { return nil }
      return random.below(3) == 0 ? .protect(file) : .release(file)
    case 5: return note.map { .releaseNote($0) }
    default: return note.map { .report(note: $0, reader: random.below(3)) }
    }
  }
}
