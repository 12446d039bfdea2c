internal import Encodings
internal import MediaModel

extension MMSMessage.Content {
  /// The name of the presentation's part.
  public static let presentationName = "smil.xml"

  /// The name of a slide's text: no attachment may have it.
  public static func textName(ofSlide index: Int) -> String { "text_\(index).txt" }

  /// The content of a message with a presentation in front (A23, A27).
  ///
  /// The presentation is the first part, named `smil.xml` and identified as `<smil>`, which the start parameter says. Each slide's
  /// medium comes before its text. Names are how the presentation refers to parts.
  /// - Throws: ``MMSMessage/EncodingError`` with `unfitName` when two parts have the same name, or a medium has none.
  public init(presenting slides: [MessageSlides.Slide]) throws(MMSMessage.EncodingError) {
    var names: Set<String> = [Self.presentationName]
    var parts: [MMSMessage.Part] = []
    var shown: [SMILPresentation.Slide] = []
    for slide in slides {
      var elements: [SMILPresentation.Element] = []
      for (part, isText) in [(slide.media, false), (slide.text, true)] {
        guard let part else { continue }
        guard let name = part.contentLocation ?? part.name, names.insert(name).inserted else {
          throw MMSMessage.EncodingError(.unfitName)
        }
        parts.append(part)
        elements.append(Self.element(part, name: name, isText: isText))
      }
      if !elements.isEmpty {
        shown.append(
          SMILPresentation.Slide(duration: slide.duration ?? SMILPresentation.slideDuration, elements: elements))
      }
    }
    let document = SMILPresentation.laidOut(shown).xmlText
    var presentation = MMSMessage.Part(
      type: MediaType("application/smil"), name: Self.presentationName, body: Array(document.utf8))
    presentation.headers[0].value = .quoted("<smil>")
    presentation.contentType.parameters.insert(WSPHeader.Parameter(.charset, .integer(Charset.utf8.mib)), at: 0)
    self.init(
      type: ContentType(
        "application/vnd.wap.multipart.related",
        parameters: [WSPHeader.Parameter(.start, "<smil>"), WSPHeader.Parameter(.type, "application/smil")]),
      parts: [presentation] + parts)
  }

  private static func element(_ part: MMSMessage.Part, name: String, isText: Bool) -> SMILPresentation.Element {
    if isText { return SMILPresentation.Element(.text, source: name, region: SMILPresentation.textRegion) }
    return switch part.contentType.mediaType.kind {
    case .image: SMILPresentation.Element(.image, source: name, region: SMILPresentation.imageRegion)
    case .video: SMILPresentation.Element(.video, source: name, region: SMILPresentation.imageRegion)
    case .audio: SMILPresentation.Element(.audio, source: name)
    default: SMILPresentation.Element(.reference, source: name)
    }
  }
}

extension MessageSlides.Slide {
  /// A slide as a composer makes it: the medium with its name, and the text, which is named after the slide's index.
  public init(media: MMSMessage.Part?, text: String?, index: Int) {
    self.init(
      media: media,
      text: text.map {
        MMSMessage.Part(
          type: MediaType("text/plain"), name: MMSMessage.Content.textName(ofSlide: index), body: Array($0.utf8))
      })
  }
}
