internal import Mail
internal import MediaModel
internal import Testing

@Suite struct NameTests {
  @Test(
    "Names are read in every form that is sent",
    arguments: [
      ("name=plain.txt", "plain.txt"), ("name=\"semi;colon \\\"q\\\".txt\"", "semi;colon \"q\".txt"),
      ("name=my file.pdf", "my file.pdf"),
      ("name=\"C:\\new.txt\"", "C:\\new.txt"), ("name*=utf-8''r%C3%A9sum%C3%A9.pdf", "résumé.pdf"),
      ("name*=iso-8859-1'en'%E9", "é"),
      ("name*0*=utf-8''%E6%97; name*1*=%A5x; name*2=\"%.png\"", "日x%.png"), ("name*1=b; name*0=a; name*2=c", "abc"),
      ("name=old; name*=utf-8''new", "new"), ("name=\"=?utf-8?B?VGhpcyBpcyBhIHRlc3QucGRm?=\"", "This is a test.pdf"),
      ("name==?utf-8?Q?a=20b.png?=", "a b.png"), ("name*0=\"=?utf-8?Q?a\"; name*1=\"=20b?=\"", "a b"),
      ("name=\"é.txt\"", "é.txt"),
      ("(comment) name (one (two)) = a.txt", "a.txt"), ("charset=utf-8 name=a.txt", "a.txt"), ("name=\"open", "open"),
      ("; ;name=x;;", "x"),
      ("name=first; name=second", "first"),
    ])
  func namesAreReadInEveryFormThatIsSent(parameters: String, name: String) {
    #expect(MailStructure(message: mail("Content-Type: image/png; \(parameters)", "", "x")).parts[0].name == name)
    let disposition = parameters.replacing("name", with: "filename")
    #expect(
      MailStructure(message: mail("Content-Disposition: attachment; \(disposition)", "", "x")).parts[0].name == name)
  }

  @Test("Octets without charset are UTF-8 or windows-1252") func octetsWithoutCharsetAreUTF8OrWindows1252() {
    let latin = Array("Content-Type: image/png; name=\"caf".utf8) + [0xE9, 0x80] + Array("\"\r\n\r\n".utf8)
    #expect(MailStructure(message: latin).parts[0].name == "café€")
  }

  @Test func `The disposition names the file`() {
    let structure = MailStructure(
      message: mail("Content-Type: a/b; name=b", "Content-Disposition: INLINE; filename=a", "", ""))
    #expect(structure.parts[0].name == "a")
    #expect(structure.parts[0].disposition == "inline")
  }

  @Test(arguments: [
    ("text", "text/plain"), ("", "text/plain"), ("a/b/c", "text/plain"), ("IMAGE/PNG", "image/png"),
    ("\"image/png\"", "image/png"),
    ("image/png(comment)", "image/png"),
    ("image/png]x", "image/png"), ("image/png,x", "image/png"), ("multipart/mixed\tx", "text/plain"),
  ])
  func `A malformed type is plain text`(field: String, type: String) {
    #expect(MailStructure(message: mail("Content-Type: \(field)", "", "x")).parts[0].type.rawValue == type)
  }
}
