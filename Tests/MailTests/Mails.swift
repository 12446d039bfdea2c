internal import Mail

/// A mail of lines; they end with CRLF.
func mail(_ lines: String...) -> [UInt8] { Array(lines.joined(separator: "\r\n").utf8) }

extension MailStructure {
  /// Section and type of every part, to compare lists at a glance.
  var outline: [String] { parts.map { "\($0.section) \($0.type)" } }
  /// Section and role of every part that has a role.
  var roles: [String] { parts.compactMap { part in part.role.map { "\(part.section) \($0)" } } }
}
