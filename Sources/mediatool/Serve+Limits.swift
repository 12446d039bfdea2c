internal import ArgumentParser

extension Serve {
  /// Options that bound what the server stores, and how many requests it serves at once and per second.
  struct Limits: ParsableArguments {
    @Option(
      help: ArgumentHelp(
        "Store at most this many bytes of originals per owner. (default: 10000000000)", valueName: "bytes"))
    var ownerBytes: Int?

    @Option(help: ArgumentHelp("Store at most this many files per owner. (default: 100000)", valueName: "n"))
    var ownerFiles: Int?

    @Option(help: ArgumentHelp("Allow at most this many unfinished uploads per owner. (default: 32)", valueName: "n"))
    var openUploads: Int?

    @Option(
      help: ArgumentHelp(
        "Refuse uploads that would leave fewer than this many free bytes on the disk. (default: 1000000000)",
        valueName: "bytes"))
    var freeBytes: Int?

    @Option(
      help: ArgumentHelp(
        "Report, when an owner is erased, that your own backups keep the data for this many days.", valueName: "days"))
    var backupDays: Int?

    @Option(help: ArgumentHelp("Accept at most this many connections at a time. (default: 10000)", valueName: "n"))
    var maxConnections: Int?

    @Option(
      help: ArgumentHelp(
        "Process at most this many requests at a time, uploads and event streams not counted. (default: 256)",
        valueName: "n"))
    var maxRequests: Int?

    @Option(help: ArgumentHelp("Receive at most this many uploads at a time. (default: 256)", valueName: "n"))
    var maxUploads: Int?

    @Option(help: ArgumentHelp("Serve at most this many event streams at a time. (default: 1000)", valueName: "n"))
    var maxStreams: Int?

    @Option(
      help: ArgumentHelp(
        "Compose messages and make modules and profile images for at most this many requests at a time. (default: 16)",
        valueName: "n"))
    var maxWork: Int?

    @Option(
      help: ArgumentHelp(
        "Process at most this many of the --max-work requests for one owner. (default: 4)", valueName: "n"))
    var maxWorkPerOwner: Int?

    @Option(
      help: ArgumentHelp(
        "Hold at most this many bytes of multimedia messages in memory, over all requests. (default: 134217728)",
        valueName: "n"))
    var maxMessageBytes: Int?

    @Option(
      help: ArgumentHelp(
        "Use at most this many of the --max-message-bytes for one owner. (default: 33554432)", valueName: "n"))
    var maxMessageBytesPerOwner: Int?

    @Option(
      help: ArgumentHelp(
        "Let at most this many files wait to be decoded, and answer further requests for new images with 503. Uploads are queued without this limit. (default: two per worker)",
        valueName: "n"))
    var maxWaiting: Int?

    @Option(
      help: ArgumentHelp(
        "Cache at most this many bytes of thumbnails of signed URLs in memory; 0 turns the cache off. Cached responses are counted in the audit log, not logged one by one. (default: 67108864)",
        valueName: "bytes"))
    var hotBytes: Int?

    @Option(
      help: ArgumentHelp(
        "Accept at most this many requests per second of one owner, on average; see --burst. (default: 100)",
        valueName: "n"))
    var rate: Double?

    @Option(
      help: ArgumentHelp(
        "Let one owner exceed --rate by at most this many requests in a burst. (default: 1000)", valueName: "n"))
    var burst: Double?

    @Option(
      help: ArgumentHelp(
        "Accept at most this many requests per second with signed URLs (addresses) of one attachment, on average; thumbnails from the cache are not counted. (default: 1000)",
        valueName: "n"))
    var addressRate: Double?

    @Option(
      help: ArgumentHelp(
        "Let requests with signed URLs of one attachment exceed --address-rate by at most this many in a burst. (default: 10000)",
        valueName: "n"))
    var addressBurst: Double?

    @Option(
      help: ArgumentHelp(
        "Allow one client this many failures (missing or wrong tokens, wrong signatures) per second, on average; further failures get 429 instead of 401 or 403; see --trusted-proxies. (default: 10)",
        valueName: "n"))
    var failureRate: Double?

    @Option(
      help: ArgumentHelp(
        "Let one client exceed --failure-rate by at most this many failures in a burst. (default: 100)",
        valueName: "n"))
    var failureBurst: Double?

    @Option(
      help: ArgumentHelp(
        "On SIGTERM, answer /readyz with 503 for this many seconds before stopping; fewer than --shutdown-seconds. (default: 5 with --keys, at most half of --shutdown-seconds; 0 without)",
        valueName: "s"))
    var drainSeconds: Double?

    @Option(
      help: ArgumentHelp(
        "On SIGTERM, close the remaining connections after this many seconds, those of --drain-seconds included. (default: 30)",
        valueName: "s"))
    var shutdownSeconds: Double?
  }
}
