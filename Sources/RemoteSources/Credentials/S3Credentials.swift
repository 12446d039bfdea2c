public import Foundation

/// The keys of an account or a session at an S3 service.
public struct S3Credentials: Hashable, Sendable, CustomStringConvertible {
  /// The access key ID, which each request states.
  public var accessKey: String
  /// The secret access key, which signs requests and is never sent.
  public var secretKey: String
  /// The token of a session; nil for the keys of an account.
  public var sessionToken: String?
  /// When the keys of a session end; nil if that is not known.
  public var expires: Date?

  /// Keys with these parts.
  public init(accessKey: String, secretKey: String, sessionToken: String? = nil, expires: Date? = nil) {
    self.accessKey = accessKey
    self.secretKey = secretKey
    self.sessionToken = sessionToken
    self.expires = expires
  }

  /// The public part alone, so that no log has the secret.
  public var description: String { "S3Credentials(\(accessKey))" }
}

/// The settings for S3 that users of the AWS command line have: variables of the environment, then the profile's files.
struct S3Profile: Hashable, Sendable {
  var credentials: S3Credentials?
  var region: String?
  var endpoint: String?

  /// Reads them.
  /// - Parameters:
  ///   - environment: The variables of the process.
  ///   - read: The text of a file; nil if it cannot be read.
  init(environment: [String: String], read: (String) -> String?) {
    func variable(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    let home = variable("HOME") ?? ""
    let named = variable("AWS_PROFILE") ?? variable("AWS_DEFAULT_PROFILE")
    let profile = named ?? "default"
    let shared = ProfileFile(read(variable("AWS_SHARED_CREDENTIALS_FILE") ?? "\(home)/.aws/credentials") ?? "")
    let config = ProfileFile(read(variable("AWS_CONFIG_FILE") ?? "\(home)/.aws/config") ?? "")
    let keys = shared.sections[profile] ?? [:]
    let settings = config.sections["profile \(profile)"] ?? config.sections[profile] ?? [:]
    let fromVariables = Self.credentials(
      variable("AWS_ACCESS_KEY_ID"), variable("AWS_SECRET_ACCESS_KEY"), variable("AWS_SESSION_TOKEN"))
    let fromFiles =
      [keys, settings].compactMap {
        Self.credentials($0["aws_access_key_id"], $0["aws_secret_access_key"], $0["aws_session_token"])
      }.first
    // A named profile comes first, as in the AWS command line.
    credentials = named == nil ? fromVariables ?? fromFiles : fromFiles ?? fromVariables
    region = variable("AWS_REGION") ?? variable("AWS_DEFAULT_REGION") ?? settings["region"] ?? keys["region"]
    endpoint = variable("AWS_ENDPOINT_URL_S3") ?? variable("AWS_ENDPOINT_URL") ?? settings["endpoint_url"]
  }

  private static func credentials(_ access: String?, _ secret: String?, _ token: String?) -> S3Credentials? {
    guard let access, let secret, !access.isEmpty, !secret.isEmpty else { return nil }
    return S3Credentials(accessKey: access, secretKey: secret, sessionToken: token)
  }
}

/// A credentials or config file of AWS: sections in brackets, with lines `name = value`.
struct ProfileFile: Hashable, Sendable {
  /// The settings of each section.
  let sections: [String: [String: String]]

  init(_ text: String) {
    var sections: [String: [String: String]] = [:]
    var section = ""
    for line in text.split(whereSeparator: \.isNewline) {
      // Indented lines are settings of settings.
      guard let first = line.first, !first.isWhitespace, first != "#", first != ";" else { continue }
      if first == "[" {
        section = line.dropFirst().prefix { $0 != "]" }.split(separator: " ").joined(separator: " ")
        sections[section] = sections[section] ?? [:]
      } else if let equals = line.firstIndex(of: "=") {
        let name = line[..<equals].trimmingCharacters(in: .whitespaces).lowercased()
        let value = line[line.index(after: equals)...].trimmingCharacters(in: .whitespaces)
        sections[section, default: [:]][name] = value
      }
    }
    self.sections = sections
  }
}
