internal import MediaModel

/// Compares the declared type of a file with its content.
enum ClaimCheck {
  /// Returns nil if they agree, if nothing is declared, and if the declared name is unknown.
  static func mismatch(_ claim: MediaProber.Claim, _ type: MediaType, _ kind: MediaKind) -> MediaInfo.Mismatch? {
    // Unrecognised content contradicts no declaration.
    guard type != .octetStream, let claimed = Claimed(claim), !claimed.accepts(type) else { return nil }
    return MediaInfo.Mismatch(declared: claimed.name, by: claimed.claimant, class: claimed.distance(to: type, kind))
  }

  /// A declaration and the types that it allows.
  private struct Claimed {
    let name: String
    let claimant: MediaInfo.Mismatch.Claimant
    let types: [MediaType]
    let kinds: Set<MediaKind>

    init?(_ claim: MediaProber.Claim) {
      switch claim {
      case .fileName(let path):
        guard let name = Self.fileExtension(path) else { return nil }
        self.name = name
        claimant = .extension
        types = MediaType.types(forExtension: name).filter { $0 != .octetStream }
      case .mediaType(let text):
        let name = String(text.prefix { $0 != ";" }.filter { !$0.isWhitespace }).lowercased()
        self.name = name
        claimant = .client
        let type = TypeTable.ours(name)
        // For a type outside the table, its top-level type still promises image, video or audio.
        let isKnown = type.preferredExtension != nil || ["image", "video", "audio"].contains(type.topLevel)
        types = isKnown && type != .octetStream && !name.hasSuffix("/*") ? [type] : []
      }
      if types.isEmpty { return nil }
      kinds = Set(types.map(\.kind))
    }

    /// The extension of the last path component; nil for none, and for names such as `.profile`.
    private static func fileExtension(_ path: String) -> String? {
      // Scalars, because a search for characters from the end takes quadratic time in a name of flags.
      let name = (path.split(separator: "/").last ?? "").unicodeScalars
      guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
      let text = String(name[name.index(after: dot)...]).lowercased()
      return text.isEmpty || text.count > 16 ? nil : text
    }

    func accepts(_ type: MediaType) -> Bool {
      types.contains(type) || types.contains { Self.accepted[$0]?.contains(type) == true } || acceptsText(type)
        || acceptsVariant(type)
    }

    /// Whether a text type is acceptable: signatures see most text formats as plain text, and `.txt` promises no more
    /// than text.
    private func acceptsText(_ type: MediaType) -> Bool {
      guard kinds.contains(.text) || types.contains(.mpegTS) && claimant == .extension else { return false }
      if type == .plainText { return true }
      return types.contains(where: Self.anyText.contains) && [.text, .contact].contains(type.kind)
        && !ActiveContent.contains(type)
    }

    private static let markdown = MediaType("text/markdown")
    private static let anyText: Set<MediaType> = [.plainText, markdown]

    /// Whether audio in MP4 is acceptable as `video/mp4`: browsers declare that because of the extension.
    private func acceptsVariant(_ type: MediaType) -> Bool {
      claimant == .client && types.contains { TypeTable.withoutVideo[$0] == type }
    }

    func distance(to type: MediaType, _ kind: MediaKind) -> MediaInfo.Mismatch.Class {
      if ActiveContent.contains(type), !types.contains(where: ActiveContent.contains) { return .active }
      return kinds.contains(kind) ? .format : .kind
    }

    /// Pairs that are no mismatch: the declared name is common for that content, which is a special case of it or looks
    /// the same.
    private static let accepted: [MediaType: Set<MediaType>] = [
      .heic: [.heif, .heicSequence, .heifSequence],
      .heif: [.heic, .heicSequence, .heifSequence, .avif],
      // Every WebM file is a Matroska file.
      .matroska: [.webm, .webmAudio, .matroskaAudio],
      .matroskaAudio: [.webmAudio],
      // 3GP is a profile of MP4, and phones write either brand under either name.
      .video3GPP: [.mp4, .mp4Audio, .video3GPP2, .audio3GPP2],
      .video3GPP2: [.mp4, .mp4Audio, .video3GPP, .audio3GPP],
      .mp4: [.video3GPP, .audio3GPP],
      .amr: [.amrWideband],
      .oggAudio: [.ogg],
      .oggVideo: [.ogg],
      .tiff: [.dng],
      .xml: [.svg, .xhtml, .smil],
      .html: [.xhtml],
      // Some programs save one e-mail with the first line of an mbox.
      .mail: [.mbox],
      // Markdown may start with HTML.
      markdown: [.html],
      // Archive-based formats may be declared as what they are.
      .zip: [
        .docx, .xlsx, .pptx, .docm, .xlsm, .pptm, .epub, .jar, .apk, .kmz,
        MediaType("application/vnd.oasis.opendocument.text"),
        MediaType("application/vnd.oasis.opendocument.spreadsheet"),
        MediaType("application/vnd.oasis.opendocument.presentation"),
        MediaType("application/vnd.oasis.opendocument.graphics"),
        MediaType("application/vnd.oasis.opendocument.text-template"),
        MediaType("application/vnd.oasis.opendocument.spreadsheet-template"),
        MediaType("application/vnd.oasis.opendocument.presentation-template"),
        MediaType("application/vnd.oasis.opendocument.graphics-template"),
      ],
    ]
  }
}
