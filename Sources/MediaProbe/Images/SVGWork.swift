internal import MediaModel

/// Estimates the cost of an SVG's filters from its text before rendering: librsvg (2.54) cannot be interrupted.
///
/// A unit is the cost of one octave of noise at one pixel. Every filter counts as the most expensive one in the file,
/// on the whole area, for each use: by elements, by style sheets, and once for each `use`, pattern and mask.
struct SVGWork {
  /// The cost-related content of one start tag.
  struct Element {
    let name: String
    /// Units of a drawing in its `data:` URL.
    var work = 0
    fileprivate var id: String?
    fileprivate var classes: [String] = []
    /// Number of filters on it.
    fileprivate var filters = 0
    /// The elements that it references and renders, in addition to its content.
    fileprivate var references: [String] = []
    fileprivate var octaves = 1

    init(name: String) { self.name = name }

    /// Records an attribute.
    mutating func add(_ name: String, _ value: ArraySlice<UInt8>) {
      switch name {
      case "id": id = String(decoding: value, as: UTF8.self)
      case "class":
        classes = value.split(whereSeparator: \.isASCIIWhitespace).map { String(decoding: $0, as: UTF8.self) }
      case "numOctaves": octaves = Int(String(decoding: value, as: UTF8.self)) ?? 1
      case "href":
        let address = value.drop { $0 <= 0x20 }
        if address.first == UInt8(ascii: "#") {
          references.append(String(decoding: address.dropFirst().filter { $0 > 0x20 }, as: UTF8.self))
        }
      case "filter": filters += SVGWork.filters(in: value)
      case "style":
        filters += value.split(separator: UInt8(ascii: ";")).reduce(0) { sum, rule in
          rule.drop { $0 <= 0x20 }.startsIgnoringCase("filter") ? sum + SVGWork.filters(in: rule) : sum
        }
        references += SVGWork.addresses(in: value)
      default: references += SVGWork.addresses(in: value)
      }
    }
  }

  /// Attributes that are counted although they are plain text.
  static func isOfInterest(_ name: String) -> Bool { name == "id" || name == "class" }

  /// The budget in units times pixels: about seven of the ten seconds that an image may take. Measured on one core of
  /// 2020 (53 ns each, librsvg 2.54.7).
  private static let budget = 134_217_728

  /// Maximum units for a drawing of this many pixels.
  static func limit(area: Int) -> Int { budget / max(1, area) }

  /// The scale of each side at which this many units fit into the budget; 1 if they fit without scaling.
  static func scale(units: Int, area: Int) -> Double {
    min(1, (Double(budget) / (Double(max(1, units)) * Double(max(1, area)))).squareRoot())
  }

  private enum Event {
    case element(classes: [String])
    case filters(Int)
    case work(Int)
    case reference(String)
  }
  private var events: [Event] = []
  private var ranges: [String: Range<Int>] = [:]
  private var open: [(id: String?, start: Int, isFilter: Bool)] = []
  /// The cost of the filter that is being read.
  private var filter: Int?
  private var dearest = Self.functionPrice
  /// The elements that filters reference.
  private var images: [String] = []

  mutating func start(_ element: Element) {
    open.append((element.id, events.count, element.name == "filter"))
    if element.name == "filter" { filter = Self.surfacePrice }
    if let cost = filter, element.name != "filter" {
      filter = min(Int(Int32.max), cost + Self.price(of: element) + element.work)
      if element.name == "feImage" { images += element.references }
    }
    events.append(.element(classes: element.classes))
    if element.filters > 0 { events.append(.filters(element.filters)) }
    if element.work > 0 { events.append(.work(element.work)) }
    events += element.references.map { .reference($0) }
  }

  mutating func end() {
    guard let element = open.popLast() else { return }
    if let id = element.id {
      let range = element.start..<events.count
      ranges[id] = ranges[id].map { $0.count > range.count ? $0 : range } ?? range
    }
    if element.isFilter, let cost = filter {
      dearest = max(dearest, cost)
      filter = nil
    }
  }
}

/// Measured costs.
extension SVGWork {
  /// The cost of a surface for the filtered element.
  private static let surfacePrice = 2
  /// The cost of CSS filter functions such as `blur(3px)`.
  private static let functionPrice = 8

  private static func price(of element: Element) -> Int {
    switch element.name {
    case "feTurbulence": element.octaves
    case "feGaussianBlur": 4
    case "feDropShadow": 6
    case "feComponentTransfer", "feDiffuseLighting", "feSpecularLighting": 2
    case "feDisplacementMap": 10
    // The cost for any radius above a hundred pixels; the radius in pixels depends on all transformations.
    case "feMorphology": 50
    case "feConvolveMatrix": 20
    // A color matrix, an offset, a blend, or a child of another primitive.
    default: 1
    }
  }

  /// The number of chained filters: `url(#a) blur(3px)`.
  fileprivate static func filters(in value: ArraySlice<UInt8>) -> Int { value.count { $0 == UInt8(ascii: "(") } }

  /// The elements that a value references with `url(#…)`.
  fileprivate static func addresses(in value: some Collection<UInt8>) -> [String] {
    guard value.contains(UInt8(ascii: "(")) else { return [] }
    let text = value.filter { $0 > 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "'") }
    return text.ranges(of: Array("(#".utf8)).map { place in
      String(decoding: text[place.upperBound...].prefix { $0 != UInt8(ascii: ")") }, as: UTF8.self)
    }
  }
}

/// Counting.
extension SVGWork {
  /// librsvg's own limit for referenced elements (2.54, `MAX_REFERENCED_ELEMENTS`).
  private static let stepLimit = 500_000

  /// The units of the whole drawing.
  ///
  /// - Throws: `unsupported` if they exceed `limit` or cannot be counted.
  func units(sheet: [UInt8], limit: Int) throws(MediaFailure) -> Int {
    let rules = SVGSheetRules(sheet)
    var steps: [Event] = []
    // The first step of each event; events without cost are omitted.
    var starts: [Int] = []
    for event in events {
      starts.append(steps.count)
      if case .element(let classes) = event {
        let filters = rules.filters(on: classes)
        if filters > 0 { steps.append(.filters(filters)) }
      } else {
        steps.append(event)
      }
    }
    starts.append(steps.count)
    let document = 0..<steps.count
    steps += images.map { .reference($0) }
    let images = document.upperBound..<steps.count

    var total = 0
    var count = 0
    var frames = [(range: document, id: "")]
    var path: Set<String> = [""]
    func enter(_ range: Range<Int>, _ id: String) {
      // A self-referencing element is not rendered.
      if !range.isEmpty, path.insert(id).inserted { frames.append((range, id)) }
    }
    while let frame = frames.last {
      guard let at = frame.range.first else {
        frames.removeLast()
        path.remove(frame.id)
        continue
      }
      frames[frames.count - 1].range = (at + 1)..<frame.range.upperBound
      count += 1
      switch steps[at] {
      case .filters(let number):
        total += number * dearest
        enter(images, "\u{0}")
      case .work(let units): total += units
      case .reference(let id):
        if let range = ranges[id] { enter(starts[range.lowerBound]..<starts[range.upperBound], id) }
      case .element: break
      }
      guard total <= limit, count <= Self.stepLimit else { throw SVGScreen.refused("filters") }
    }
    return total
  }
}
