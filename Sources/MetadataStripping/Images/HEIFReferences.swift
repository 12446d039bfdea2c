internal import ISOBaseMedia

/// One box of references between items (ISO/IEC 14496-12, 8.11.12).
struct ItemReference {
  let box: Box
  /// The item that refers to others.
  let source: Int
  let targets: [Int]

  /// Whether all of its ids are those of items.
  func isBetween(_ entries: [Int: ItemEntry]) -> Bool {
    entries[source] != nil && targets.allSatisfy { entries[$0] != nil }
  }
}

/// Which items are there for a thumbnail only (ISO/IEC 23008-12, 6.4): an image that no viewer of the file itself shows.
struct ThumbnailItems {
  private var thumbnails: Set<Int> = []
  /// Items that have a thumbnail. They are shown, even if a thumbnail is derived from them.
  private var masters: Set<Int> = []
  /// The images from which an item is derived, such as the tiles of a grid.
  private var inputs: [Int: [Int]] = [:]
  /// The auxiliary images of an item, such as its alpha channel.
  private var auxiliaries: [Int: [Int]] = [:]
  /// How often an image is an input or auxiliary.
  private var uses: [Int: Int] = [:]

  init(_ references: [ItemReference]) {
    for reference in references {
      switch reference.box.type {
      case "thmb":
        thumbnails.insert(reference.source)
        masters.formUnion(reference.targets)
      case "dimg":
        inputs[reference.source, default: []] += reference.targets
        for input in reference.targets { uses[input, default: 0] += 1 }
      case "auxl":
        for target in reference.targets { auxiliaries[target, default: []].append(reference.source) }
        uses[reference.source, default: 0] += reference.targets.count
      default: break
      }
    }
  }

  /// The thumbnails, and the images that nothing but thumbnails uses.
  /// - Parameter primary: The item that a viewer shows first.
  func all(primary: Int) throws(MovieFile.Malformed) -> Set<Int> {
    var items = thumbnails
    var open = Array(thumbnails)
    var uses = self.uses
    while let item = open.popLast() {
      for used in (inputs[item] ?? []) + (auxiliaries[item] ?? []) {
        let rest = (uses[used] ?? 0) - 1
        uses[used] = rest
        guard rest == 0, used != primary, !masters.contains(used), items.insert(used).inserted else { continue }
        open.append(used)
      }
    }
    guard !items.contains(primary) else { throw MovieFile.Malformed() }
    // An image that stays cannot be derived from one that goes.
    for (item, inputs) in inputs where !items.contains(item) {
      guard items.isDisjoint(with: inputs) else { throw MovieFile.Malformed() }
    }
    return items
  }
}

extension MovieFile {
  /// Maximum references between items; the photo of a phone has about 50.
  private static let maxReferences = 1 << 16

  /// Turns the entries and references of thumbnails into padding.
  /// - Returns: The items whose bytes are to be overwritten.
  mutating func overwriteThumbnails(_ parts: [Box], _ entries: [Int: ItemEntry]) throws(Malformed) -> Set<Int> {
    guard parts.contains(where: { $0.type == "iref" }) else { return [] }
    let references = try itemReferences(try one("iref", of: parts), among: entries)
    let primary = try one("pitm", of: parts).body
    let primaryItem = try number(primary, 4, try number(primary, 0, 1) == 0 ? 2 : 4)
    let items = try ThumbnailItems(references).all(primary: primaryItem)
    let padding: FourCC = "free"
    for item in items {
      guard let entry = entries[item] else { continue }
      stripped.replaceSubrange(entry.place, with: padding.bytes)
    }
    // The ids stay: libheif 1.15 takes every box here, padding too, for a reference, and one of zeros for damage.
    for reference in references where items.contains(reference.source) {
      guard reference.isBetween(entries) else { throw Malformed() }
      let start = reference.box.start
      stripped.replaceSubrange((start + 4)..<(start + 8), with: padding.bytes)
    }
    return items
  }

  /// The references between items, and what was one.
  private mutating func itemReferences(
    _ container: Box, among entries: [Int: ItemEntry]
  ) throws(Malformed) -> [ItemReference] {
    let idBytes = try number(container.body, 0, 1) == 0 ? 2 : 4
    let rest = try behind(4, container.body)
    let boxes = try children(of: rest)
    zero((boxes.last?.body.upperBound ?? rest.lowerBound)..<rest.upperBound)
    var references: [ItemReference] = []
    var total = 0
    for box in boxes {
      let isPadding = ["free", "skip", "wide"].contains(box.type)
      // Padding is a former reference: not each reader takes other padding here.
      guard let reference = try itemReference(box, idBytes: idBytes), !isPadding || reference.isBetween(entries) else {
        throw Malformed()
      }
      total += reference.targets.count
      guard total <= Self.maxReferences else { throw Malformed() }
      references.append(reference)
    }
    return references
  }

  /// Nil for a box that is not exactly as long as its references.
  private func itemReference(_ box: Box, idBytes: Int) throws(Malformed) -> ItemReference? {
    guard box.isWhole, box.body.count >= idBytes + 2 else { return nil }
    let count = try number(box.body, idBytes, 2)
    guard count > 0, box.body.count == idBytes + 2 + count * idBytes else { return nil }
    var targets: [Int] = []
    for index in 0..<count { targets.append(try number(box.body, idBytes + 2 + index * idBytes, idBytes)) }
    return ItemReference(box: box, source: try number(box.body, 0, idBytes), targets: targets)
  }
}
