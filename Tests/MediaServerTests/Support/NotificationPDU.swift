/// An M-Notification.ind (OMA-TS-MMS-ENC 6.2), octet by octet.
enum NotificationPDU {
  /// The notification with a number, from a sender of its own.
  static func octets(_ number: Int = 1) -> [UInt8] {
    let sender = Array("+1555000\(1_000 + number)/TYPE=PLMN".utf8) + [0]
    // Type, transaction, version 1.2, the sender, class personal, 100 bytes, an hour, the location.
    var octets: [UInt8] = [0x8C, 0x82, 0x98] + Array("t\(number)".utf8) + [0, 0x8D, 0x92]
    octets += [0x89, UInt8(sender.count + 1), 0x80] + sender
    octets += [0x8A, 0x80, 0x8E, 1, 100, 0x88, 4, 0x81, 2, 0x0E, 0x10]
    return octets + [0x83] + Array("http://mmsc/\(number)".utf8) + [0]
  }

  /// An M-Retrieve.conf with a text, whose sender wants a read report.
  static func download() -> [UInt8] {
    let sender = Array("+15551234567/TYPE=PLMN".utf8) + [0]
    // Type, transaction, version 1.2, the id, the date, the sender, the wish, text/plain.
    var octets: [UInt8] = [0x8C, 0x84, 0x98] + Array("r1".utf8) + [0, 0x8D, 0x92, 0x8B] + Array("m1".utf8)
    octets += [0, 0x85, 0x04, 0x50, 0, 0, 0, 0x89, UInt8(sender.count + 1), 0x80] + sender
    return octets + [0x90, 0x80, 0x84, 0x83] + Array("hello".utf8)
  }
}
