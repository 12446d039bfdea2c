/// The presentation part of a message: consecutive slides, and the positions of their images and texts (OMA-TS-MMS-CONF §7, the SMIL profile of MMS).
public struct SMILPresentation: Hashable, Sendable {
  /// Size of the layout; nil if it is not stated.
  public var width, height: Length?
  /// The regions for images and texts.
  public var regions: [Region]
  /// The slides, in order.
  public var slides: [Slide]

  /// A presentation; without regions, its slides have no layout.
  public init(width: Length? = nil, height: Length? = nil, regions: [Region] = [], slides: [Slide] = []) {
    self.width = width
    self.height = height
    self.regions = regions
    self.slides = slides
  }

  /// The region of that name.
  public func region(_ id: String) -> Region? { regions.first { $0.id == id } }

  /// Every element of every slide, in order.
  var elements: [Element] { slides.flatMap(\.elements) }
}

extension SMILPresentation {
  /// A length in the layout.
  public enum Length: Hashable, Sendable {
    /// A number of pixels, as in `320px` or `320`.
    case pixels(Int)
    /// A percentage of the layout's width or height, as in `80%`.
    case percent(Int)

    /// `320px`, `320` or `80%`; a fraction is dropped. Nil for anything else.
    public init?(_ text: String) {
      let text = text.filter { !$0.isWhitespace }.lowercased()
      let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == "-") }
      guard let value = Int(number) else { return nil }
      var unit = text.dropFirst(number.count)
      if unit.first == "." { unit = unit.dropFirst().drop { $0.isASCII && $0.isNumber } }
      switch unit {
      case "", "px": self = .pixels(value)
      case "%": self = .percent(value)
      default: return nil
      }
    }

    /// `320px` or `80%`.
    public var text: String {
      switch self {
      case .pixels(let value): "\(value)px"
      case .percent(let value): "\(value)%"
      }
    }
  }

  /// A region of the screen.
  public struct Region: Hashable, Sendable {
    /// The name to which elements refer. By convention `Image` and `Text`, but phones use others.
    public var id: String
    /// Position and size; nil if not stated.
    public var left, top, width, height: Length?
    /// How content is fitted: `meet`, `fill`, `scroll`, `hidden` or `slice`.
    public var fit: String?

    /// A region of the layout. By default, position and size are not stated.
    public init(
      id: String, left: Length? = nil, top: Length? = nil, width: Length? = nil, height: Length? = nil,
      fit: String? = nil
    ) {
      self.id = id
      self.left = left
      self.top = top
      self.width = width
      self.height = height
      self.fit = fit
    }
  }

  /// Elements that are shown together: a `par`, or an element outside of one.
  public struct Slide: Hashable, Sendable {
    /// Milliseconds; nil if not stated or indefinite.
    public var duration: Int?
    /// The elements, in order.
    public var elements: [Element]

    /// A slide with its duration in milliseconds; by default none is stated.
    public init(duration: Int? = nil, elements: [Element]) {
      self.duration = duration
      self.elements = elements
    }
  }

  /// An element of a slide, which refers to a part of the message.
  public struct Element: Hashable, Sendable {
    /// The element's name in the presentation. The part's own type states what it is.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
      /// `img`, and `animation`.
      case image = "img"
      /// `video`.
      case video
      /// `audio`.
      case audio
      /// `text`, and `textstream`.
      case text
      /// `ref`: anything else, such as a vCard or a document.
      case reference = "ref"

      /// The kind with this element name; nil if it is not a media element.
      init?(elementName: String) {
        switch elementName {
        case "textstream": self = .text
        case "animation": self = .image
        default: self.init(rawValue: elementName)
        }
      }
    }

    /// The element's name in the presentation.
    public var kind: Kind
    /// The part's Content-Location, name, or Content-ID with or without `cid:`.
    public var source: String
    /// The name of its region.
    public var region: String?
    /// Begin and end of the element in milliseconds from the beginning of the slide, and its duration.
    public var begin, end, duration: Int?

    /// An element that shows the part of this source. Times are milliseconds; by default none are stated.
    public init(
      _ kind: Kind, source: String, region: String? = nil, begin: Int? = nil, end: Int? = nil, duration: Int? = nil
    ) {
      self.kind = kind
      self.source = source
      self.region = region
      self.begin = begin
      self.end = end
      self.duration = duration
    }
  }
}
