internal import Configuration

/// The command line of the server: flags with their values, nothing else.
///
/// The provider of swift-configuration ignores unknown flags, and splits values at commas, which are legal in paths.
enum ServeArguments {
  /// - Parameter arguments: Without the program's name; a first word `serve` is skipped, for `mediatool serve` becomes this program with its arguments.
  static func values(of arguments: [String]) throws(ServeFailure) -> [AbsoluteConfigKey: ConfigValue] {
    var lists: [String: [String]] = [:]
    var values: [AbsoluteConfigKey: ConfigValue] = [:]
    var rest = arguments[...]
    if rest.first == "serve" { rest = rest.dropFirst() }
    while let argument = rest.popFirst() {
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard argument.hasPrefix("--"), let setting = ServeSetting.of(flag: parts[0]) else {
        throw .usage("'\(argument)' is not an option of serve; `mediatool serve --help` lists them")
      }
      let key = AbsoluteConfigKey([setting.name])
      if setting.kind == .toggle {
        guard parts.count == 1 else { throw .usage("\(setting.flag) takes no value") }
        values[key] = true
        continue
      }
      guard let value = parts.count == 2 ? String(parts[1]) : rest.popFirst() else {
        throw .usage("\(setting.flag) needs a value")
      }
      if setting.kind == .list {
        lists[setting.name, default: []].append(value)
        values[key] = ConfigValue(.stringArray(lists[setting.name] ?? []), isSecret: false)
      } else {
        // Text, whatever the kind: the reader converts it, and names the setting if it cannot.
        values[key] = ConfigValue(.string(value), isSecret: setting.isSecret)
      }
    }
    return values
  }

  /// The variables of ours without their prefix, and the names of those that no setting has.
  static func variables(of environment: [String: String]) -> (known: [String: String], unknown: [String]) {
    let prefix = "MEDIATOOL_"
    let names = Set(ServeSetting.all.filter { !$0.isFlagOnly }.map(\.variable))
    var known: [String: String] = [:]
    var unknown: [String] = []
    for (name, value) in environment where name.hasPrefix(prefix) {
      if names.contains(name) { known[String(name.dropFirst(prefix.count))] = value } else { unknown.append(name) }
    }
    return (known, unknown.sorted())
  }
}
