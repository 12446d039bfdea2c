/// Every row of the speed table.
struct Rows {
  /// mediatool in release.
  var tool: String
  /// The loop over libvips that does nothing else.
  var plainLoop: String
  /// The loop of jobs for one owner or many.
  var domainLoop: String
  /// Where outputs go.
  var output: String
  /// The text of a file with one path of ``PhotoSets/large`` a line.
  var largeList: String
  var sets: PhotoSets
  var cores: Int

  private func thumbnail(_ arguments: [String], of files: [String], sizes: Int = 1, as name: String, jobs: Int? = nil)
    -> Command
  {
    let folder = "\(output)/\(name)"
    return Command(
      arguments: [tool, "thumbnail"] + arguments + ["-o", folder, "--jobs", String(jobs ?? cores), "--json"] + files,
      folder: folder, files: files.count * sizes, lines: files.count)
  }

  private func probe(of files: [String]) -> Command {
    Command(
      arguments: [tool, "probe", "--json", "--jobs", String(cores)] + files, folder: "\(output)/probe",
      lines: files.count)
  }

  /// One after another, so that what each file waits for is seen; so many that starting does not count.
  private func probeOneByOne(_ files: [String]) -> Command {
    Command(
      arguments: [tool, "probe", "--json", "--jobs", "1"] + (0..<10).flatMap { _ in files },
      folder: "\(output)/probe-one",
      lines: 10 * files.count)
  }

  private func peer(_ arguments: [String], as name: String, files: Int = 0) -> Command {
    Command(arguments: arguments, folder: "\(output)/\(name)", files: files)
  }

  /// So many probes with a pause before each: see domain-loop.
  private func domains(_ owners: String, _ jobs: Int) -> Command {
    Command(
      arguments: [domainLoop, "\(tool)-worker", owners, String(jobs)], folder: "\(output)/domains-\(owners)", lines: 1)
  }

  var all: [Row] { large + thousand + many + [owners, idle] }

  /// Rows of a hundred photos of 12 MP.
  private var large: [Row] {
    let small = thumbnail(["--size", "256"], of: sets.large, as: "small")
    let three = thumbnail(
      ["--size", "256", "--size", "512", "--size", "1440"], of: sets.large, sizes: 3, as: "three")
    let view = thumbnail(["--size", "1440"], of: sets.large, as: "view")
    let rows = [
      Row(
        work: "100 photos of 12 MP to 256 px", ours: small, peerName: "plain loop over libvips",
        peer: peer([plainLoop, String(cores), "\(output)/plain"] + sets.large, as: "plain", files: 100),
        requirement: .speed(atLeast: 1.2)),
      Row(
        work: "100 photos of 12 MP to 256 px", ours: small,
        peerName: "vipsthumbnail one process per file, \(cores) at a time",
        peer: peer(
          ["xargs", "-d", "\\n", "-a", largeList, "-P", String(cores), "-n", "1"]
            + ["vipsthumbnail", "-s", "256", "-o", "\(output)/vipsthumbnail/%s.webp[Q=79,strip]"],
          as: "vipsthumbnail", files: 100),
        requirement: .speed(atLeast: 2)),
      Row(
        work: "100 photos of 12 MP to 256 px, --jobs 2",
        ours: thumbnail(["--size", "256"], of: sets.large, as: "two", jobs: 2),
        peerName: "--jobs 1", peer: thumbnail(["--size", "256"], of: sets.large, as: "one", jobs: 1),
        requirement: .speed(atLeast: 1.9)),
      Row(
        work: "sizes 256, 512 and 1440 together, time", ours: three, peerName: "1440 alone", peer: view,
        requirement: .time(atMost: 1.15)),
      Row(
        work: "sizes 256, 512 and 1440 together, processor time", ours: three, peerName: "1440 alone", peer: view,
        requirement: .processor(atMost: 1.15)),
      Row(
        work: "embedded thumbnails of 100 photos, --draft",
        ours: thumbnail(["--draft", "--size", "256"], of: sets.large, as: "draft-100"),
        peerName: "full decode", peer: small, requirement: .speed(atLeast: 25)),
      // What isolation costs.
      Row(
        work: "100 photos of 12 MP to 256 px, in workers", ours: small, peerName: "in process", peer: small.inProcess,
        requirement: .speed(atLeast: 0.93)),
      Row(work: "peak memory, 100 photos of 12 MP", ours: small.inProcess, requirement: .memory(below: 200)),
    ]
    return rows.map { $0.needing(sets.largeSet) }
  }

  /// Rows of a thousand photos of 12 MP.
  private var thousand: [Row] {
    let thousand = thumbnail(["--size", "256"], of: sets.thousandLarge, as: "thousand")
    let rows = [
      Row(
        work: "embedded thumbnails of 1,000 photos, --draft",
        ours: thumbnail(["--draft", "--size", "256"], of: sets.thousandLarge, as: "draft"),
        peerName: "full decode", peer: thousand, requirement: .speed(atLeast: 30)),
      Row(work: "peak memory, 1,000 photos of 12 MP", ours: thousand.inProcess, requirement: .memory(below: 200)),
    ]
    return rows.map { $0.needing(sets.thousandLargeSet) }
  }

  /// Rows of a thousand smaller photos.
  private var many: [Row] {
    let rows = [
      Row(
        work: "probing 1,000 photos", ours: probe(of: sets.many), peerName: "exiftool -j -n",
        peer: peer(["exiftool", "-j", "-n"] + sets.many, as: "exiftool"), requirement: .speed(atLeast: 25)),
      Row(
        work: "probing 1,000 photos", ours: probe(of: sets.many), peerName: "file --mime-type",
        peer: peer(["file", "--mime-type"] + sets.many, as: "file"), requirement: .time(atMost: 1.5)),
      Row(
        work: "probing 10,000 photos one by one, in a worker", ours: probeOneByOne(sets.many), peerName: "in process",
        peer: probeOneByOne(sets.many).inProcess, requirement: .added(atMost: 0.3, files: 10 * sets.many.count)),
    ]
    return rows.map { $0.needing(sets.manySet) }
  }

  /// What a server holds between requests. The worker of a command is in ``StartRows``.
  private var idle: Row {
    Row(
      work: "memory of two workers of an idle engine together", ours: domains("idle", 1).watching(.idle),
      requirement: .memory(below: 90))
  }

  /// Each job is of another owner, so that each has a new worker, or all are of one. Between two jobs a spare warms up.
  private var owners: Row {
    Row(
      work: "a probe for another owner than the last, with spares", ours: domains("another", 20),
      peerName: "for the same owner", peer: domains("same", 20), requirement: .added(atMost: 3, files: 20))
  }
}
