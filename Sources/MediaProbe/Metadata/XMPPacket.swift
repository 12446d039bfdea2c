/// The properties of an XMP packet (ISO 16684-1) that we report, in attribute and element form, under any prefix.
struct XMPPacket {
  /// Maximum bytes to read; longer packets hold editing histories.
  static let byteLimit = 1_048_576

  /// A property of interest.
  enum Property: Int, CaseIterable {
    case make, model
    case dateTimeOriginal, dateTimeDigitized, gpsLatitude, gpsLongitude, gpsAltitude, gpsAltitudeReference
    case createDate, dateCreated
    case title, creator
    case gainMapVersion, appleGainMapVersion, auxiliaryImageType
    case motionPhoto, microVideo, microVideoOffset
  }

  /// An entry of Google's container directory: a file appended to the image.
  struct Item {
    var semantic = ""
    var length = 0
    var padding = 0
  }

  /// The entries of the container directory, the image itself first.
  private(set) var items: [Item] = []
  private var values: [String?] = Array(repeating: nil, count: Property.allCases.count)

  /// The first value of a property, sanitised; of an array its first item.
  subscript(property: Property) -> String? { values[property.rawValue] }

  /// Parses a packet in UTF-8. Malformed XML ends parsing there; earlier properties are kept.
  init(_ bytes: [UInt8]) {
    var reader = XMPReader(bytes)
    reader.read(into: &self)
  }

  /// Adds the properties of another packet that are missing here (the extended part that JPEG stores separately).
  mutating func fill(from other: XMPPacket) {
    for index in values.indices where values[index] == nil { values[index] = other.values[index] }
    if items.isEmpty { items = other.items }
  }

  mutating func set(_ property: Property, _ value: @autoclosure () -> String?) {
    if values[property.rawValue] == nil { values[property.rawValue] = value() }
  }

  mutating func addItem() {
    // Primary, gain map, video, depth: a directory with more is invalid.
    if items.count < 64 { items.append(Item()) }
  }

  mutating func setItem(_ field: XMPName.ItemField, _ text: String?) {
    guard !items.isEmpty, let text else { return }
    let last = items.count - 1
    switch field {
    case .semantic: items[last].semantic = text
    case .length: items[last].length = max(0, Int(text) ?? 0)
    case .padding: items[last].padding = max(0, Int(text) ?? 0)
    }
  }
}

extension XMPPacket {
  /// Whether the packet declares a gain map (Ultra HDR), or is the packet of the map itself.
  var statesGainMap: Bool { self[.gainMapVersion] != nil }

  /// Whether the packet belongs to an Apple gain map.
  var isAppleGainMap: Bool {
    self[.appleGainMapVersion] != nil || self[.auxiliaryImageType] == "urn:com:apple:photo:2020:aux:hdrgainmap"
  }

  /// Distance in bytes from the end of the file to the video of a motion photo; nil if none is declared.
  var motionVideoDistance: Int? {
    if let distance = distance(ofItem: "MotionPhoto") { return distance }
    if self[.microVideo] == "1", let offset = self[.microVideoOffset].flatMap({ Int($0) }), offset > 0 { return offset }
    return nil
  }

  /// Distance in bytes from the end of the file to an item of the container directory. The items are contiguous up to
  /// the end.
  func distance(ofItem semantic: String) -> Int? {
    guard let index = items.firstIndex(where: { $0.semantic == semantic }), index > 0 else { return nil }
    var distance = 0
    for part in items[index...].flatMap({ [$0.length, $0.padding] }) {
      let (sum, overflow) = distance.addingReportingOverflow(part)
      guard !overflow else { return nil }
      distance = sum
    }
    return distance > 0 ? distance : nil
  }
}
