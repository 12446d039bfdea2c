internal import FileSupport
internal import Foundation
internal import MalwareScanning
internal import MediaEngine
internal import MediaLibrary
internal import MediaService
internal import TestSupport
internal import Testing

@testable internal import MediaServer

@Suite struct ServeSettingsTests {
  private static let home = ["HOME": "/home/anna"]

  func settings(_ arguments: [String], _ environment: [String: String] = [:]) async throws -> ServeSettings {
    try await ServeSettings(arguments: arguments, environment: Self.home.merging(environment) { $1 })
  }

  @Test func `Without settings the server is for one person on this machine`() async throws {
    let settings = try await settings(["serve"])
    #expect(settings.server.host == "127.0.0.1")
    #expect(settings.server.port == 8080)
    #expect(settings.server.keys == nil)
    #expect(settings.server.tls == nil)
    #expect(settings.service.library.data.description == "/home/anna/.local/share/mediatool")
    #expect(!settings.isPrinting)
  }

  @Test func `Flags come before variables, and variables before the file`() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(
      Array(#"{"owner": "file", "rate": 5, "burst": 6, "origins": ["https://a.example"], "workers": 3}"#.utf8),
      to: "serve.json")
    let settings = try await settings(
      ["--config", file, "--owner", "flag"],
      [
        "MEDIATOOL_OWNER": "variable", "MEDIATOOL_RATE": "7.5",
        "MEDIATOOL_ORIGINS": "https://b.example,https://c.example",
      ])
    #expect(settings.server.owner == "flag")
    #expect(settings.server.requests.rate == 7.5)
    #expect(settings.server.requests.burst == 6)
    #expect(settings.server.origins == ["https://b.example", "https://c.example"])
    #expect(settings.engine.spares == 3)
  }

  @Test func `The places of work for decoders are a flag, a variable and a key of the file`() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(Array(#"{"maxWork": 7, "maxWorkPerOwner": 5}"#.utf8), to: "serve.json")
    let read = try await settings(["--config", file], ["MEDIATOOL_MAX_WORK_PER_OWNER": "3"])
    #expect(read.server.requests.work == 7)
    #expect(read.server.requests.workPerOwner == 3)
    let flags = try await settings(["--config", file, "--max-work", "9", "--max-work-per-owner", "2"])
    #expect(flags.server.requests.work == 9)
    #expect(flags.server.requests.workPerOwner == 2)
    await #expect(throws: ServeFailure.self) { try await settings(["--max-work", "0"]) }
  }

  @Test func `The bytes of messages are a flag, a variable and a key of the file`() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(Array(#"{"maxMessageBytes": 7, "maxMessageBytesPerOwner": 5}"#.utf8), to: "serve.json")
    let read = try await settings(["--config", file], ["MEDIATOOL_MAX_MESSAGE_BYTES_PER_OWNER": "3"]).server.requests
    #expect(read.messageBytes == 7)
    #expect(read.messageBytesPerOwner == 3)
    let flags = try await settings([
      "--config", file, "--max-message-bytes", "9", "--max-message-bytes-per-owner", "2",
    ])
    #expect(flags.server.requests.messageBytes == 9)
    #expect(flags.server.requests.messageBytesPerOwner == 2)
    await #expect(throws: ServeFailure.self) { try await settings(["--max-message-bytes", "0"]) }
  }

  @Test func `Two files wait for each worker, unless the administrator states how many wait`() async throws {
    #expect(try await settings(["--workers", "3"]).engine.waiting == 6)
    #expect(try await settings(["--workers", "3", "--max-waiting", "5"]).engine.waiting == 5)
    #expect(try await settings([], ["MEDIATOOL_MAX_WAITING": "0"]).engine.waiting == 0)
    await #expect(throws: ServeFailure.self) { try await settings(["--max-waiting", "-1"]) }
  }

  @Test func `The memory of thumbnails with signed URLs is a setting, and 0 keeps none`() async throws {
    #expect(try await settings([]).server.hotBytes == 67_108_864)
    #expect(try await settings(["--hot-bytes", "0"]).server.hotBytes == 0)
    #expect(try await settings([], ["MEDIATOOL_HOT_BYTES": "5"]).server.hotBytes == 5)
    await #expect(throws: ServeFailure.self) { try await settings(["--hot-bytes", "-1"]) }
  }

  @Test func `Rates of signed URLs and failures, and the proxies in front, are settings`() async throws {
    let server = try await settings([
      "--address-rate", "2.5", "--address-burst", "3", "--failure-rate", "4", "--failure-burst", "5",
      "--trusted-proxies", "2",
    ]).server
    #expect(server.requests.addressRate == 2.5)
    #expect(server.requests.addressBurst == 3)
    #expect(server.requests.failureRate == 4)
    #expect(server.requests.failureBurst == 5)
    #expect(server.trustedProxies == 2)
    #expect(try await settings([]).server.trustedProxies == 0)
    for arguments in [["--trusted-proxies", "17"], ["--address-rate", "0"], ["--failure-burst", "0"]] {
      await #expect(throws: ServeFailure.self, "\(arguments)") { try await settings(arguments) }
    }
  }

  @Test func `Owners keep idle workers: two for each worker, and at least four`() async throws {
    #expect(try await settings(["--workers", "1"]).engine.idleWorkers == 4)
    #expect(try await settings(["--workers", "8"]).engine.idleWorkers == 16)
  }

  @Test func `The report of an erasure states the days of backups, if the administrator states them`() async throws {
    #expect(try await settings([]).service.backupDays == nil)
    #expect(try await settings(["--backup-days", "30"]).service.backupDays == 30)
    #expect(try await settings([], ["MEDIATOOL_BACKUP_DAYS": "0"]).service.backupDays == 0)
    await #expect(throws: ServeFailure.self) { try await settings(["--backup-days", "40000"]) }
  }

  @Test(arguments: [
    ("127.0.0.1:80", "127.0.0.1", 80), ("[::1]:9000", "::1", 9000), (":8080", "0.0.0.0", 8080),
    ("9000", "127.0.0.1", 9000),
    ("media.example:443", "media.example", 443), ("localhost:0", "localhost", 0),
  ])
  func `An address is a host and a port`(text: String, host: String, port: Int) async throws {
    let settings = try await settings(["--listen", text])
    #expect(settings.server.host == host)
    #expect(settings.server.port == port)
  }

  @Test(arguments: [
    ["--listen", "127.0.0.1"], ["--listen", "::1"], ["--listen", "a:65536"], ["--listen", ""], ["--listen"],
    ["--unknown", "1"],
    ["--listen=a:1=2"], ["file"], ["-h"], ["--rate", "fast"], ["--rate", "0"], ["--rate", "nan"], ["--workers", "0"],
    ["--workers", "2.5"], ["--max-connections", "x"], ["--print-config=yes"], ["--interim-responses", "maybe"],
    ["--log-level", "loud"], ["--tls-key", "key.pem"], ["--keys", "/nowhere"], ["--policy", "nothing"],
    ["--owner", ""],
    ["--clamd", "nowhere"], ["--clamd", "unix:relative"], ["--scan-policy", "hold"], ["--clamd-max-bytes", "5"],
    ["--originals", "remove"], ["--copy", ""], ["--adopt-copy"],
    ["--library", ""], ["--config", "/nowhere"], ["--shutdown-seconds", "-1"],
  ])
  func `A mistake is refused with status 64 and names its setting`(arguments: [String]) async throws {
    let failure = await #expect(throws: ServeFailure.self) { try await settings(arguments) }
    #expect(failure?.status == 64)
    let name = arguments[0].drop { $0 == "-" }.prefix { $0 != "-" && $0 != "=" }
    #expect(failure?.message.contains(name) == true, "\(failure?.message ?? "")")
  }

  @Test func `A policy that is no preset and no file is refused with the presets`() async throws {
    let failure = await #expect(throws: ServeFailure.self) { try await settings(["--policy", "mms300k"]) }
    let expected = "the policy mms300k is neither a preset nor an existing file; presets are photo-tray, mattermost"
    #expect(failure?.message.hasPrefix(expected) == true, "\(failure?.message ?? "")")
  }

  @Test(arguments: [
    ("{", "it is not JSON"), (#"{"maxAttachment": 3}"#, "maxAttachment"),
    (#"{"maxAttachments": -1}"#, "`maxAttachments` is invalid: a limit must be 0 or more, but is -1"),
    (#"{"maxAttachments": "3"}"#, "`maxAttachments` has the wrong type"),
  ])
  func `A policy file that cannot be used is named with what is wrong in it`(json: String, reason: String) async throws
  {
    let folder = try TemporaryFolder()
    let file = try folder.write(Array(json.utf8), to: "rules.json")
    let failure = await #expect(throws: ServeFailure.self) { try await settings(["--policy", file]) }
    let message = failure?.message ?? ""
    #expect(message.hasPrefix("the policy file \(file) is invalid: "), "\(message)")
    #expect(message.contains(reason), "\(message)")
  }

  @Test func `A key file that cannot be used is named with the key that is wrong`() async throws {
    let secret = Data([UInt8](repeating: 7, count: 32)).base64EncodedString()
    let key = #"{"kid": "ops", "alg": "HS256", "secret": "\#(secret)"}"#
    let json = #"{"tokens": [\#(key), \#(key)]}"#
    let folder = try TemporaryFolder()
    let file = try folder.write(Array(json.utf8), to: "keys.json")
    let failure = await #expect(throws: ServeFailure.self) { try await settings(["--keys", file]) }
    #expect(
      failure?.message
        == "the file of the setting keys, \(file), cannot be used: two keys in \"tokens\" have the kid ops")
    let text = await #expect(throws: ServeFailure.self) { try await settings([], ["MEDIATOOL_KEYS_JSON": json]) }
    #expect(text?.message == "the setting keysJson cannot be used: two keys in \"tokens\" have the kid ops")
  }

  @Test(arguments: [
    #"{"owner": 1}"#, #"{"rate": "fast"}"#, #"{"hosts": "a"}"#, #"{"unknown": 1}"#, "[]", "{", #"{"workers": 1.5}"#,
    #"{"printConfig": true}"#,
  ])
  func `A mistake in the file is refused`(json: String) async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(Array(json.utf8), to: "serve.json")
    await #expect(throws: ServeFailure.self) { try await settings(["--config", file]) }
  }

  @Test func `Files are scanned if a clamd is named, and held until they are clean unless the policy is another`()
    async throws
  {
    #expect(try await settings([]).service.scanning == nil)
    let read = try await settings([], ["MEDIATOOL_CLAMD": "unix:/run/clamav/clamd.ctl"])
    #expect(read.service.scanning?.policy == .hold)
    let scanner = try #require(read.service.scanning?.scanner as? ClamdScanner)
    #expect(scanner.configuration.address.description == "unix:/run/clamav/clamd.ctl")
    #expect(scanner.configuration.maxBytes == 104_857_600)
    let flags = try await settings(
      ["--clamd", "tcp:127.0.0.1:3310", "--clamd-max-bytes", "5", "--scan-policy", "refuse"])
    #expect(flags.service.scanning?.policy == .refuse)
    #expect((flags.service.scanning?.scanner as? ClamdScanner)?.configuration.maxBytes == 5)
    await #expect(throws: ServeFailure.self) {
      try await settings(["--clamd", "tcp:127.0.0.1:3310", "--scan-policy", "maybe"])
    }
  }

  @Test func `The copy of the library is a flag, a variable and a key of the file`() async throws {
    #expect(try await settings([]).service.libraryOptions.copy == nil)
    let flags = try await settings(["--copy", "/mnt/second", "--adopt-copy", "--print-config"])
    #expect(flags.service.libraryOptions.copy == PathBytes("/mnt/second"))
    #expect(flags.service.libraryOptions.adoptsCopy)
    #expect(flags.printed.contains(#""adoptCopy" : "true""#))
    #expect(flags.printed.contains(#""copy" : "/mnt/second""#))
    let variables = try await settings([], ["MEDIATOOL_COPY": "/mnt/third", "MEDIATOOL_ADOPT_COPY": "false"])
    #expect(variables.service.libraryOptions.copy == PathBytes("/mnt/third"))
    #expect(!variables.service.libraryOptions.adoptsCopy)
    let folder = try TemporaryFolder()
    let file = try folder.write(Array(#"{"copy": "/mnt/fourth", "adoptCopy": true}"#.utf8), to: "serve.json")
    let read = try await settings(["--config", file]).service.libraryOptions
    #expect(read.copy == PathBytes("/mnt/fourth"))
    #expect(read.adoptsCopy)
  }

  @Test func `Originals keep their metadata unless a rule strips or refuses it`() async throws {
    #expect(try await settings([]).service.originals == .keep)
    #expect(try await settings(["--originals", "strip"]).service.originals == .strip)
    #expect(try await settings([], ["MEDIATOOL_ORIGINALS": "refuse"]).service.originals == .refuse)
  }

  @Test func `A variable that is no setting is a warning`() async throws {
    let settings = try await settings([], ["MEDIATOOL_LISTENER": "x", "MEDIATOOL_PRINT_CONFIG": "true", "OTHER": "y"])
    let warning = " is not a setting and is ignored; `mediatool serve --help` lists the settings"
    #expect(
      settings.warnings
        == ["MEDIATOOL_LISTENER", "MEDIATOOL_PRINT_CONFIG"].map { "the environment variable \($0)\(warning)" })
  }

  @Test func `The help of serve has the flags of the server, and no others`() async throws {
    let tool = Tool(executable: URL(fileURLWithPath: BuiltProduct.path("mediatool")))
    let help = String(decoding: try tool.output(["serve", "--help"]), as: UTF8.self)
    let flags = Set(ServeSetting.all.filter { !$0.isSecret }.map(\.flag))
    let shown = Set(help.matches(of: /^ +(--[a-z-]+)/.anchorsMatchLineEndings()).map { String($0.1) }).subtracting([
      "--version"
    ])
    #expect(shown == flags)
  }
}
