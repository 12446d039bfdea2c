internal import FileSupport
internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import MediaLibrary

/// Random histories of moments and trips beside a model of them in dictionaries.
@Suite("Random histories of moments") struct MomentHistoryTests {
  private struct Row {
    var owner: String
    var file: FileID?
    var caption: String?
    var time: Int
    var location: Location?
    var shares: Moment.LocationSharing
    var visibility: Moment.Visibility
    var state = Moment.State.shown
    var version = 1
  }

  private struct Model {
    var moments: [Moment.ID: Row] = [:]
    var trips: [Trip.ID: (owner: String, members: [Moment.ID], version: Int)] = [:]
    var files: [FileID: (owner: String?, isBlocked: Bool)] = [:]
    var sharing: [String: Moment.LocationSharing] = [:]

    func isBlocked(_ row: Row) -> Bool { row.file.flatMap { files[$0]?.isBlocked } ?? false }

    func reach(_ row: Row) -> Int {
      if isBlocked(row) { return 0 }
      if row.state == .held { return 1 }
      return row.visibility == .private ? 1 : row.visibility == .friends ? 2 : 3
    }

    mutating func remove(_ ids: Set<Moment.ID>) {
      moments = moments.filter { !ids.contains($0.key) }
      for trip in trips.keys { trips[trip]?.members.removeAll(where: ids.contains) }
    }
  }

  @Test(
    "Moments and trips agree with a simple model over posts, edits, orders, switches, blocks and erasures",
    arguments: 0..<20 as Range<UInt64>)
  func history(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let world = try MomentWorld()
    var model = Model()
    let owners = ["ada", "bob", "cleo"]
    for name in 0..<6 {
      let file = try world.photo("f\(name)", taken: name, at: name % 2 == 0 ? (Double(name), 1) : nil)
      model.files[file] = (nil, false)
    }
    for step in 0..<120 {
      let owner = owners[random.below(3)]
      let moment = model.moments.keys.sorted().dropFirst(random.below(max(1, model.moments.count))).first
      let trip = model.trips.keys.sorted().dropFirst(random.below(max(1, model.trips.count))).first
      let file = model.files.keys.sorted { $0.rawValue < $1.rawValue }.dropFirst(
        random.below(max(1, model.files.count))
      ).first
      let sharing = model.sharing[owner] ?? .private
      func place() -> Location? { MomentWorld.place(Double(random.below(3)), Double(random.below(3))) }
      switch random.below(14) {
      case 0, 1, 2:
        var new = Moment.New(owner: owner, note: "word\(step)", posted: step)
        let given = random.below(2) == 0 ? place() : nil
        new.location = .given(given)
        new.visibility = Moment.Visibility.allCases[random.below(3)]
        new.trips = []
        let id = try world.moments.add([new])[0]
        model.moments[id] = Row(
          owner: owner, caption: "word\(step)", time: step,
          location: sharing == Moment.LocationSharing.none ? nil : given,
          shares: sharing == .friends ? .friends : .private, visibility: new.visibility)
      case 3:
        guard let file, let known = model.files[file] else { continue }
        var new = Moment.New(owner: owner, file: file, posted: step)
        (new.location, new.caption, new.trips) = (.given(nil), "word\(step)", [])
        guard known.owner == nil || known.owner == owner else {
          #expect(throws: LibraryError.self) { try world.moments.add([new]) }
          continue
        }
        let id = try world.moments.add([new])[0]
        model.files[file]?.owner = owner
        let time = try #require(try world.test.catalogue.file(file)).time
        model.moments[id] = Row(
          owner: owner, file: file, caption: "word\(step)", time: time,
          shares: sharing == .friends ? .friends : .private,
          visibility: .private)
      case 4, 5:
        guard let moment, var row = model.moments[moment] else { continue }
        let version = random.below(4) == 0 ? row.version - 1 : row.version
        let location = place()
        let visibility = Moment.Visibility.allCases[random.below(3)]
        let changes: [Moment.Change] = [
          .caption("word\(step)"), .time(step, utcOffset: nil), .location(location), .visibility(visibility),
          .state(random.below(4) == 0 ? .held : .shown),
        ]
        do throws(LibraryError) {
          try world.moments.change(moment, of: row.owner, version: version, at: step, changes)
          #expect(version == row.version)
          let sharing = model.sharing[row.owner] ?? .private
          (row.caption, row.time, row.visibility) = ("word\(step)", step, visibility)
          row.location = sharing == Moment.LocationSharing.none ? nil : location
          row.shares = sharing == .friends ? .friends : .private
          if case .state(let state)? = changes.last { row.state = state }
          row.version += 1
          model.moments[moment] = row
        } catch {
          #expect(error.code == .versionConflict)
          #expect(error.currentVersion == row.version)
          #expect(version != row.version)
        }
      case 6:
        let added = try world.moments.add(Trip.New(owner: owner, title: "t\(step)", started: step))
        // It ends at once, so that nothing joins it.
        let ended = try world.moments.change(added.id, of: owner, version: added.version, [.ended(step)])
        model.trips[added.id] = (owner, [], ended.version)
      case 7, 8:
        guard let trip, let known = model.trips[trip] else { continue }
        let own = model.moments.filter { $0.value.owner == known.owner }.keys.sorted()
        let some = own.filter { _ in random.below(2) == 0 }
        let before = known.members.dropFirst(random.below(max(1, known.members.count))).first
        try world.moments.add(some, to: trip, of: known.owner, version: known.version, before: before)
        let added = some.filter { $0 != before }
        var members = known.members.filter { !added.contains($0) }
        members.insert(contentsOf: added, at: before.flatMap { members.firstIndex(of: $0) } ?? members.endIndex)
        model.trips[trip] = (known.owner, members, known.version + 1)
      case 9:
        guard let trip, let known = model.trips[trip] else { continue }
        let some = known.members.filter { _ in random.below(3) == 0 }
        if random.below(2) == 0 {
          try world.moments.remove(some, from: trip, of: known.owner, version: known.version)
          model.trips[trip]?.members.removeAll(where: some.contains)
        } else {
          try world.moments.arrange(some.reversed(), in: trip, of: known.owner, version: known.version)
          model.trips[trip]?.members = some.reversed() + known.members.filter { !some.contains($0) }
        }
        model.trips[trip]?.version += 1
      case 10:
        guard let file, let known = model.files[file] else { continue }
        try world.test.catalogue.apply([known.isBlocked ? .released(file) : .quarantined(file, reason: "r")])
        model.files[file]?.isBlocked.toggle()
      case 11:
        let new = Moment.LocationSharing.allCases[random.below(3)]
        let isApplied = random.below(2) == 0
        try world.moments.setLocationSharing(new, of: owner, applyingToExisting: isApplied)
        model.sharing[owner] = new
        guard isApplied else { continue }
        for (id, row) in model.moments where row.owner == owner {
          if new == Moment.LocationSharing.none {
            if row.location != nil { model.moments[id]?.version += 1 }
            model.moments[id]?.location = nil
          } else {
            model.moments[id]?.shares = new
          }
        }
      case 12:
        if random.below(2) == 0, let moment, let row = model.moments[moment] {
          #expect(try world.library.erase(.moments([moment], owner: row.owner), wiping: false).moments == 1)
          model.remove([moment])
        } else if let trip, let known = model.trips[trip] {
          let withMoments = random.below(2) == 0
          let report = try world.library.erase(.trip(trip, owner: known.owner, withMoments: withMoments), wiping: false)
          model.trips[trip] = nil
          let others = Set(model.trips.values.flatMap(\.members))
          let gone = withMoments ? Set(known.members).subtracting(others) : []
          #expect(report.moments == gone.count)
          #expect(report.files == 0)
          model.remove(gone)
        }
      default:
        if random.below(3) == 0 {
          let report = try world.library.erase(.owner(owner), wiping: false)
          let gone = model.moments.filter { $0.value.owner == owner }
          #expect(report.moments == gone.count)
          #expect(report.trips == model.trips.values.count { $0.owner == owner })
          model.trips = model.trips.filter { $0.value.owner != owner }
          model.remove(Set(gone.keys))
          model.files = model.files.filter { $0.value.owner != owner }
          model.sharing[owner] = nil
        } else if let file, let known = model.files[file] {
          let other = known.owner == "ada" ? "bob" : "ada"
          try world.test.catalogue.assign([file], owner: other, collection: .none)
          model.files[file]?.owner = other
          model.remove(Set(model.moments.filter { $0.value.file == file && $0.value.owner != other }.keys))
        }
      }
      guard step % 15 == 14 else { continue }
      try compare(model, world, owners, "seed \(seed), step \(step)")
    }
  }

  private func compare(_ model: Model, _ world: MomentWorld, _ owners: [String], _ at: Comment) throws {
    for (audience, least) in [(Moment.Scope.Audience.owner, 1), (.friends, 2), (.everyone, 3)] {
      let scope = Moment.Scope(owners: owners, audience: audience)
      let expected = model.moments.filter { model.reach($0.value) >= least }
        .sorted { ($0.value.time, $0.key) > ($1.value.time, $1.key) }
      let listed = try world.all(scope)
      #expect(listed.map(\.id) == expected.map(\.key), at)
      func location(_ row: Row) -> Location? {
        least == 1 || (least == 2 && row.shares == .friends) ? row.location : nil
      }
      #expect(listed.map(\.caption) == expected.map(\.value.caption), at)
      #expect(listed.map(\.location) == expected.map { location($0.value) }, at)
      #expect(listed.map(\.version) == expected.map(\.value.version), at)
      #expect(listed.map(\.owner) == expected.map(\.value.owner), at)
      #expect(listed.map(\.file) == expected.map(\.value.file), at)
      let located = Set(expected.filter { location($0.value) != nil }.map(\.key))
      for zoom in [0, 6, 12] {
        let clusters = try world.moments.locations(in: .world, zoom: zoom, of: scope).clusters
        #expect(clusters.reduce(0) { $0 + $1.count } == located.count, at)
        let members = try clusters.flatMap { cluster in
          try MomentWorld.all { try world.moments.members(of: cluster.id, in: scope, after: $0, limit: 2) }.map(\.id)
        }
        #expect(Set(members) == located, at)
        #expect(members.count == located.count, at)
      }
      for (_, row) in expected.prefix(3) {
        let found = try world.moments.search(row.caption ?? "", in: scope, after: nil, limit: 99).moments
        #expect(found.contains { $0.caption == row.caption }, at)
      }
      for (id, trip) in model.trips {
        guard least == 1 else {
          #expect(try world.moments.trip(id, of: owners, for: audience) == nil, at)
          continue
        }
        let known = try #require(try world.moments.trip(id, of: owners), at)
        let members = trip.members.filter { model.moments[$0].map(model.reach) ?? 0 > 0 }
        let shown = try MomentWorld.all { try world.moments.moments(of: id, of: owners, after: $0, limit: 3) }.map(\.id)
        #expect(shown == members, at)
        #expect(known.moments == members.count, at)
        #expect(known.version == trip.version, at)
      }
    }
    let report = try world.library.verify()
    #expect(report.isIntact, "\(at): \(report.problems)")
  }
}
