/// A setting of `mediatool serve`: a flag, an environment variable and a key of the configuration file.
struct ServeSetting: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case text
    case integer
    /// A number of seconds or a rate; may have a fraction.
    case number
    /// Several values: a flag given several times, values with commas in the environment, an array in the file.
    case list
    /// On or off; the flag takes no value.
    case toggle
  }

  /// The key of the configuration file, such as `ownerBytes`.
  let name: String
  let kind: Kind
  /// Whether its value is never printed.
  var isSecret = false
  /// Whether the command line alone has it.
  var isFlagOnly = false

  /// `--owner-bytes`
  var flag: String { "--" + words.joined(separator: "-") }
  /// `MEDIATOOL_OWNER_BYTES`
  var variable: String { "MEDIATOOL_" + words.joined(separator: "_").uppercased() }

  private var words: [String] {
    var words = [""]
    for character in name {
      if character.isUppercase { words.append("") }
      words[words.count - 1].append(contentsOf: character.lowercased())
    }
    return words
  }

  /// All of them, in the order of `--print-config`.
  static let all: [ServeSetting] = [
    ServeSetting(name: "config", kind: .text),
    ServeSetting(name: "listen", kind: .text),
    ServeSetting(name: "library", kind: .text),
    ServeSetting(name: "copy", kind: .text),
    ServeSetting(name: "adoptCopy", kind: .toggle),
    ServeSetting(name: "policy", kind: .text),
    ServeSetting(name: "keys", kind: .text),
    ServeSetting(name: "keysJson", kind: .text, isSecret: true),
    ServeSetting(name: "accessUrl", kind: .text),
    ServeSetting(name: "accessToken", kind: .text, isSecret: true),
    ServeSetting(name: "reviewUrl", kind: .text),
    ServeSetting(name: "reviewToken", kind: .text, isSecret: true),
    ServeSetting(name: "reportThreshold", kind: .integer),
    ServeSetting(name: "clamd", kind: .text),
    ServeSetting(name: "clamdMaxBytes", kind: .integer),
    ServeSetting(name: "scanPolicy", kind: .text),
    ServeSetting(name: "originals", kind: .text),
    ServeSetting(name: "similarImages", kind: .text),
    ServeSetting(name: "owner", kind: .text),
    ServeSetting(name: "hosts", kind: .list),
    ServeSetting(name: "origins", kind: .list),
    ServeSetting(name: "trustedProxies", kind: .integer),
    ServeSetting(name: "tlsCertificate", kind: .text),
    ServeSetting(name: "tlsKey", kind: .text),
    ServeSetting(name: "interimResponses", kind: .text),
    ServeSetting(name: "workers", kind: .integer),
    ServeSetting(name: "allowWeakerIsolation", kind: .toggle),
    ServeSetting(name: "ownerBytes", kind: .integer),
    ServeSetting(name: "ownerFiles", kind: .integer),
    ServeSetting(name: "openUploads", kind: .integer),
    ServeSetting(name: "freeBytes", kind: .integer),
    ServeSetting(name: "backupDays", kind: .integer),
    ServeSetting(name: "maxConnections", kind: .integer),
    ServeSetting(name: "maxRequests", kind: .integer),
    ServeSetting(name: "maxUploads", kind: .integer),
    ServeSetting(name: "maxStreams", kind: .integer),
    ServeSetting(name: "maxWork", kind: .integer),
    ServeSetting(name: "maxWorkPerOwner", kind: .integer),
    ServeSetting(name: "maxMessageBytes", kind: .integer),
    ServeSetting(name: "maxMessageBytesPerOwner", kind: .integer),
    ServeSetting(name: "maxWaiting", kind: .integer),
    ServeSetting(name: "hotBytes", kind: .integer),
    ServeSetting(name: "rate", kind: .number),
    ServeSetting(name: "burst", kind: .number),
    ServeSetting(name: "addressRate", kind: .number),
    ServeSetting(name: "addressBurst", kind: .number),
    ServeSetting(name: "failureRate", kind: .number),
    ServeSetting(name: "failureBurst", kind: .number),
    ServeSetting(name: "drainSeconds", kind: .number),
    ServeSetting(name: "shutdownSeconds", kind: .number),
    ServeSetting(name: "logLevel", kind: .text),
    ServeSetting(name: "printConfig", kind: .toggle, isFlagOnly: true),
  ]

  /// The setting that a flag such as `--port` sets; nil if there is none.
  static func of(flag: some StringProtocol) -> ServeSetting? { all.first { $0.flag == flag } }
}

/// Why `mediatool serve` does not start: one sentence for the administrator, and an exit status.
struct ServeFailure: Error, Hashable {
  /// 64 for a mistake in the settings, 70 for a fault of the machine.
  var status: Int32
  var message: String

  static func usage(_ message: String) -> ServeFailure { ServeFailure(status: 64, message: message) }
  static func software(_ message: String) -> ServeFailure { ServeFailure(status: 70, message: message) }
}
