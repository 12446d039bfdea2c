internal import FileSupport
internal import Glibc
internal import MediaEngine
internal import MediaModel

/// A file of a list or a tar file, with the number under which its result is found.
struct ShardInput: Sendable {
  /// The line of the list or the member of the tar file, from 1.
  var number: Int
  var input: Input
}

/// The lines of a list as inputs.
///
/// A line is one input, so that its result can be found by its number: a folder is not walked, but fails.
struct ListedInputs: ~Copyable {
  private var list: PathList
  private let name: String

  init(_ path: PathBytes, stop: StopSignal) throws(Fault) {
    list = try PathList(path, what: "list", nulSeparated: false, hasRequests: true, stop: stop)
    name = DisplayText.visible(path)
  }

  /// The next input; nil at the end, or when the run is stopped.
  mutating func next() throws(Fault) -> ShardInput? {
    guard let entry = try list.next() else { return nil }
    switch entry {
    case .path(let text, let line) where entry.isRequest:
      return ShardInput(number: line, input: FileRequest(json: text.bytes, line: line).input(in: name))
    case .path(let path, let line):
      guard !path.hasNUL else {
        let failure = MediaFailure(.notFound, "The path contains a NUL byte.")
        return ShardInput(number: line, input: Input(path: path, content: .failed(failure)))
      }
      if let problem = path.listProblem {
        return ShardInput(number: line, input: Input(path: path, content: .failed(problem)))
      }
      let input = RemoteName.isRemote(path) ? RemoteName.input(path) : Input(path: path, content: .file)
      return ShardInput(number: line, input: input)
    case .tooLong(let beginning, let line):
      let request = FileRequest(tooLong: line, beginning: beginning.bytes, isJSON: entry.isRequest)
      return ShardInput(number: line, input: request.input(in: name))
    }
  }
}

/// The files in a tar file as inputs. Each is held in memory, outside the heap, while it is processed.
struct ArchivedInputs: ~Copyable {
  private var reader: TarReader
  private let name: String
  /// The largest file that is read, in bytes.
  private let limit: Int
  private var members = 0

  init(_ path: PathBytes, limit: Int, stop: StopSignal) throws(Fault) {
    let file = try TarFile(path, stop: stop)
    reader = TarReader { try file.read() }
    (name, self.limit) = (DisplayText.visible(path), limit)
  }

  /// The next input; nil at the end, or when the run is stopped.
  mutating func next() throws(Fault) -> ShardInput? {
    do {
      while let member = try reader.next() {
        if member.kind == .folder { continue }
        members += 1
        return ShardInput(number: members, input: Input(path: member.name, content: try content(of: member)))
      }
      return nil
    } catch is TarFile.Stopped {
      return nil
    } catch let damage as TarReader.Damage {
      throw Fault(.software, "cannot read the tar file \(name): \(damage.message)")
    } catch let fault as Fault {
      throw fault
    } catch {
      throw Fault(.software, "cannot read the tar file \(name)")
    }
  }

  private mutating func content(of member: TarReader.Member) throws -> Input.Content {
    guard member.kind == .file else {
      if member.kind == .sparse {
        return .failed(
          MediaFailure(.unsupported, "The member of the tar file is sparse; write it without holes (not tar -S)."))
      }
      return .failed(MediaFailure(.unsupported, "The member of the tar file is not a regular file."))
    }
    do {
      var memory = try MemoryFile(limit: limit)
      while case let piece = try reader.content(), !piece.isEmpty { try memory.append(piece) }
      return .opened(.memory(memory))
    } catch let failure as MediaFailure {
      return .failed(failure)
    }
  }
}

/// A tar file, a pipe or standard input as bytes.
private final class TarFile: Sendable {
  struct Stopped: Error {}

  private let descriptor: CInt
  private let name: String
  private let stop: StopSignal

  init(_ path: PathBytes, stop: StopSignal) throws(Fault) {
    (name, self.stop) = (DisplayText.visible(path), stop)
    descriptor =
      path.isStandardInput ? STDIN_FILENO : path.withCString { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    guard descriptor >= 0 else {
      throw Fault(.usage, "cannot open the tar file \(name): \(String(cString: strerror(errno)))")
    }
  }

  deinit { if descriptor > STDIN_FILENO { close(descriptor) } }

  /// The next bytes; none at the end.
  func read() throws -> [UInt8] {
    var reader = DescriptorReader(descriptor: descriptor, stop: stop)
    switch reader.read() {
    case .bytes(let bytes): return bytes
    case .end: return []
    case .stopped: throw Stopped()
    case .failed(let code):
      throw Fault(.software, "cannot read the tar file \(name): \(String(cString: strerror(code)))")
    }
  }
}
