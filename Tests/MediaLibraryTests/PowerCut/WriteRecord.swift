internal import CRecordingVFS
internal import Foundation

/// What SQLite did to its files, in order, and what a power failure after each step would leave of them.
struct WriteRecord {
  enum Step {
    case write(file: String, offset: Int, bytes: Data)
    case truncate(file: String, size: Int)
    /// All earlier steps of the file are on the disk, and so is its name.
    case sync(file: String)
    case delete(file: String)
    /// A call has returned.
    case mark(Int)
  }

  private(set) var steps: [Step] = []

  /// Reads the record that `mediatool_record_sqlite` wrote.
  init(at path: String) throws {
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    var position = 0
    func number<Number: FixedWidthInteger>(_ type: Number.Type) -> Int {
      defer { position += MemoryLayout<Number>.size }
      return Int(truncatingIfNeeded: data.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: position, as: type) })
    }
    func bytes(_ count: Int) -> Data {
      defer { position += count }
      return data.subdata(in: position..<position + count)
    }
    while position + 14 <= data.count {
      let (kind, nameLength, length, value) = (
        number(UInt8.self), number(UInt8.self), number(UInt32.self), number(Int64.self)
      )
      let name = String(decoding: bytes(nameLength), as: UTF8.self)
      let content = bytes(length)
      switch kind {
      case mediatool_record_write: steps.append(.write(file: name, offset: value, bytes: content))
      case mediatool_record_truncate: steps.append(.truncate(file: name, size: value))
      case mediatool_record_sync: steps.append(.sync(file: name))
      case mediatool_record_delete: steps.append(.delete(file: name))
      default: steps.append(.mark(value))
      }
    }
  }
}

/// The files of a database on a disk with a write cache that is lost when the power fails.
struct SimulatedDisk {
  /// Files as they surely are on the disk.
  private var durable: [String: Data]
  /// Steps since the last sync of each file.
  private var pending: [String: [WriteRecord.Step]] = [:]

  /// What the disk had written of its cache when the power failed. It may write in any order.
  enum Loss {
    /// Nothing.
    case all
    /// Everything.
    case none
    /// Some steps and not others; one may be half written.
    case some(seed: UInt64)
  }

  init(_ files: [String: Data]) { durable = files }

  mutating func take(_ step: WriteRecord.Step) {
    switch step {
    case .write(let file, _, _), .truncate(let file, _): pending[file, default: []].append(step)
    case .sync(let file):
      var content = durable[file] ?? Data()
      for step in pending[file] ?? [] { Self.apply(step, to: &content) }
      (durable[file], pending[file]) = (content, [])
    case .delete(let file):
      // The VFS syncs the folder after it removed a file.
      (durable[file], pending[file]) = (nil, nil)
    case .mark: break
    }
  }

  /// The files after a power failure. A file of which nothing was synced may exist or not.
  func files(after loss: Loss) -> [String: Data] {
    var files = durable
    for (file, steps) in pending where !steps.isEmpty {
      var content = durable[file] ?? Data()
      switch loss {
      case .all: continue
      case .none: for step in steps { Self.apply(step, to: &content) }
      case .some(let seed):
        var random = SplitMix(state: seed)
        for step in steps {
          switch random.next() % 4 {
          case 0: continue
          case 1: Self.apply(Self.torn(step, random.next()), to: &content)
          default: Self.apply(step, to: &content)
          }
        }
      }
      files[file] = content
    }
    return files
  }

  /// A write of which only whole sectors at its beginning arrived.
  private static func torn(_ step: WriteRecord.Step, _ random: UInt64) -> WriteRecord.Step {
    guard case .write(let file, let offset, let bytes) = step, bytes.count > 512 else { return step }
    let sectors = Int(random % UInt64(bytes.count / 512))
    return .write(file: file, offset: offset, bytes: bytes.prefix(sectors * 512))
  }

  private static func apply(_ step: WriteRecord.Step, to content: inout Data) {
    switch step {
    case .write(_, let offset, let bytes):
      if content.count < offset + bytes.count { content.append(Data(count: offset + bytes.count - content.count)) }
      content.replaceSubrange(offset..<offset + bytes.count, with: bytes)
    case .truncate(_, let size):
      if content.count > size { content.removeLast(content.count - size) }
    case .sync, .delete, .mark: break
    }
  }
}

/// Numbers that are the same each time.
private struct SplitMix {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}
