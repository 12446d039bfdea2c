internal import Configuration

/// Reads settings, flags before variables before the file, and refuses values of a wrong kind.
///
/// swift-configuration returns nil for a value that it cannot convert, so a mistyped limit would silently be the default.
struct SettingReader {
  let reader: ConfigReader

  func text(_ name: String) throws(ServeFailure) -> String? {
    if let value = reader.string(forKey: ConfigKey([name])) { return value }
    if isSet(name) { throw .usage("the setting \(name) must be text") }
    return nil
  }

  func integer(_ name: String, _ range: ClosedRange<Int>) throws(ServeFailure) -> Int? {
    let value = reader.int(forKey: ConfigKey([name])) ?? reader.string(forKey: ConfigKey([name])).flatMap { Int($0) }
    guard let value else {
      if isSet(name) { throw .usage("the setting \(name) must be a whole number") }
      return nil
    }
    guard range.contains(value) else {
      throw .usage("the setting \(name) is \(value); it must be from \(range.lowerBound) to \(range.upperBound)")
    }
    return value
  }

  func number(_ name: String, _ range: ClosedRange<Double>) throws(ServeFailure) -> Double? {
    let key = ConfigKey([name])
    let value =
      reader.double(forKey: key) ?? reader.int(forKey: key).map(Double.init)
      ?? reader.string(forKey: key).flatMap { Double($0) }
    guard let value, value.isFinite else {
      if isSet(name) { throw .usage("the setting \(name) must be a number") }
      return nil
    }
    guard range.contains(value) else {
      throw .usage("the setting \(name) is \(value); it must be from \(range.lowerBound) to \(range.upperBound)")
    }
    return value
  }

  func list(_ name: String) throws(ServeFailure) -> [String]? {
    if let values = reader.stringArray(forKey: ConfigKey([name])) { return values }
    if isSet(name) { throw .usage("the setting \(name) must be a list") }
    return nil
  }

  func toggle(_ name: String) throws(ServeFailure) -> Bool {
    if let value = reader.bool(forKey: ConfigKey([name])) { return value }
    if isSet(name) { throw .usage("the setting \(name) must be true or false") }
    return false
  }

  private func isSet(_ name: String) -> Bool {
    let key = ConfigKey([name])
    return reader.string(forKey: key) != nil || reader.int(forKey: key) != nil || reader.double(forKey: key) != nil
      || reader.bool(forKey: key) != nil || reader.stringArray(forKey: key) != nil
      || reader.intArray(forKey: key) != nil
  }
}
