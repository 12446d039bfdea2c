/// The rows of the speed table that concern a library of a million files.
struct LibraryRows {
  /// The loop over MediaLibrary that does nothing else.
  var loop: String
  /// Where outputs go.
  var output: String
  var library: InputSet
  /// A library with a million moments.
  var moments: InputSet
  /// A library with a million photos that a scanner has checked, all of them moments.
  var scanned: InputSet
  /// A library with a million moments of one owner.
  var single: InputSet
  /// A library with 100,000 moments of one owner, and its snapshot.
  var owned: InputSet

  init(loop: String, output: String, folder: String) {
    (self.loop, self.output) = (loop, output)
    library = .made(at: "\(folder)/catalogue", output: output) { [loop, "make", $0, "1000000"] }
    moments = .made(at: "\(folder)/moments", output: output) { [loop, "moments", $0, "1000000"] }
    scanned = .made(at: "\(folder)/scanned", output: output) { [loop, "scanned", $0, "1000000"] }
    single = .made(at: "\(folder)/single", output: output) { [loop, "single", $0, "1000000"] }
    owned = .made(at: "\(folder)/owned", output: output) { [loop, "owned", $0, "100000"] }
  }

  var all: [Row] {
    func command(_ work: String, _ numbers: Int...) -> Command {
      Command(
        arguments: [loop, work, library.path] + numbers.map { "\($0)" }, folder: "\(output)/library",
        lines: work == "known" ? 0 : 1)
    }
    func moment(_ work: String, _ numbers: Int..., of set: InputSet? = nil) -> Command {
      Command(
        arguments: [loop, work, (set ?? moments).path] + numbers.map { "\($0)" }, folder: "\(output)/moments", lines: 1)
    }
    let momentRows =
      [0, 6, 12].flatMap { zoom in
        [
          Row(
            work: "a screen of the map of 1,000,000 moments, zoom \(zoom)", ours: moment("map", zoom, 200),
            requirement: .each(below: 0.05, of: 200), needs: [moments]),
          Row(
            work: "the same for 50 friends, zoom \(zoom)", ours: moment("friends", zoom, 200),
            requirement: .each(below: 0.1, of: 200), needs: [moments]),
          Row(
            work: "the same of the recent activity of 50 friends, zoom \(zoom)", ours: moment("recent", zoom, 200),
            requirement: .each(below: 0.1, of: 200), needs: [moments]),
          Row(
            work: "the same for 50 friends with photos and a malware scanner, zoom \(zoom)",
            ours: moment("friends", zoom, 200, of: scanned), requirement: .each(below: 0.1, of: 200),
            needs: [scanned]),
          Row(
            work: "the same of an owner with 1,000,000 moments, zoom \(zoom)",
            ours: moment("map", zoom, 200, of: single), requirement: .each(below: 0.05, of: 200), needs: [single]),
        ]
      } + [
        Row(
          work: "the path of a trip of 10,000 moments", ours: moment("path", 200),
          requirement: .each(below: 0.05, of: 200), needs: [moments]),
        Row(
          work: "images that look like one among 1,000,000", ours: moment("similar", 1_000_000, 200),
          requirement: .each(below: 0.05, of: 200)),
        Row(
          work: "erasing an owner with 100,000 moments, also from a snapshot, with progress",
          ours: Command(arguments: [loop, "erased", owned.path], folder: "\(output)/moments", lines: 1),
          requirement: .memory(below: 64), needs: [owned]),
      ]
    return [
      Row(
        work: "the fifty most recent of 1,000,000 files", ours: command("newest", 5_000),
        requirement: .each(below: 0.002, of: 5_000), needs: [library]),
      // Coming to page 1,000 is in it, once for twenty times as many pages that are measured.
      Row(
        work: "page 1,000 of 1,000,000 files, 20,000 times", ours: command("page", 1_000, 20_000),
        peerName: "page 1", peer: command("page", 1, 20_000), requirement: .time(atMost: 1.2),
        needs: [library]),
      Row(
        work: "looking up 1,000,000 known files, as a rescan does", ours: command("known", 1_000_000),
        requirement: .each(below: 0.000_02, of: 1_000_000), needs: [library]),
    ]
      + [0, 3, 6, 9, 12, 15, 18].map { zoom in
        Row(
          work: "a screen of locations of 1,000,000 files, zoom \(zoom)", ours: command("places", zoom, 200),
          requirement: .each(below: 0.05, of: 200), needs: [library])
      } + momentRows
  }
}
