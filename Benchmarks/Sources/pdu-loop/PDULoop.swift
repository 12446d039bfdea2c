internal import Foundation
internal import MMSCodec
internal import MediaModel

/// pdu-loop make FILE BYTES | capture FILE COUNT OUT | decode FILE COUNT | encode FILE COUNT
///
/// Makes a message of that size, about; a capture file for tshark; and does one thing with a message often enough to be measured.
@main
struct PDULoop {
  static func main() {
    do { try run(Array(CommandLine.arguments.dropFirst())) } catch {
      FileHandle.standardError.write(Data("\(error)\n".utf8))
      exit(1)
    }
  }

  struct Usage: Error {}

  static func run(_ words: [String]) throws {
    guard words.count >= 2 else { throw Usage() }
    let file = URL(fileURLWithPath: words[1])
    guard words.count >= 3, let count = Int(words[2]) else { throw Usage() }
    if words[0] == "make" { return try Data(message(bytes: count).encoded()).write(to: file, options: .atomic) }
    let pdu = [UInt8](try Data(contentsOf: file))
    switch words[0] {
    case "capture" where words.count == 4:
      try capture(pdu, count).write(to: URL(fileURLWithPath: words[3]), options: .atomic)
    case "decode": print(try decode(pdu, count))
    case "encode": print(try encode(MMSMessage(decoding: pdu), count))
    default: throw Usage()
    }
  }

  /// Takes the message apart, and every part out of it: its name, its type, and its body as bytes of their own, as who stores
  /// them has to.
  static func decode(_ pdu: [UInt8], _ count: Int) throws -> Int {
    var bytes = 0
    for _ in 0..<count {
      for part in try MMSMessage(decoding: pdu).parts {
        let body = Array(part.body)
        bytes += body.count + (part.name?.utf8.count ?? 0) + part.contentType.mediaType.rawValue.utf8.count
      }
    }
    return bytes
  }

  static func encode(_ message: MMSMessage, _ count: Int) throws -> Int {
    var bytes = 0
    for _ in 0..<count { bytes += try message.encoded().count }
    return bytes
  }

  /// Three images with a text each, behind a presentation, from one sender to two recipients.
  static func message(bytes: Int) throws -> MMSMessage {
    var message = MMSMessage(.sendReq, transactionID: "T1234567890")
    message[.date] = 1_700_000_000
    message[.from] = .insertAddress
    message[all: .to] = ["+15550001", "+15550002"].map { EncodedString(MMSAddress($0, kind: .phone)) }
    message[.subject] = "Three images from the mountains"
    message[.messageClass] = .personal
    message[.expiry] = .relative(604_800)
    message[.priority] = .normal
    let image = (0..<bytes / 3).map { UInt8(truncatingIfNeeded: $0 &* 7 ^ $0 >> 5) }
    message.content = try MMSMessage.Content(
      presenting: (0..<3).map { index in
        MessageSlides.Slide(
          media: MMSMessage.Part(type: .jpeg, name: "image00000\(index).jpg", body: image), text: "Image \(index)",
          index: index)
      })
    return message
  }

  /// A capture file of link type 147 with the message so many times; a packet has 262,144 octets at most.
  static func capture(_ pdu: [UInt8], _ count: Int) -> Data {
    func little(_ value: Int, _ width: Int) -> [UInt8] { (0..<width).map { UInt8(value >> (8 * $0) & 255) } }
    var data = Data(
      little(0xA1B2_C3D4, 4) + little(2, 2) + little(4, 2) + little(0, 8) + little(262_144, 4) + little(147, 4))
    for _ in 0..<count { data += little(0, 8) + little(pdu.count, 4) + little(pdu.count, 4) + pdu }
    return data
  }
}
