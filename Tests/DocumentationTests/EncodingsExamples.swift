import Encodings
import Testing

/// The examples of the page of Encodings.
@Suite struct EncodingsExamples {
  @Test func `A mail is read`() {
    let body = ArraySlice("=93=FA=96=7B".utf8)

    let subject = EncodedWords.decoded("Re: =?iso-8859-1?Q?caf=E9?=")
    let encoding = TransferEncoding(name: "quoted-printable")
    let octets = encoding?.decoded(body) ?? Array(body)
    let text = (Charset(name: "shift_jis") ?? .utf8).text(octets[...])
    print(subject, text)

    #expect(subject == "Re: café")
    #expect(text == "日本")
  }
}
