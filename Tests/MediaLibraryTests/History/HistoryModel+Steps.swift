internal import MediaLibrary

/// What each step changes.
extension HistoryModel {
  mutating func take(_ step: HistoryStep) {
    switch step {
    case .upload(let file, let collection):
      files[file] = File(collection: collection)
      if let collection { collections[file.owner, default: []].insert(collection) }
    case .post(let name, let owner, let file, let location, let visibility):
      posts[name] = Post(
        owner: owner, file: file, text: name, location: kept(location, of: owner),
        sharesLocation: sharing(of: owner) == .friends, visibility: visibility)
    case .edit(let name, let text, let location, let visibility, let isStale):
      guard !isStale, var post = posts[name] else { return }
      (post.text, post.visibility, post.location) = (text, visibility, kept(location, of: post.owner))
      post.sharesLocation = sharing(of: post.owner) == .friends
      post.isReleased = false
      post.version += 1
      posts[name] = post
    case .makeTrip(let name, let owner): trips[name] = Journey(owner: owner)
    case .addToTrip(let name, let some, let before):
      let added = some.filter { $0 != before }
      changeTrip(name) { members in
        members.removeAll(where: added.contains)
        members.insert(contentsOf: added, at: before.flatMap { members.firstIndex(of: $0) } ?? members.endIndex)
      }
    case .removeFromTrip(let name, let some): changeTrip(name) { $0.removeAll(where: some.contains) }
    case .arrangeTrip(let name, let some): changeTrip(name) { $0 = some + $0.filter { !some.contains($0) } }
    case .saveDraft(let owner, let text, let files): drafts[owner] = (text, files)
    case .shareLocations(let new, let owner, let isApplied): share(new, owner, isApplied: isApplied)
    case .backUp: break
    default: moderate(step)
    }
  }

  private func kept(_ location: Int, of owner: String) -> Int? {
    location == 0 || sharing(of: owner) == Moment.LocationSharing.none ? nil : location
  }

  private mutating func changeTrip(_ name: Int, _ body: (inout [Int]) -> Void) {
    guard var trip = trips[name] else { return }
    body(&trip.members)
    trip.version += 1
    trips[name] = trip
  }

  private mutating func share(_ new: Moment.LocationSharing, _ owner: String, isApplied: Bool) {
    sharing[owner] = new
    guard isApplied else { return }
    for (name, post) in posts where post.owner == owner {
      if new != Moment.LocationSharing.none {
        posts[name]?.sharesLocation = new == .friends
      } else if post.location != nil {
        posts[name]?.location = nil
        posts[name]?.version += 1
      }
    }
  }

  private mutating func moderate(_ step: HistoryStep) {
    switch step {
    case .block(let content):
      blocked.insert(content)
      decisions += 1
    case .unblock(let content): if blocked.remove(content) != nil { decisions += 1 }
    case .blockImage(let image):
      blockedImages.insert(image)
      decisions += 1
    case .unblockImage(let image): if blockedImages.remove(image) != nil { decisions += 1 }
    case .hideSimilar(let image):
      for (file, known) in files where Self.image(of: file.content) == image && !isHidden(file) {
        if !known.isProtected, !known.isReleased { quarantine(file) }
      }
    case .quarantine(let file): quarantine(file)
    case .release(let file):
      guard files[file]?.isQuarantined == true else { return }
      files[file]?.isQuarantined = false
      files[file]?.isReleased = true
      decisions += 1
    case .protect(let file):
      files[file]?.isProtected = true
      decisions += 1
    case .report(let note, let reader):
      guard var post = posts[note] else { return }
      post.reports.insert(reader)
      if post.reports.count >= Self.reportsToHold, !post.isHeld, !post.isReleased {
        post.isHeld = true
        decisions += 1
      }
      posts[note] = post
    case .releaseNote(let note):
      guard var post = posts[note] else { return }
      // One entry for the release, and one for the reports that it answers.
      if post.isHeld { (post.isHeld, post.isReleased, decisions) = (false, true, decisions + 1) }
      if !post.reports.isEmpty { (post.reports, decisions) = ([], decisions + 1) }
      posts[note] = post
    default: erase(step)
    }
  }

  private mutating func quarantine(_ file: HistoryFile) {
    files[file]?.isQuarantined = true
    files[file]?.isReleased = false
    decisions += 1
  }
}
