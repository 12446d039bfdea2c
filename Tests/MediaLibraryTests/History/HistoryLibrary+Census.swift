internal import AttachmentPolicy
internal import MediaModel

@testable internal import MediaLibrary

/// What people and moderators see, in the lines of the model.
extension HistoryLibrary {
  func census() throws -> [String] {
    var lines = try HistoryModel.owners.flatMap { try census(of: $0) }
    for owner in HistoryModel.owners {
      for content in 0..<HistoryModel.contents {
        let file = HistoryFile(owner: owner, content: content)
        guard let known = try library.catalogue.file(at: path(file)) else { continue }
        let isProtected = try library.moderation.standing(of: known.id)?.protection != nil
        lines.append(
          "file \(content) of \(known.owner ?? "-") in \(known.collection ?? "-") hidden \(known.state == .quarantined) protected \(isProtected)"
        )
      }
    }
    for audience in Moment.Scope.Audience.allCases {
      for moment in try moments(audience) {
        let standing = try library.moderation.standing(ofMoment: moment.id)
        lines.append(
          HistoryModel.line(
            audience, moment.title ?? "-", moment.owner, moment.caption ?? "-",
            moment.location.map { Int($0.latitude) }, moment.version, moment.visibility, moment.state,
            standing?.reports ?? 0))
      }
      let scope = Moment.Scope(owners: HistoryModel.owners, audience: audience)
      let map = try library.moments.locations(in: .world, zoom: 3, of: scope)
      lines.append("\(audience) has \(map.clusters.reduce(0) { $0 + $1.count }) on the map")
    }
    for trip in try trips().sorted(by: { ($0.started) < ($1.started) }) {
      let members = try MomentWorld.all {
        try library.moments.moments(of: trip.id, of: [trip.owner], after: $0, limit: 50)
      }
      lines.append("trip \(trip.title) of \(trip.owner) v\(trip.version) \(members.map { $0.title ?? "-" })")
    }
    return try lines + decisions()
  }

  private func census(of owner: String) throws -> [String] {
    var lines = ["\(owner) shares \(try library.moments.locationSharing(of: owner))"]
    let page = try library.catalogue.collections(of: owner, by: .name, after: nil, limit: 50)
    lines += page.collections.map { "\(owner) has \($0.name) with \($0.files)" }
    if let draft = try library.drafts.load(Self.key(of: owner)) {
      lines.append("\(owner) writes \(draft.text) \(draft.items.compactMap { Int($0.id.rawValue) }.sorted())")
    }
    return lines
  }

  private func decisions() throws -> [String] {
    let moderation = library.moderation
    let blocked = try (0..<HistoryModel.contents).filter { try moderation.block(of: Self.digest($0)) != nil }
    let images = try (0..<2).filter { try moderation.imageBlock(of: Self.hash($0)) != nil }
    var (count, after): (Int, CatalogueFile.Cursor?) = (0, nil)
    repeat {
      let page = try moderation.audit(after: after, limit: 500)
      (count, after) = (count + page.entries.count, page.next)
    } while after != nil
    return ["blocked \(blocked), images \(images)", "\(count) decisions"]
  }
}
