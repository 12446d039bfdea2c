/// Joins the lines of `format=flowed` to paragraphs (RFC 3676).
enum FlowedText {
  /// The text; quoted paragraphs begin with `>` for each level and a space.
  static func joined(_ text: String, deletesSpaces: Bool) -> [UInt8] {
    var result: [UInt8] = []
    // The quote depth of a paragraph that the next line may continue.
    var open: Int?
    var lines = Lines.normalised(text)[...]
    if lines.last == ASCII.lineFeed { lines = lines.dropLast() }
    for line in lines.split(separator: ASCII.lineFeed, omittingEmptySubsequences: false) {
      let depth = line.prefix { $0 == 0x3E }.count
      var content = line.dropFirst(depth)
      // Space-stuffing (§4.4).
      if content.first == ASCII.space { content = content.dropFirst() }
      // The signature separator is not flowed (§4.3).
      let isSeparator = content.elementsEqual("-- ".utf8)
      if let previous = open, previous != depth || isSeparator {
        result.append(ASCII.lineFeed)
        open = nil
      }
      if open == nil, depth > 0 {
        result += repeatElement(0x3E, count: depth)
        result.append(ASCII.space)
      }
      let isFlowed = content.last == ASCII.space && !isSeparator
      result += isFlowed && deletesSpaces ? content.dropLast() : content
      if !isFlowed { result.append(ASCII.lineFeed) }
      open = isFlowed ? depth : nil
    }
    return result
  }
}
