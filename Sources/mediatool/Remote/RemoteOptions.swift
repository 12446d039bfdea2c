internal import ArgumentParser
internal import FileSupport
internal import MediaEngine
internal import MediaModel

/// The options for inputs behind URLs.
struct RemoteOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Read URLs that match this pattern only: a host, *.DOMAIN, an address or a block of addresses such as 10.0.0.0/8, or s3://BUCKET/PREFIX. \
      Repeatable. Without it, any host with a public address may be read. A named host or address may be private.
      """,
      valueName: "pattern"))
  var allowSource: [String] = []

  @Flag(help: "Read http:// URLs too, whose contents anyone on the network path can change.")
  var allowHttp = false

  @Option(
    help: ArgumentHelp(
      "Use this S3-compatible service instead of AWS. (default: AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL or the profile's)",
      valueName: "url"))
  var s3Endpoint: String?

  @Option(
    help: ArgumentHelp(
      "The region of the buckets. (default: AWS_REGION, AWS_DEFAULT_REGION or the profile's, then us-east-1)",
      valueName: "region"))
  var s3Region: String?

  @Option(
    help: ArgumentHelp(
      "Name buckets in the path or in the host of requests. (default: host for AWS, path for other endpoints)",
      valueName: "style"))
  var s3Style: StyleArgument?

  @Option(
    help: ArgumentHelp(
      """
      Take the keys for S3 from the environment or a profile (auto), from the metadata service of the virtual machine (instance) or of the container \
      (container), or send unsigned requests (none). (default: auto)
      """,
      valueName: "source"))
  var s3Credentials: KeyArgument?

  @Option(
    help: ArgumentHelp(
      "Fail a URL whose requests take longer than this. (default: 30)",
      valueName: "seconds"),
    transform: Seconds.parse)
  var sourceSeconds: Seconds?

  /// The options that decide which sources can be read, as words.
  var words: [String] {
    allowSource.sorted() + (allowHttp ? ["http"] : [])
      + [s3Endpoint, s3Style?.rawValue, s3Credentials?.rawValue].compactMap { $0 }
  }

  enum StyleArgument: String, ExpressibleByArgument, CaseIterable {
    case path, host
  }

  enum KeyArgument: String, ExpressibleByArgument, CaseIterable {
    case auto, instance, container, none
  }

  /// Makes this process able to read the URLs among the inputs: another program does, so that those who name none do not pay for it.
  ///
  /// Requests may name URLs at any time, so they are read by that program from the start.
  /// - Parameter deadline: The time limit for one file, if one was given; fetching may not take longer either.
  func prepare(
    for inputs: InputOptions, _ stream: StreamOptions, _ running: RunOptions, deadline: Seconds?
  ) throws {
    try prepare(
      isNamed: inputs.files.contains(where: RemoteName.isRemote), hasList: stream.requests != nil, running,
      deadline: deadline)
  }

  /// - Parameters:
  ///   - isNamed: Whether the command line has a URL.
  ///   - hasList: Whether a list may have URLs.
  func prepare(isNamed: Bool, hasList: Bool, _ running: RunOptions, deadline: Seconds? = nil) throws {
    guard isNamed || hasList else { return }
    guard !running.inProcess else {
      if isNamed { throw ValidationError("--in-process reads no URLs; omit it, or download the files first.") }
      return
    }
    guard let factory = RemoteReaders.factory.withLock({ $0 }) else {
      let reason = RemoteReaders.becomeRemoteProgram()
      if isNamed { throw Fault(.software, reason) }
      RemoteReaders.reader.withLock { $0 = MissingRemoteReader(reason: reason) }
      return
    }
    do throws(MediaFailure) {
      var arguments = RemoteArguments(
        allowed: allowSource, allowsHTTP: allowHttp, endpoint: s3Endpoint, region: s3Region,
        style: s3Style?.rawValue, credentials: s3Credentials?.rawValue)
      arguments.seconds = min(sourceSeconds?.value ?? arguments.seconds, deadline?.value ?? .infinity)
      let reader = try factory(arguments)
      RemoteReaders.reader.withLock { $0 = reader }
    } catch {
      throw Fault(.usage, error.detail.map { "\(error.message) \($0)" } ?? error.message)
    }
  }
}
