internal import Mail
internal import Testing

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A mail that is meant to exhaust or deceive a reader.
struct Attack: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let bytes: [UInt8]

  private init(_ name: String, _ text: String) { (testDescription, bytes) = (name, Array(text.utf8)) }

  static let all = structures + headers + bodies + embedded

  private static func times(_ count: Int, _ piece: (Int) -> String) -> String { (0..<count).map(piece).joined() }

  private static func base64(_ text: String) -> String {
    Data(text.utf8).base64EncodedString(options: [.lineLength76Characters, .endLineWithLineFeed]) + "\n"
  }

  private static let mixed = "Content-Type: multipart/mixed; boundary="

  private static let structures = [
    Attack("nested multiparts", times(3_000) { "\(mixed)b\($0)\n\n--b\($0)\n" }),
    Attack("nested messages", times(5_000) { _ in "Content-Type: message/rfc822\n\n" }),
    Attack("parts without content", "\(mixed)b\n\n" + times(30_000) { _ in "--b\n\n\n" }),
    Attack(
      "boundaries that are prefixes of each other, and lines like them",
      times(99) { "\(mixed)\(String(repeating: "b", count: $0 + 1))\n\n--\(String(repeating: "b", count: $0 + 1))\n" }
        + times(3_000) { "--\(String(repeating: "b", count: $0 % 120))x\n" }),
    Attack(
      "boundaries of one length, and lines like them",
      times(99) { "\(mixed)b\(100 + $0)\n\n--b\(100 + $0)\n" } + times(20_000) { _ in "--c100\n" }),
    Attack("multiparts that open again", "\(mixed)a\n\n" + times(3_000) { _ in "--a\n\(mixed)b\n\n--b\n\nx\n" }),
    Attack(
      "multiparts in one with a long boundary",
      "\(mixed)\(String(repeating: "c", count: 100_000))\n\n--\(String(repeating: "c", count: 100_000))\n\(mixed)a\n\n"
        + times(2_000) { _ in "--a\n\(mixed)b\n\n--b\n\nx\n" }),
    Attack(
      "related parts that name each other's images",
      "\(mixed)b\n\n"
        + times(500) { _ in
          "--b\nContent-Type: multipart/related; boundary=c\n\n--c\nContent-Type: text/html\n\n<img src=cid:x>\n"
            + "--c\nContent-Type: image/png\nContent-ID: <x>\n\nx\n--c--\n"
        }),
  ]

  private static let headers = [
    Attack("a long field", "X: \(String(repeating: "a", count: 300_000))\n\nx"),
    Attack("a field of many lines", "Subject: a\n" + times(50_000) { _ in " b\n" } + "\nx"),
    Attack("malformed lines", times(2_000) { _ in times(15) { _ in "no field\n" } + "Content-X: y\n" } + "\nx"),
    Attack("parameters", "Content-Type: a/b" + times(20_000) { "; p\($0)=v" } + "\n\nx"),
    Attack("semicolons", "Content-Type: a/b\(String(repeating: ";", count: 200_000))\n\nx"),
    Attack("open comments", "Content-Type: a/b;\(String(repeating: "(", count: 200_000))\n\nx"),
    Attack("words without quotes", "Content-Type: a/b; name=" + times(50_000) { _ in "a " } + "\n\nx"),
    Attack("name pieces with gaps", "Content-Type: a/b;\n" + times(20_000) { " name*\($0 * 7)*=%C3%A9;\n" } + "\n\nx"),
    Attack("name pieces twice", "Content-Type: a/b;\n" + times(20_000) { " name*\($0 % 3)*=%C3%A9;\n" } + "\n\nx"),
    Attack(
      "name pieces from the last", "Content-Type: a/b;\n" + times(20_000) { " name*\(20_000 - $0)=a;\n" } + "\n\nx"),
    Attack("encoded words", "Subject: " + times(20_000) { _ in "=?utf-8?B?w6k=?=\n " } + "\n\nx"),
    Attack("encoded words without end", "Subject: " + times(30_000) { _ in "=?utf-8?B?" } + "\n\nx"),
    Attack("line breaks in encoded words", "To: " + times(10_000) { _ in "=?utf-8?Q?=0D=0A=00?= <a@b>,\n " } + "\n\nx"),
    Attack("addresses in addresses", "To: \(String(repeating: "<", count: 200_000))\n\nx"),
    Attack("ids without end", "References: \(String(repeating: "<a ", count: 60_000))\n\nx"),
    Attack(
      "a charset with NUL", "Content-Type: text/plain; charset=\"utf-8\0x\"; name*=utf-8''..%2F%00%E2%80%AEgnp.exe\n\né"
    ),
  ]

  private static let bodies = [
    Attack(
      "quoted-printable without content",
      "Content-Transfer-Encoding: quoted-printable\n\n" + times(100_000) { _ in "=\n" }),
    Attack(
      "signs of quoted-printable",
      "Content-Transfer-Encoding: quoted-printable\n\n\(String(repeating: "=", count: 200_000))"),
    Attack("padding of base64", "Content-Transfer-Encoding: base64\n\n\(String(repeating: "=", count: 200_000))"),
    Attack("tags without end", "Content-Type: text/html\n\n" + times(20_000) { _ in "<a href=\"" }),
    Attack("comments without end", "Content-Type: text/html\n\n" + times(50_000) { _ in "<!--" }),
    Attack(
      "nested quotes",
      "Content-Type: text/html\n\n" + times(20_000) { _ in "<blockquote>" } + times(1_000) { _ in "x<br>" }),
    Attack(
      "quotes of flowed text",
      "Content-Type: text/plain; format=flowed\n\n" + times(200) { _ in String(repeating: ">", count: 1_000) + "a \n" }),
    Attack(
      "flags",
      "Content-Type: text/plain; name=\"\(String(repeating: "🇦", count: 20_000))\"\n\n\(String(repeating: "🇦", count: 20_000))"
    ),
  ]

  private static let embedded = [
    Attack("beginnings of uuencode", "\n" + times(20_000) { _ in "begin 644 a\n" }),
    Attack("files of uuencode", "\n" + times(20_000) { _ in "begin 644 ../a\rb\n`\nend\n" }),
    Attack(
      "lines of uuencode in base64",
      "Content-Transfer-Encoding: base64\n\n"
        + base64(times(100) { _ in "begin 644 a\n" + times(300) { _ in "_\n" } + "`\nend\n" })),
    Attack("files of yEnc", "\n" + times(15_000) { _ in "=ybegin line=128 size=1 name=a\nk\n=yend size=1\n" }),
    Attack("messages in base64 in messages in base64", message(in: 12)),
    Attack("six messages in each of six", messages(in: 4)),
  ]

  private static func message(in depth: Int) -> String {
    depth == 0
      ? "\nx\n" : "Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n" + base64(message(in: depth - 1))
  }

  private static func messages(in depth: Int) -> String {
    guard depth > 0 else { return "\nx\n" }
    let inner = base64(messages(in: depth - 1))
    return "\(mixed)f\(depth)\n\n"
      + times(6) { _ in "--f\(depth)\nContent-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n\(inner)" }
      + "--f\(depth)--\n"
  }
}
