internal import Encodings
internal import MediaModel

extension MMSContent {
  /// The name of the presentation's part.
  public static let presentationName = "smil.xml"

  /// The name of a slide's text: no attachment may have it.
  public static func textName(ofSlide index: Int) -> String { "text_\(index).txt" }

  /// The content of a message with a presentation in front (A23, A27).
  ///
  /// The presentation is the first part, named `smil.xml` and identified as `<smil>`, which the start parameter says. Each slide's
  /// medium comes before its text. Names are how the presentation refers to parts.
  /// - Throws: ``MMSEncodingError`` with `unfitName` when two parts have the same name, or a medium has none.
  public init(presenting slides: [MessageSlide]) throws(MMSEncodingError) {
    var names: Set<String> = [Self.presentationName]
    var parts: [MMSPart] = []
    var shown: [SMILSlide] = []
    for slide in slides {
      var elements: [SMILElement] = []
      for (part, isText) in [(slide.media, false), (slide.text, true)] {
        guard let part else { continue }
        guard let name = part.contentLocation ?? part.name, names.insert(name).inserted else {
          throw MMSEncodingError(.unfitName)
        }
        parts.append(part)
        elements.append(Self.element(part, name: name, isText: isText))
      }
      if !elements.isEmpty {
        shown.append(SMILSlide(duration: slide.duration ?? SMILPresentation.slideDuration, elements: elements))
      }
    }
    let document = SMILPresentation.laidOut(shown).xmlText
    var presentation = MMSPart(
      type: MediaType("application/smil"), name: Self.presentationName, body: Array(document.utf8))
    presentation.headers[0].value = .quoted("<smil>")
    presentation.contentType.parameters.insert(WSPParameter(.charset, .integer(Charset.utf8.mib)), at: 0)
    self.init(
      type: ContentType(
        "application/vnd.wap.multipart.related",
        parameters: [WSPParameter(.start, "<smil>"), WSPParameter(.type, "application/smil")]),
      parts: [presentation] + parts)
  }

  private static func element(_ part: MMSPart, name: String, isText: Bool) -> SMILElement {
    if isText { return SMILElement(.text, source: name, region: SMILPresentation.textRegion) }
    return switch part.contentType.mediaType.kind {
    case .image: SMILElement(.image, source: name, region: SMILPresentation.imageRegion)
    case .video: SMILElement(.video, source: name, region: SMILPresentation.imageRegion)
    case .audio: SMILElement(.audio, source: name)
    default: SMILElement(.reference, source: name)
    }
  }
}

extension MessageSlide {
  /// A slide as a composer makes it: the medium with its name, and the text, which is named after the slide's index.
  public init(media: MMSPart?, text: String?, index: Int) {
    self.init(
      media: media,
      text: text.map {
        MMSPart(type: MediaType("text/plain"), name: MMSContent.textName(ofSlide: index), body: Array($0.utf8))
      })
  }
}
