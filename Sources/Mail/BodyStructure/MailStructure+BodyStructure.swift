extension MailStructure {
  /// Reads an IMAP `BODYSTRUCTURE`, before anything of the mail is fetched.
  ///
  /// The line may be the list alone or a whole `FETCH` response, with its literals: `{5}`, a line break, and the octets. Every line has a structure;
  /// what a server sent wrongly is a leaf. The sizes of encoded parts are ``DecodedSize/estimated(_:)``, multiparts have no size, and images that HTML
  /// could display are ``Role/inlinePicture`` until ``resolveInlinePictures(contentIDs:inMessage:)``.
  public init(bodyStructure line: some Collection<UInt8>, limits: Limits = Limits()) {
    var reader = BodyStructureReader(Array(line.prefix(max(0, limits.maxHeaderOctets))), limits: limits)
    reader.read()
    self.init(header: nil, parts: reader.parts)
    assignRoles()
  }
}
