internal import CEscapes
internal import Glibc
internal import MediaEngineProtocol
internal import MediaModel

/// A decoder that does what the first line of the file says: what a file does to a real one that has a hole.
struct StubExecutor: MediaJobExecutor {
  func describe() -> EngineDescription { EngineDescription(engines: [], images: [], containers: []) }

  func perform(_ job: MediaJob, file: JobFile, report: @escaping (JobEvent) -> Void) -> MediaJobResult {
    let descriptor: CInt
    switch file {
    case .descriptor(let number): descriptor = number
    case .asked(let size, let ask): return Self.answer(size: size, ask)
    }
    defer { close(descriptor) }
    var status = stat()
    fstat(descriptor, &status)
    var info = MediaInfo(type: .plainText, bytes: Int(status.st_size))
    let line = Self.firstLine(descriptor)
    let words = line.split(separator: " ").map(String.init)
    if words.first == "grow" {
      // Somebody writes to the file while it is looked at.
      while status.st_size == off_t(info.bytes) { fstat(descriptor, &status) }
      info.bytes = Int(status.st_size)
    }
    if words.first == "late", job.images != nil {
      report(.stage(.rendering, info))
      Self.act(Array(words.dropFirst()), descriptor)
    }
    info.title = Self.act(words, descriptor)
    var result = MediaJobResult(info: info, bytesRead: line.utf8.count)
    if job.images != nil { result.thumbnails = ThumbnailResult(icon: .text) }
    return result
  }

  /// The text of a small file that is asked for as the title.
  private static func answer(size: Int, _ ask: (Int, Int) -> [UInt8]?) -> MediaJobResult {
    var info = MediaInfo(type: .plainText, bytes: size)
    info.title = ask(0, size).map { String(decoding: $0, as: UTF8.self) } ?? "no bytes"
    return MediaJobResult(info: info, bytesRead: size)
  }

  private static func firstLine(_ descriptor: CInt) -> String {
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    return String(decoding: bytes.prefix(max(0, count)).prefix { $0 != 10 }, as: UTF8.self)
  }

  /// Does it; what it has to say.
  @discardableResult
  private static func act(_ words: [String], _ descriptor: CInt) -> String {
    switch words.first {
    case "abort": abort()
    case "fault":
      // Address 0, and nothing there.
      return String(cString: UnsafePointer<CChar>(bitPattern: 8) ?? UnsafePointer(strdup("")))
    case "exit": exit(CInt(words.dropFirst().first ?? "") ?? 1)
    case "hang": while true {}
    case "sleep": while true { pause() }
    case "balloon": balloon()
    case "hold":
      // So many megabytes, and no more.
      let bytes = (Int(words.last ?? "") ?? 0) << 20
      if let memory = malloc(bytes) { memset(memory, 1, bytes) }
      while true { pause() }
    case "keep":
      // So many megabytes, after this job too.
      let bytes = (Int(words.last ?? "") ?? 0) << 20
      if let memory = malloc(bytes) { memset(memory, 1, bytes) }
      return "\(getpid())"
    case "threads": swarm(Int(words.last ?? "") ?? 0)
    case "starve":
      starve(words.last ?? "")
      return "fed"
    case "foreign":
      escape_in_other_words()
      return "nothing happened"
    case "escape": return escapes(descriptor, parent: CInt(words.last ?? "") ?? 0)
    case "process": return "\(getpid())"
    case "descriptors": return (0..<64).filter { fcntl($0, F_GETFD) >= 0 }.map(String.init).joined(separator: " ")
    case "environment": return environ.pointee == nil ? "none" : "some"
    default: return words.joined(separator: " ")
    }
  }

  /// Gets no memory, and does what libraries then do.
  private static func starve(_ end: String) {
    if end == "full" {
      // Threads' stacks, for example: not by malloc.
      while mmap(nil, 1 << 22, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED {}
      raise(SIGTRAP)
    }
    let bytes = malloc(1 << 33)
    switch end {
    case "abort": abort()
    case "trap": raise(SIGTRAP)
    // Nobody looked whether there was any.
    case "fault": write(to: bytes ?? UnsafeMutableRawPointer(bitPattern: 16))
    // Had no memory, went on without it, and crashed over something else.
    case "elsewhere": write(to: UnsafeMutableRawPointer(bitPattern: 0x1000_0000_0000))
    default: break
    }
  }

  private static func write(to address: UnsafeMutableRawPointer?) {
    if let address { memset(address, 1, 1) }
  }

  /// So many threads that wait.
  private static func swarm(_ count: Int) -> Never {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setstacksize(&attributes, 65_536)
    for _ in 0..<count {
      var thread = pthread_t()
      pthread_create(&thread, &attributes, { _ in while true { pause() } }, nil)
    }
    while true { pause() }
  }

  private static func balloon() -> Never {
    // Touched page by page, and never given back; a megabyte at a time until there is no more.
    while true {
      guard let bytes = malloc(1 << 20) else { abort() }
      memset(bytes, 1, 1 << 20)
    }
  }

  private static func escapes(_ descriptor: CInt, parent: CInt) -> String {
    (0..<escape_count()).map { index in
      "\(String(cString: escape_name(index)))=\(escape_try(index, descriptor, parent))"
    }.joined(separator: " ")
  }
}
