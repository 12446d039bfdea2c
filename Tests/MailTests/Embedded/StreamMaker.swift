internal import TestSupport

/// Makes TNEF streams (MS-OXTNEF).
struct StreamMaker {
  enum Value {
    case number(UInt32)
    case text(String)
    case wide(String)
    case binary([UInt8])
    case object([UInt8])
    /// A property with a name instead of a number.
    case named(String, [UInt8])
  }

  private(set) var octets: [UInt8] = [0x78, 0x9F, 0x3E, 0x22, 1, 0]

  mutating func add(_ attribute: UInt32, _ content: [UInt8]) {
    let sum = content.reduce(UInt16(0)) { $0 &+ UInt16($1) }
    octets += [attribute >= 0x0006_0000 || attribute == 0x0001_8010 ? 2 : 1]
    octets += Self.little(attribute) + Self.little(UInt32(content.count)) + content
    octets += [UInt8(truncatingIfNeeded: sum), UInt8(truncatingIfNeeded: sum >> 8)]
  }

  mutating func attach(name: String, _ content: [UInt8], _ properties: [(UInt16, Value)] = []) {
    add(0x0006_9002, [UInt8](repeating: 0, count: 14))
    add(0x0001_8010, Array(name.utf8) + [0])
    add(0x0006_800F, content)
    if !properties.isEmpty { add(0x0006_9005, Self.list(properties)) }
  }

  /// The properties of the message.
  mutating func describe(_ properties: [(UInt16, Value)]) { add(0x0006_9003, Self.list(properties)) }

  static func little(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }

  private static func list(_ properties: [(UInt16, Value)]) -> [UInt8] {
    little(UInt32(properties.count)) + properties.flatMap { property($0) }
  }

  private static func property(_ property: (id: UInt16, value: Value)) -> [UInt8] {
    func head(_ type: UInt16) -> [UInt8] { little(UInt32(property.id) << 16 | UInt32(type)) }
    let guid = [UInt8](repeating: 7, count: 16)
    switch property.value {
    case .number(let number): return head(0x0003) + little(number)
    case .text(let text): return head(0x001E) + little(1) + sized(Array(text.utf8) + [0])
    case .wide(let text): return head(0x001F) + little(1) + sized(wide(text))
    case .binary(let content): return head(0x0102) + little(1) + sized(content)
    case .object(let content): return head(0x000D) + little(1) + sized(guid + content)
    case .named(let name, let content):
      let identifier = guid + little(1) + sized(wide(name))
      return head(0x0102) + identifier + little(1) + sized(content)
    }
  }

  /// A length, the content, and zeros up to a multiple of four.
  private static func sized(_ content: [UInt8]) -> [UInt8] {
    let padding = [UInt8](repeating: 0, count: (4 - content.count % 4) % 4)
    return little(UInt32(content.count)) + content + padding
  }

  private static func wide(_ text: String) -> [UInt8] {
    text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] } + [0, 0]
  }
}
