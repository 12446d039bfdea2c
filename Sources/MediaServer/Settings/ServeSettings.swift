internal import AttachmentPolicy
internal import Configuration
internal import FileSupport
internal import Foundation
internal import Logging
internal import MalwareScanning
internal import MediaEngine
internal import MediaLibrary
internal import MediaService

/// The settings of `mediatool serve`: defaults, then the file, then `MEDIATOOL_…` variables, then flags.
struct ServeSettings {
  var server = MediaServer.Configuration()
  var service: MediaService.Configuration
  var engine = MediaEngine.Configuration()
  var logLevel = Logger.Level.info
  /// The application that is asked whether somebody may read an attachment. Only a server makes its client, which has to be shut down.
  var access: (url: String, token: String?)?
  /// The application that is asked whether an upload may be shown.
  var review: (url: String, token: String?)?
  /// Whether the settings are printed instead of used.
  var isPrinting = false
  /// What the administrator should know before the start.
  var warnings: [String] = []
  /// The values that are not defaults, for `--print-config`.
  private var stated: [String: String] = [:]

  /// Reads the settings of a command line and an environment.
  init(arguments: [String], environment: [String: String]) async throws(ServeFailure) {
    let flags = InMemoryProvider(name: "flags", values: try ServeArguments.values(of: arguments))
    let (variables, unknown) = ServeArguments.variables(of: try SecretFiles.resolve(environment))
    var providers: [any ConfigProvider] = [flags, EnvironmentVariablesProvider(environmentVariables: variables)]
    if let path = try SettingReader(reader: ConfigReader(providers: providers)).text("config") {
      providers.append(try await Self.file(path))
    }
    let read = SettingReader(reader: ConfigReader(providers: providers))
    service = MediaService.Configuration(library: try Self.library(try read.text("library"), environment))
    warnings = unknown.map {
      "the environment variable \($0) is not a setting and is ignored; `mediatool serve --help` lists the settings"
    }
    try applyCopy(read)
    try apply(read)
    for setting in ServeSetting.all where !setting.isFlagOnly {
      let value =
        switch setting.kind {
        case .list: try read.list(setting.name)?.joined(separator: ",")
        case .toggle: try read.toggle(setting.name) ? "true" : nil
        case .integer: try read.integer(setting.name, .min ... .max).map { "\($0)" }
        case .number:
          try read.number(setting.name, -.greatestFiniteMagnitude ... .greatestFiniteMagnitude).map { "\($0)" }
        case .text: try read.text(setting.name)
        }
      if let value { stated[setting.name] = setting.isSecret ? "<secret>" : Self.masked(value) }
    }
  }

  private mutating func applyCopy(_ read: SettingReader) throws(ServeFailure) {
    let (copy, adopts) = (try read.text("copy"), try read.toggle("adoptCopy"))
    guard let copy else {
      if adopts { throw .usage("--adopt-copy needs --copy") }
      return
    }
    guard !copy.isEmpty else { throw .usage("the setting copy is empty") }
    (service.libraryOptions.copy, service.libraryOptions.adoptsCopy) = (PathBytes(copy), adopts)
  }

  private mutating func apply(_ read: SettingReader) throws(ServeFailure) {
    if let listen = try read.text("listen") { (server.host, server.port) = try Self.address(listen) }
    if let policy = try read.text("policy") { service.rules = try Self.rules(policy) }
    server.keysFile = try read.text("keys")
    server.keys = try Self.keys(path: server.keysFile, json: try read.text("keysJson"))
    service.signingKeys = try Self.signingKeys(server.keys)
    if let url = try read.text("accessUrl") {
      guard HTTPAccessPolicy.address(url) != nil else {
        throw .usage("the setting accessUrl must be an http or https URL without a query or fragment")
      }
      access = (url, try read.text("accessToken"))
    }
    if let url = try read.text("reviewUrl") {
      guard HTTPAccessPolicy.address(url) != nil else {
        throw .usage("the setting reviewUrl must be an http or https URL without a query or fragment")
      }
      review = (url, try read.text("reviewToken"))
    }
    service.limits.reportThreshold = try read.integer("reportThreshold", 1...1_000_000)
    service.scanning = try Self.scanning(read)
    if let text = try read.text("originals") {
      guard let rule = MediaService.OriginalMetadata(rawValue: text) else {
        throw .usage("the setting originals is '\(text)'; it must be keep, strip or refuse")
      }
      service.originals = rule
    }
    if let text = try read.text("similarImages") {
      guard let rule = MediaService.SimilarImages(rawValue: text) else {
        throw .usage("the setting similarImages is '\(text)'; it must be ignore, hold or refuse")
      }
      service.similarImages = rule
    }
    if let owner = try read.text("owner") {
      guard !owner.isEmpty, owner.utf8.count <= 255 else { throw .usage("the setting owner must have 1 to 255 bytes") }
      server.owner = owner
    }
    server.hosts = Set((try read.list("hosts") ?? []).map { $0.lowercased() })
    server.origins = Set(try read.list("origins") ?? [])
    server.trustedProxies = try read.integer("trustedProxies", 0...16) ?? 0
    server.tls = try Self.tls(certificate: try read.text("tlsCertificate"), key: try read.text("tlsKey"))
    if let text = try read.text("interimResponses") {
      guard let value = MediaServer.InterimResponses(rawValue: text) else {
        throw .usage("the setting interimResponses is '\(text)'; it must be auto, on or off")
      }
      server.interimResponses = value
    }
    if let text = try read.text("logLevel") {
      guard let level = Logger.Level(rawValue: text) else {
        throw .usage(
          "the setting logLevel is '\(text)'; it must be trace, debug, info, notice, warning, error or critical")
      }
      logLevel = level
    }
    let workers = try read.integer("workers", 1...1_024) ?? ProcessInfo.processInfo.activeProcessorCount
    engine.kind = .workers(count: workers)
    // A forgotten domain is slow instead of unsafe, and a change of owners takes a ready worker.
    engine.domain = .isolated
    engine.spares = workers
    // Owners who upload at the same time keep their workers between the jobs of a file.
    engine.idleWorkers = max(4, 2 * workers)
    // Half of an engine's default: an accepted request waits for at most two others per worker, and for the jobs of uploads and compositions that came
    // first. Those have limits of their own and do not count here.
    engine.waiting = try read.integer("maxWaiting", 0...1_000_000) ?? 2 * workers
    engine.allowsWeakerIsolation = try read.toggle("allowWeakerIsolation")
    isPrinting = try read.toggle("printConfig")
    try applyLimits(read)
  }

  private mutating func applyLimits(_ read: SettingReader) throws(ServeFailure) {
    let any = 0...Int.max
    let some = 1...1_000_000
    service.limits.ownerBytes = try read.integer("ownerBytes", any) ?? service.limits.ownerBytes
    service.limits.ownerFiles = try read.integer("ownerFiles", any) ?? service.limits.ownerFiles
    service.limits.openUploads = try read.integer("openUploads", some) ?? service.limits.openUploads
    service.limits.freeBytes = try read.integer("freeBytes", any) ?? service.limits.freeBytes
    service.backupDays = try read.integer("backupDays", 0...36_500)
    server.connections.count = try read.integer("maxConnections", some) ?? server.connections.count
    server.requests.others = try read.integer("maxRequests", some) ?? server.requests.others
    server.requests.uploads = try read.integer("maxUploads", some) ?? server.requests.uploads
    server.requests.streams = try read.integer("maxStreams", some) ?? server.requests.streams
    server.requests.work = try read.integer("maxWork", some) ?? server.requests.work
    server.requests.workPerOwner = try read.integer("maxWorkPerOwner", some) ?? server.requests.workPerOwner
    let bytes = 1...Int.max
    server.requests.messageBytes = try read.integer("maxMessageBytes", bytes) ?? server.requests.messageBytes
    server.requests.messageBytesPerOwner =
      try read.integer("maxMessageBytesPerOwner", bytes) ?? server.requests.messageBytesPerOwner
    server.hotBytes = try read.integer("hotBytes", any) ?? server.hotBytes
    server.requests.rate = try read.number("rate", 0.001...1e9) ?? server.requests.rate
    server.requests.burst = try read.number("burst", 1...1e9) ?? server.requests.burst
    let (rates, bursts) = (0.001...1e9, 1.0...1e9)
    server.requests.addressRate = try read.number("addressRate", rates) ?? server.requests.addressRate
    server.requests.addressBurst = try read.number("addressBurst", bursts) ?? server.requests.addressBurst
    server.requests.failureRate = try read.number("failureRate", rates) ?? server.requests.failureRate
    server.requests.failureBurst = try read.number("failureBurst", bursts) ?? server.requests.failureBurst
    server.drainSeconds = try read.number("drainSeconds", 0...600) ?? server.drainSeconds
    server.shutdownSeconds = try read.number("shutdownSeconds", 0...600) ?? server.shutdownSeconds
  }

  /// The settings that are not defaults, as JSON; secrets are masked.
  var printed: String {
    var all = stated
    all["listen"] = all["listen"] ?? "\(server.host):\(server.port)"
    all["library"] = all["library"] ?? service.library.data.description
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(all)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
  }
}

extension ServeSettings {
  /// A text without the user and the password of an address in it.
  static func masked(_ text: String) -> String {
    guard let scheme = text.range(of: "://") else { return text }
    let rest = text[scheme.upperBound...]
    // A password may have any of the characters that end an authority, so the last @ counts; too much is masked rather than too little.
    guard let at = rest.lastIndex(of: "@") else { return text }
    return text[..<scheme.upperBound] + "<secret>" + rest[at...]
  }

  /// The scanner of uploads; nil without one.
  private static func scanning(_ read: SettingReader) throws(ServeFailure) -> MediaService.Scanning? {
    let (maxBytes, policy) = (try read.integer("clamdMaxBytes", 1...Int.max), try read.text("scanPolicy"))
    guard let text = try read.text("clamd") else {
      guard maxBytes == nil, policy == nil else { throw .usage("--clamd-max-bytes and --scan-policy need --clamd") }
      return nil
    }
    guard let address = ClamdScanner.Address(text) else {
      throw .usage("the setting clamd is '\(text)'; it must be unix: with an absolute path, or tcp:HOST:PORT")
    }
    var configuration = ClamdScanner.Configuration(address)
    if let maxBytes { configuration.maxBytes = maxBytes }
    var scanning = MediaService.Scanning(ClamdScanner(configuration))
    if let policy {
      guard let value = MediaService.Scanning.Policy(rawValue: policy) else {
        throw .usage("the setting scanPolicy is '\(policy)'; it must be hold, refuse or allow")
      }
      scanning.policy = value
    }
    return scanning
  }

  /// `127.0.0.1:8080`, `[::1]:8080`, `:8080` for every address, or a port alone on loopback.
  static func address(_ text: String) throws(ServeFailure) -> (String, Int) {
    let wrong = ServeFailure.usage(
      "the setting listen is '\(text)'; it must be HOST:PORT, :PORT or a port, such as 127.0.0.1:8080")
    if let port = UInt16(text) { return ("127.0.0.1", Int(port)) }
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else { throw wrong }
    var host = String(text[..<colon])
    if host.isEmpty { host = "0.0.0.0" }
    if host.hasPrefix("["), host.hasSuffix("]") {
      host = String(host.dropFirst().dropLast())
    } else if host.contains(":") {
      throw wrong
    }
    return (host, Int(port))
  }

  private static func library(
    _ path: String?, _ environment: [String: String]
  ) throws(ServeFailure) -> LibraryLocation {
    if let path {
      guard !path.isEmpty else { throw .usage("the setting library is empty") }
      return LibraryLocation(folder: PathBytes(path))
    }
    guard let standard = LibraryLocation.standard(environment: environment) else {
      throw .usage(
        "cannot find the user's library: HOME is unset or not an absolute path; name a folder with --library")
    }
    return standard
  }

  private static func rules(_ policy: String) throws(ServeFailure) -> AttachmentRules {
    if let preset = AttachmentRules.Preset(rawValue: policy) { return preset.rules }
    guard FileManager.default.fileExists(atPath: policy) else {
      let presets = AttachmentRules.Preset.allCases.map(\.rawValue).joined(separator: ", ")
      throw .usage("the policy \(policy) is neither a preset nor an existing file; presets are \(presets)")
    }
    let bytes = try contents(of: policy, "policy")
    do { return try JSONDecoder().decode(AttachmentRules.self, from: bytes) } catch {
      throw .usage("the policy file \(policy) is invalid: \(JSONBody.reason(error, in: bytes))")
    }
  }

  private static func keys(path: String?, json: String?) throws(ServeFailure) -> KeyFile? {
    do throws(KeyFile.Failure) {
      switch (path, json) {
      case (nil, nil): return nil
      case (nil, .some(let json)): return try KeyFile(json: Array(json.utf8))
      case (.some(let path), nil): return try KeyFile(path: path)
      default: throw KeyFile.Failure("both keys and keysJson are set; remove one")
      }
    } catch {
      throw .usage(
        "\(path.map { "the file of the setting keys, \($0)," } ?? "the setting keysJson") cannot be used: \(error)")
    }
  }

  private static func signingKeys(_ keys: KeyFile?) throws(ServeFailure) -> SigningKeys? {
    do throws(KeyFile.Failure) { return try keys?.signingKeys() } catch {
      throw .usage("the setting keys cannot be used: \(error)")
    }
  }

  private static func contents(of path: String, _ name: String) throws(ServeFailure) -> Data {
    do { return try Data(contentsOf: URL(fileURLWithPath: path)) } catch {
      throw .usage("the file of the setting \(name), \(path), cannot be read; check its name and permissions")
    }
  }

  private static func tls(certificate: String?, key: String?) throws(ServeFailure) -> MediaServer.TLSFiles? {
    switch (certificate, key) {
    case (nil, nil): return nil
    case (.some(let certificate), .some(let key)): return MediaServer.TLSFiles(certificate: certificate, key: key)
    default: throw .usage("HTTPS needs both --tls-certificate and --tls-key")
    }
  }

  /// The configuration file; a key that is no setting is a mistake.
  private static func file(_ path: String) async throws(ServeFailure) -> any ConfigProvider {
    let bytes = try contents(of: path, "config")
    guard let object = (try? JSONSerialization.jsonObject(with: bytes)) as? [String: Any] else {
      throw .usage("the configuration file \(path) is not a JSON object")
    }
    let names = Set(ServeSetting.all.filter { !$0.isFlagOnly && $0.name != "config" }.map(\.name))
    if let unknown = object.keys.sorted().first(where: { !names.contains($0) }) {
      throw .usage("the configuration file \(path) has the key '\(unknown)', which is not a setting")
    }
    // Named by a setting, for the type of a path is another package's.
    let place = InMemoryProvider(values: [AbsoluteConfigKey(["filePath"]): ConfigValue(.string(path), isSecret: false)])
    do { return try await FileProvider<JSONSnapshot>(config: ConfigReader(provider: place)) } catch {
      throw .usage("the configuration file \(path) cannot be used: \(error)")
    }
  }
}
