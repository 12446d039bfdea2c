internal import HTTPTypes
internal import Testing

@testable internal import MediaServer

/// RFC 9110, section 13.
@Suite struct ConditionTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let fields: [HTTPField.Name: String]
    var isHead = false
    let expected: Conditions.Outcome

    init(_ fields: [HTTPField.Name: String], isHead: Bool = false, _ expected: Conditions.Outcome) {
      (self.fields, self.isHead, self.expected) = (fields, isHead, expected)
    }

    var testDescription: String { "\(fields) \(isHead ? "HEAD" : "GET")" }
  }

  static let cases: [Case] = [
    Case([:], .full),
    // If-Match compares strongly.
    Case([.ifMatch: "\"a\""], .full), Case([.ifMatch: "*"], .full), Case([.ifMatch: "\"b\", \"a\""], .full),
    Case([.ifMatch: "\"b\""], .failed), Case([.ifMatch: "W/\"a\""], .failed), Case([.ifMatch: "a"], .failed),
    Case([.ifMatch: ""], .failed),
    // If-None-Match compares weakly.
    Case([.ifNoneMatch: "\"a\""], .notModified), Case([.ifNoneMatch: "W/\"a\""], .notModified),
    Case([.ifNoneMatch: "*"], .notModified), Case([.ifNoneMatch: " * "], .notModified),
    Case([.ifNoneMatch: "\"b\",\"a\""], .notModified), Case([.ifNoneMatch: "\"x,y\" , W/\"a\""], .notModified),
    Case([.ifNoneMatch: "\"b\""], .full), Case([.ifNoneMatch: "a"], .full), Case([.ifNoneMatch: "\"a"], .full),
    Case([.ifNoneMatch: "\"b\", *"], .full), Case([.ifNoneMatch: "\"x,\\\"a\\\"\""], .full),
    Case([.ifNoneMatch: "\"a\""], isHead: true, .notModified),
    // If-Match comes first, Range last.
    Case([.ifMatch: "\"b\"", .ifNoneMatch: "\"a\""], .failed),
    Case([.ifMatch: "\"a\"", .ifNoneMatch: "\"a\""], .notModified),
    Case([.ifNoneMatch: "\"a\"", .range: "bytes=0-1"], .notModified),
    Case([.ifMatch: "\"b\"", .range: "bytes=0-1"], .failed),
    // Range, for GET alone.
    Case([.range: "bytes=0-1"], .partial(0..<2)), Case([.range: "bytes=0-1"], isHead: true, .full),
    Case([.range: "bytes=10-"], .unsatisfiable), Case([.range: "bytes=10-"], isHead: true, .full),
    Case([.range: "bytes=5-1"], .full),
    // If-Range: a strong tag that is equal, or the whole.
    Case([.ifRange: "\"a\"", .range: "bytes=0-1"], .partial(0..<2)),
    Case([.ifRange: "W/\"a\"", .range: "bytes=0-1"], .full), Case([.ifRange: "\"b\"", .range: "bytes=0-1"], .full),
    Case([.ifRange: "Tue, 15 Nov 1994 08:12:31 GMT", .range: "bytes=0-1"], .full),
    Case([.ifRange: "\"a\"", .range: "bytes=10-"], .unsatisfiable),
    Case([.ifRange: "\"b\"", .range: "bytes=10-"], .full), Case([.ifRange: "\"a\""], .full),
    // There is no modification date.
    Case([.ifModifiedSince: "Tue, 15 Nov 2094 08:12:31 GMT"], .full),
    Case([.ifUnmodifiedSince: "Tue, 15 Nov 1994 08:12:31 GMT"], .full),
  ]

  @Test("Conditions are evaluated as the RFC says", arguments: cases)
  func evaluate(one: Case) {
    var fields = HTTPFields()
    for (name, value) in one.fields { fields[name] = value }
    #expect(Conditions.evaluate(fields, isHead: one.isHead, entityTag: "\"a\"", size: 10) == one.expected)
  }

  @Test("Several fields of a name are one list")
  func repeated() {
    var fields = HTTPFields()
    fields.append(HTTPField(name: .ifNoneMatch, value: "\"b\""))
    fields.append(HTTPField(name: .ifNoneMatch, value: "\"a\""))
    #expect(Conditions.evaluate(fields, isHead: false, entityTag: "\"a\"", size: 10) == .notModified)
    var ranges = HTTPFields()
    ranges.append(HTTPField(name: .range, value: "bytes=0-1"))
    ranges.append(HTTPField(name: .range, value: "bytes=4-5"))
    #expect(Conditions.evaluate(ranges, isHead: false, entityTag: "\"a\"", size: 10) == .full)
  }
}
