internal import Encodings
internal import TestSupport
internal import Testing

@Suite struct TransferTests {
  @Test(
    "A transfer encoding is found by its name in any case",
    arguments: [
      ("base64", TransferEncoding.base64), ("BASE64", .base64), ("Quoted-Printable", .quotedPrintable), ("7bit", nil),
      ("binary", nil), ("", nil),
    ])
  func names(name: String, encoding: TransferEncoding?) {
    #expect(TransferEncoding(name: name) == encoding)
  }

  @Test(
    "base64 skips invalid characters, and quoted-printable keeps them",
    arguments: [
      (TransferEncoding.base64, "'SGk='", "Hi"), (.base64, "'S G-k=' 0A", "Hi"), (.base64, "'SGkhS'", "Hi!"),
      (.quotedPrintable, "'a=C3=A9=' 0D 0A 'b=zz='", "aéb=zz"),
    ])
  func invalid(encoding: TransferEncoding, text: String, decoded: String) {
    #expect(String(decoding: encoding.decoded(octets(text)[...]), as: UTF8.self) == decoded)
  }

  @Test(
    "A percent sign without two hexadecimal digits is kept",
    arguments: [("%41%62c", "Abc"), ("100%", "100%"), ("%4", "%4"), ("%zz%2F", "%zz/")])
  func percent(text: String, decoded: String) {
    #expect(String(decoding: PercentEncoding.decoded(Array(text.utf8)[...]), as: UTF8.self) == decoded)
  }

  @Test(
    "Encoded words are decoded, and other text is unchanged",
    arguments: [
      ("=?utf-8?B??=", ""), ("Re: =?UTF-8?B?w6k=?= =?iso-8859-1?q?_=E9?= =?x?", "Re: é é =?x?"),
      ("=?no-such?Q?a?=", "=?no-such?Q?a?="), ("a = b", "a = b"),
      // Senders split words inside a character, and write words longer than 75 characters.
      ("=?utf-8?Q?=C3?= =?UTF-8?B?qQ==?=", "é"), ("=?utf-8*en?Q?a?=", "a"),
      ("=?utf-8?Q?\(String(repeating: "a", count: 1_000))?=", String(repeating: "a", count: 1_000)),
      ("=?utf-8?Q?a =?", "=?utf-8?Q?a =?"),
    ])
  func encodedWords(text: String, decoded: String) {
    #expect(EncodedWords.decoded(text) == decoded)
  }
}
