internal import MediaLibrary

/// What people and moderators see, in lines that are the same for the model and for a library.
extension HistoryModel {
  /// A word that only a text with this number has.
  static func word(_ text: Int) -> String { "Quokka\(text)word" }

  /// A moment as an audience sees it.
  static func line(
    _ audience: Moment.Scope.Audience, _ name: String, _ owner: String, _ caption: String, _ location: Int?,
    _ version: Int, _ visibility: Moment.Visibility, _ state: Moment.State, _ reports: Int
  ) -> String {
    let place = location.map { "at \($0)" } ?? "nowhere"
    return
      "\(audience) sees \(name) of \(owner): \(caption) \(place) v\(version) \(visibility) \(state) \(reports) reports"
  }

  func census() -> [String] {
    var lines = Self.owners.flatMap { owner in
      let shared = ["\(owner) shares \(sharing(of: owner))"]
      let albums = collections[owner, default: []].sorted().map { name in
        "\(owner) has \(name) with \(files.count { $0.key.owner == owner && $0.value.collection == name && !isHidden($0.key) })"
      }
      let draft = drafts[owner].map { "\(owner) writes \(Self.word($0.text)) \($0.files.map(\.content).sorted())" }
      return shared + albums + (draft.map { [$0] } ?? [])
    }
    for (file, known) in files.sorted(by: { $0.key < $1.key }) {
      lines.append(
        "file \(file.content) of \(file.owner) in \(known.collection ?? "-") hidden \(isHidden(file)) protected \(known.isProtected)"
      )
    }
    for audience in Moment.Scope.Audience.allCases {
      let seen = posts.filter { shows($0.value, to: audience) }.sorted { $0.key > $1.key }
      for (name, post) in seen {
        lines.append(
          Self.line(
            audience, "t\(name)", post.owner, Self.word(post.text), location(of: post, for: audience), post.version,
            post.visibility, post.isHeld ? .held : .shown, post.reports.count))
      }
      lines.append("\(audience) has \(seen.count { location(of: $0.value, for: audience) != nil }) on the map")
    }
    for (name, trip) in trips.sorted(by: { $0.key < $1.key }) {
      lines.append("trip T\(name) of \(trip.owner) v\(trip.version) \(members(of: trip).map { "t\($0)" })")
    }
    return lines + [
      "blocked \(blocked.sorted()), images \(blockedImages.sorted())", "\(decisions) decisions",
    ]
  }
}
