internal import Encodings
internal import MediaModel

extension MessageSlides {
  /// The content of one slide of a message: at most one medium, and at most one text.
  public struct Slide: Hashable, Sendable {
    /// The image, video, audio, vCard or other file.
    public var media: MMSMessage.Part?
    /// The part with the slide's text; nil for none.
    public var text: MMSMessage.Part?
    /// Duration in milliseconds; nil if the message does not state it.
    public var duration: Int?

    /// A slide; without a duration, the receiver decides how long it is displayed.
    public init(media: MMSMessage.Part? = nil, text: MMSMessage.Part? = nil, duration: Int? = nil) {
      self.media = media
      self.text = text
      self.duration = duration
    }
  }
}

/// The content of a message in display order (R-MMS-38, R-MMS-63, A25).
public struct MessageSlides: Hashable, Sendable {
  /// Where the order of the slides comes from, and if it is not the presentation, why.
  public enum Order: Hashable, Sendable {
    /// The order in which the presentation (SMIL) shows the parts.
    case presentation
    /// The order of the parts, because there is no presentation.
    case partsWithoutPresentation
    /// The order of the parts, because the presentation cannot be read or is empty.
    case partsUnreadablePresentation
    /// The order of the parts, because the presentation refers to a missing part.
    case partsDanglingReference
    /// The order of the parts, because the presentation omits parts or shows some twice.
    case partsNotShownOnce
  }

  /// The slides, in order.
  public let slides: [Slide]
  /// Where the order comes from.
  public let order: Order

  /// The slides of a message.
  ///
  /// The presentation is used if it can be read, all its references resolve, and it shows every part exactly once. Otherwise a part would be
  /// invisible, so each part becomes a slide, in the order of the message.
  public init(of message: MMSMessage) {
    let all = message.parts
    let smil = Self.presentationIndex(in: message)
    let content = all.filter { !$0.contentType.isSMIL }
    guard let smil else {
      self.init(slides: Self.fallback(content), order: .partsWithoutPresentation)
      return
    }
    guard let presentation = SMILPresentation(all[smil]), !presentation.elements.isEmpty else {
      self.init(slides: Self.fallback(content), order: .partsUnreadablePresentation)
      return
    }
    switch Self.presented(presentation, content) {
    case .slides(let slides): self.init(slides: slides, order: .presentation)
    case .failed(let order): self.init(slides: Self.fallback(content), order: order)
    }
  }

  private init(slides: [Slide], order: Order) {
    self.slides = slides
    self.order = order
  }

  /// The presentation: the part that the start parameter names if it is one, otherwise the first one.
  private static func presentationIndex(in message: MMSMessage) -> Int? {
    let parts = message.parts
    if let start = message.content?.type.text(.start).map({ MMSMessage.Part.withoutBrackets($0.text) }),
      let index = parts.firstIndex(where: { $0.contentType.isSMIL && $0.contentID == start })
    {
      return index
    }
    return parts.firstIndex { $0.contentType.isSMIL }
  }

  private enum Presented {
    case slides([Slide])
    case failed(Order)
  }

  private static func presented(_ presentation: SMILPresentation, _ content: [MMSMessage.Part]) -> Presented {
    let index = PartIndex(content)
    var isShown = Array(repeating: false, count: content.count)
    var slides: [Slide] = []
    for slide in presentation.slides {
      var texts: [MMSMessage.Part] = []
      for element in slide.elements {
        guard let place = index.part(element.source) else { return .failed(.partsDanglingReference) }
        guard !isShown[place] else { return .failed(.partsNotShownOnce) }
        isShown[place] = true
        let part = content[place]
        if element.kind == .text, part.isReadAsText {
          texts.append(part)
        } else {
          slides.append(Slide(media: part, duration: slide.duration))
        }
      }
      // A text joins the preceding slide if that has none.
      for text in texts {
        if let last = slides.indices.last, slides[last].text == nil {
          slides[last].text = text
        } else {
          slides.append(Slide(text: text, duration: slide.duration))
        }
      }
    }
    return isShown.allSatisfy { $0 } ? .slides(slides) : .failed(.partsNotShownOnce)
  }

  private static func fallback(_ parts: [MMSMessage.Part]) -> [Slide] {
    parts.map { $0.contentType.mediaType == MediaType("text/plain") ? Slide(text: $0) : Slide(media: $0) }
  }
}

extension MMSMessage.Part {
  /// Whether a presentation may show it as a text; false for vCards and calendars, which nobody reads as text.
  fileprivate var isReadAsText: Bool {
    let type = contentType.mediaType
    return type.topLevel == "text" && !["text/vcard", "text/calendar"].contains(type.registered.rawValue)
  }
}

/// Finds the part to which a presentation refers.
private struct PartIndex {
  private var byID: [String: Int] = [:]
  private var byLocation: [String: Int] = [:]
  private var byName: [String: Int] = [:]

  init(_ parts: [MMSMessage.Part]) {
    for (index, part) in parts.enumerated() {
      if let id = part.contentID, byID[id] == nil { byID[id] = index }
      if let location = part.contentLocation, byLocation[location] == nil { byLocation[location] = index }
      if let name = part.name, byName[name] == nil { byName[name] = index }
    }
  }

  /// By Content-ID after `cid:`; otherwise by Content-Location, name, or Content-ID, with or without brackets. A URL is tried unchanged before its
  /// percent-encoding is decoded, because names with spaces are written both ways.
  func part(_ source: String) -> Int? {
    for source in [source, Self.withoutPercent(source)] {
      let isID = source.lowercased().hasPrefix("cid:")
      let key = MMSMessage.Part.withoutBrackets(isID ? String(source.dropFirst(4)) : source)
      let found = isID ? byID[key] ?? byLocation[key] ?? byName[key] : byLocation[key] ?? byName[key] ?? byID[key]
      if let found { return found }
    }
    return nil
  }

  private static func withoutPercent(_ text: String) -> String {
    guard text.contains("%") else { return text }
    return String(decoding: PercentEncoding.decoded(Array(text.utf8)[...]), as: UTF8.self)
  }
}
