internal import Testing

/// A file in a table of tests: its name, the bytes that make it what it is, and its type.
struct Signature: CustomTestStringConvertible, Sendable {
  let name: String
  let bytes: [UInt8]
  let type: String
  var testDescription: String { name }

  init(_ name: String, _ bytes: [UInt8], _ type: String) {
    self.name = name
    self.bytes = bytes
    self.type = type
  }
}
