internal import Mail
internal import MediaModel
internal import Testing

@Suite struct RoleTests {
  /// A multipart with one part per list of header lines.
  private func multipart(_ subtype: String, _ parts: [[String]], html: String = "x") -> MailStructure {
    var lines = ["Content-Type: multipart/\(subtype); boundary=b", ""]
    for part in parts { lines += ["--b"] + part + ["", html] }
    return MailStructure(message: Array((lines + ["--b--"]).joined(separator: "\r\n").utf8))
  }

  @Test(
    "A type has its role",
    arguments: [
      ("message/rfc822", MailStructure.Role.attachedMessage), ("message/delivery-status", .deliveryReport),
      ("message/disposition-notification", .readReceipt), ("message/feedback-report", .complaint),
      ("message/partial", .partial),
      ("message/external-body", .external), ("application/ms-tnef", .tnef),
      ("application/octet-stream; name=WINMAIL.DAT", .tnef),
      ("application/pgp-signature", .signature), ("application/pkcs7-signature", .signature),
      ("application/pgp-encrypted", .encrypted),
      ("application/pkcs7-mime; smime-type=signed-data", .signedOpaque),
      ("application/pkcs7-mime; smime-type=enveloped-data", .encrypted),
      ("application/x-pkcs7-mime; name=smime.p7m", .encrypted), ("text/calendar; method=REQUEST", .invitation),
      ("text/calendar", .attachment),
      ("text/plain", .body), ("text/html", .body), ("text/csv", .attachment), ("image/png", .attachment),
      ("audio/mpeg", .attachment),
    ])
  func aTypeHasItsRole(type: String, role: MailStructure.Role) {
    #expect(MailStructure(message: mail("Content-Type: \(type)", "", "x")).parts[0].role == role)
  }

  @Test("A text with a name after the first is an attachment") func aTextWithANameAfterTheFirstIsAnAttachment() {
    let structure = multipart(
      "mixed",
      [
        ["Content-Type: text/plain; name=a.txt"], ["Content-Type: text/plain; name=b.txt"], [],
        ["Content-Disposition: attachment"],
      ])
    #expect(structure.roles == ["1 body", "2 attachment", "3 body", "4 attachment"])
  }

  @Test("Alternatives are bodies in every text format") func alternativesAreBodiesInEveryTextFormat() {
    let structure = multipart(
      "alternative",
      [
        ["Content-Type: text/plain"], ["Content-Type: text/html"], ["Content-Type: text/calendar"],
        ["Content-Type: image/png"],
      ])
    #expect(structure.roles == ["1 body", "2 body", "3 body", "4 attachment"])
  }

  @Test("An image that no HTML names is an attachment") func anImageThatNoHTMLNamesIsAnAttachment() {
    let parts = [
      ["Content-Type: text/html"],
      ["Content-Type: image/png", "Content-ID: <logo@x>", "Content-Disposition: attachment"],
      ["Content-Type: image/png", "Content-ID: <other@x>", "Content-Disposition: inline"], ["Content-Type: image/png"],
    ]
    let structure = multipart("related", parts, html: "<img src=\"CID:logo%40x\">")
    #expect(structure.roles == ["1 body", "2 inlinePicture", "3 attachment", "4 attachment"])
  }

  @Test func `The root of related parts may be named`() {
    let structure = multipart(
      "related; start=\"<r@x>\"", [["Content-Type: text/plain"], ["Content-Type: text/html", "Content-ID: <r@x>"]])
    #expect(structure.roles == ["1 attachment", "2 body"])
  }

  @Test func `Both parts of encrypted content are encrypted`() {
    let structure = multipart(
      "encrypted", [["Content-Type: application/pgp-encrypted"], ["Content-Type: application/octet-stream"]])
    #expect(structure.roles == ["1 encrypted", "2 encrypted"])
  }

  @Test("The role of a picture changes once its HTML is known") func theRoleOfAPictureChangesOnceItsHTMLIsKnown() {
    let line = """
      (("text" "html" NIL NIL NIL "7bit" 10 1)("image" "png" NIL "<a@x>" NIL "base64" 78)("image" "png" NIL "<b@x>" NIL "base64" 78) "related")
      """
    var structure = MailStructure(bodyStructure: Array(line.utf8))
    #expect(structure.roles == ["1 body", "2 inlinePicture", "3 inlinePicture"])
    let ids = MailText.contentIDs(inHTML: Array("<img src=cid:a@x>".utf8))
    #expect(structure.resolveInlinePictures(contentIDs: ids) == [3])
    #expect(structure.roles == ["1 body", "2 inlinePicture", "3 attachment"])
    #expect(structure.resolveInlinePictures(contentIDs: ids).isEmpty)
  }

  @Test func `One form of each alternative is displayed`() {
    let structure = multipart("alternative", [["Content-Type: text/plain"], ["Content-Type: text/html"]])
    #expect(structure.textParts() == [1])
    #expect(structure.textParts(preferringPlain: false) == [2])
    let nested = MailStructure(message: StructureTests.nested)
    #expect(nested.textParts() == [2])
    #expect(nested.textParts(inMessage: 4) == [6])
  }
}
