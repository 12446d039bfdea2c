/// What each erasure takes with it.
extension HistoryModel {
  mutating func erase(_ step: HistoryStep) {
    switch step {
    case .eraseFile(let file): erase(files: [file])
    case .eraseMoment(let name, _): erase(posts: [name])
    case .eraseTrip(let name, _, let withMoments):
      let members = trips.removeValue(forKey: name)?.members ?? []
      guard withMoments else { return }
      let others = Set(trips.values.flatMap(\.members))
      erase(posts: Set(members).subtracting(others))
    case .eraseCollection(let name, let owner):
      erase(files: Set(files.filter { $0.key.owner == owner && $0.value.collection == name }.keys))
      collections[owner]?.remove(name)
    case .eraseOwner(let owner):
      erase(files: Set(files.keys.filter { $0.owner == owner }))
      remove(Set(posts.filter { $0.value.owner == owner }.keys))
      trips = trips.filter { $0.value.owner != owner }
      (collections[owner], sharing[owner], drafts[owner]) = (nil, nil, nil)
    default: break
    }
  }

  /// With the originals that no other post uses.
  private mutating func erase(posts gone: Set<Int>) {
    let used = Set(posts.filter { !gone.contains($0.key) }.compactMap(\.value.file))
    let unused = Set(gone.compactMap { posts[$0]?.file }).subtracting(used)
    remove(gone)
    erase(files: unused)
  }

  private mutating func erase(files gone: Set<HistoryFile>) {
    remove(Set(posts.filter { $0.value.file.map(gone.contains) ?? false }.keys))
    for file in gone { files[file] = nil }
    for owner in drafts.keys { drafts[owner]?.files.removeAll(where: gone.contains) }
  }

  private mutating func remove(_ gone: Set<Int>) {
    for name in gone { posts[name] = nil }
    for trip in trips.keys { trips[trip]?.members.removeAll(where: gone.contains) }
  }
}
