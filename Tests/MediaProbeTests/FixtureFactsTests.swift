internal import Foundation
internal import MediaModel
internal import MediaProbe
internal import TestSupport
internal import Testing

/// The facts that testdata's files have by construction, compared with what the probe finds.
@Suite struct FixtureFactsTests {
  @Test(arguments: Fixture.all.filter { $0.facts != nil })
  func `The probe finds what the file was made with`(fixture: Fixture) throws {
    let info = MediaProber().facts(ofFile: fixture.absolutePath)
    let found = try JSONDecoder().decode(JSONValue.self, from: JSONEncoder().encode(info))
    let differences = FactComparison.differences(expected: .object(fixture.facts ?? [:]), found: found)
    #expect(differences.isEmpty, "\(fixture.path) (\(fixture.proves)): \(differences.joined(separator: "; "))")
  }

  @Test(arguments: Fixture.all)
  func `The probe counts the bytes of every file`(fixture: Fixture) throws {
    let info = MediaProber().facts(ofFile: fixture.absolutePath)
    #expect(info.bytes == (try Fixture.bytes(fixture.path).count))
  }
}

/// Compares facts key by key. What the register does not mention may be anything; a null there wants no such key.
enum FactComparison {
  /// Seconds: tools count the padding of a last audio frame differently.
  private static let tolerances = [
    "duration": 0.06, "frameRate": 0.01, "latitude": 1e-5, "longitude": 1e-5, "altitude": 0.01,
  ]

  /// One line for each fact that is not as expected.
  static func differences(expected: JSONValue, found: JSONValue?, key: String = "") -> [String] {
    switch (expected, found) {
    case (.null, nil), (.null, .null?):
      return []
    case (.object(let expected), .object(let found)?):
      return expected.keys.sorted().flatMap { name in
        differences(
          expected: expected[name] ?? .null, found: found[name], key: key.isEmpty ? name : "\(key).\(name)")
      }
    case (.number(let expected), .number(let found)?):
      if abs(expected - found) <= (tolerances[key] ?? 0) { return [] }
    case (let expected, let found?):
      if expected == found { return [] }
    case (_, nil):
      break
    }
    return ["\(key) should be \(text(expected)), is \(found.map(text) ?? "absent")"]
  }

  private static func text(_ value: JSONValue) -> String {
    switch value {
    case .null: "absent"
    case .bool(let value): "\(value)"
    case .number(let value): Int(exactly: value).map(String.init) ?? "\(value)"
    case .string(let value): "\"\(value)\""
    case .array(let value): "[\(value.map(text).joined(separator: ", "))]"
    case .object(let value):
      "{\(value.keys.sorted().map { "\($0): \(text(value[$0] ?? .null))" }.joined(separator: ", "))}"
    }
  }
}

@Suite struct FactComparisonTests {
  private func differences(_ expected: [String: JSONValue], _ found: [String: JSONValue]) -> [String] {
    FactComparison.differences(expected: .object(expected), found: .object(found))
  }

  @Test func `Unregistered facts are not compared`() {
    #expect(differences([:], ["width": .number(1)]) == [])
  }

  @Test func `A missing, a wrong and an unwanted fact are reported`() {
    let reported = differences(
      ["width": .number(4), "type": .string("image/png"), "error": .null],
      ["type": .string("image/gif"), "error": .object(["code": .string("empty")])])
    #expect(reported.count == 3)
  }

  @Test func `A duration may be off by sixty milliseconds and a width by nothing`() {
    #expect(differences(["duration": .number(1)], ["duration": .number(1.05)]) == [])
    #expect(differences(["duration": .number(1)], ["duration": .number(1.07)]).count == 1)
    #expect(differences(["width": .number(100)], ["width": .number(100.01)]).count == 1)
  }

  @Test func `Nested facts are compared key by key`() {
    let found: [String: JSONValue] = ["error": .object(["code": .string("truncated"), "message": .string("…")])]
    #expect(differences(["error": .object(["code": .string("truncated")])], found) == [])
    #expect(differences(["error": .object(["code": .string("corrupt")])], found).count == 1)
  }
}
