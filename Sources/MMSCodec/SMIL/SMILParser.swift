internal import Encodings

extension SMILPresentation {
  /// Parses the presentation in the body of a part; nil if it cannot be read, so that the order of the parts is used.
  ///
  /// As the profile requires, unknown elements are skipped, and elements play one after another, however they are nested. Nothing is fetched. A
  /// document with entity declarations or processing instructions is not read, because no presentation needs them.
  public init?(_ part: MMSMessage.Part) {
    guard let text = SMILText.utf8(of: part) else { return nil }
    var document = XMLElementReader(Array(text))
    var reader = SMILReader()
    while let event = document.next() {
      switch event {
      case .start(let name, let attributes):
        guard reader.start(name, attributes) else { return nil }
      case .end: reader.end()
      }
    }
    guard document.isComplete else { return nil }
    self = reader.presentation
  }
}

/// Collects slides from the elements of a document.
private struct SMILReader {
  private(set) var presentation = SMILPresentation()
  private var depth = 0
  /// Depth of the outermost `par` that is open; 0 for none.
  private var openSlide = 0
  private var elementCount = 0

  /// Deeper than any presentation; the profile has 5.
  private static let depthLimit = 32
  /// More than any message has parts.
  private static let elementLimit = 4_000

  /// - Returns: Whether to read on: false if the root is not `smil`, and above the limits.
  mutating func start(_ elementName: String, _ attributes: [(name: String, value: String)]) -> Bool {
    depth += 1
    elementCount += 1
    let name = Self.localName(elementName)
    guard depth > 1 || name == "smil", depth <= Self.depthLimit, elementCount <= Self.elementLimit else {
      return false
    }
    let values = Dictionary(attributes.map { (Self.localName($0.name), $0.value) }) { first, _ in first }
    switch name {
    case "root-layout":
      presentation.width = values["width"].flatMap { SMILPresentation.Length($0) }
      presentation.height = values["height"].flatMap { SMILPresentation.Length($0) }
    case "region": region(values)
    case "par":
      guard openSlide == 0 else { break }
      openSlide = depth
      presentation.slides.append(
        SMILPresentation.Slide(duration: values["dur"].flatMap(SMILClock.milliseconds), elements: []))
    default:
      if let kind = SMILPresentation.Element.Kind(elementName: name) { element(kind, values) }
    }
    return true
  }

  mutating func end() {
    if depth == openSlide { openSlide = 0 }
    depth -= 1
  }

  private mutating func region(_ values: [String: String]) {
    guard let id = values["id"] else { return }
    presentation.regions.append(
      SMILPresentation.Region(
        id: id, left: values["left"].flatMap { SMILPresentation.Length($0) },
        top: values["top"].flatMap { SMILPresentation.Length($0) },
        width: values["width"].flatMap { SMILPresentation.Length($0) },
        height: values["height"].flatMap { SMILPresentation.Length($0) },
        fit: values["fit"]))
  }

  /// An element outside of every `par` is a slide of its own: the body plays in sequence.
  private mutating func element(_ kind: SMILPresentation.Element.Kind, _ values: [String: String]) {
    let element = SMILPresentation.Element(
      kind, source: values["src"] ?? "", region: values["region"],
      begin: values["begin"].flatMap(SMILClock.milliseconds), end: values["end"].flatMap(SMILClock.milliseconds),
      duration: values["dur"].flatMap(SMILClock.milliseconds))
    if openSlide > 0, let last = presentation.slides.indices.last {
      presentation.slides[last].elements.append(element)
    } else {
      presentation.slides.append(SMILPresentation.Slide(duration: element.duration, elements: [element]))
    }
  }

  /// Without a namespace's prefix, in lower case: some phones write `IMG`.
  private static func localName(_ name: String) -> String {
    String(name.split(separator: ":", omittingEmptySubsequences: false).last ?? "").lowercased()
  }
}
