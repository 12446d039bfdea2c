/// Decodes yEnc piece by piece: the lines between `=ybegin` and `=yend` (yenc-draft 1.3).
struct YEncDecoder: Hashable, Codable {
  private enum State: Hashable, Codable {
    case before, inside, after
    /// After `=` inside.
    case escape
    /// In a line that begins with `=y`.
    case control
  }

  /// Octets of a control line that are kept.
  static let maxLine = 1_024

  private var state = State.before
  private var isLineStart = true
  private var line: [UInt8] = []

  mutating func feed(_ piece: some Collection<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(state == .inside ? piece.count : 0)
    for octet in piece {
      switch state {
      case .after: return result
      case .before, .control: takeControl(octet)
      case .escape:
        if isLineStart, octet == 0x79 {
          state = .control
          line = Array("=y".utf8)
        } else {
          result.append(octet &- 64 &- 42)
          state = .inside
        }
        isLineStart = false
      case .inside:
        switch octet {
        case ASCII.lineFeed: isLineStart = true
        case ASCII.carriageReturn: break
        case 0x3D: state = .escape
        default:
          result.append(octet &- 42)
          isLineStart = false
        }
      }
    }
    return result
  }

  mutating func finish() -> [UInt8] {
    self = YEncDecoder()
    return []
  }

  private mutating func takeControl(_ octet: UInt8) {
    guard octet == ASCII.lineFeed else {
      if line.count < Self.maxLine { line.append(octet) }
      return
    }
    if state == .control {
      state = line.starts(with: "=yend".utf8) ? .after : .inside
    } else if line.starts(with: "=ybegin ".utf8) {
      state = .inside
    }
    isLineStart = true
    line.removeAll(keepingCapacity: true)
  }
}
