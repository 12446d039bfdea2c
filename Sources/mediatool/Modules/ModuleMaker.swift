internal import FileSupport
internal import MMSCodec
internal import Mail
internal import MediaEngine
internal import MediaEngineProtocol
internal import MediaModel
internal import Messaging

/// Makes modules of files and messages, with one engine call per file.
struct ModuleMaker: Sendable {
  /// The result for an input.
  enum Found: Sendable {
    /// A PDU, a mail, or the mails of an mbox: each is a message of its own.
    case messages([ShownMessage])
    /// A file, which is a part of the message of all files.
    case file(EncodedFile)
  }

  /// A file with what its module needs: facts, thumbnails and placeholder.
  struct EncodedFile: Sendable {
    var file: MessageModule.File
    var path: PathBytes?
    var failure: MediaFailure?
    var playable: String?
    /// The bytes of a part, where parts are written.
    var content: ArraySlice<UInt8>?
  }

  let engine: MediaEngine
  let stop: StopSignal
  /// Whether to keep small audio files and videos, for a page that plays them.
  let keepsPlayable: Bool
  /// Whether the bytes of parts are kept to be written.
  let keepsParts: Bool
  private let limits = MediaLimits()

  /// The rendition of a thread (docs/design.md §4).
  private static let requests = RenditionRequest.named("message").map { [$0] } ?? []

  init(engine: MediaEngine, stop: StopSignal, keepsPlayable: Bool, keepsParts: Bool = false) {
    (self.engine, self.stop, self.keepsPlayable, self.keepsParts) = (engine, stop, keepsPlayable, keepsParts)
  }

  /// Finds facts and makes images of an input, or of all parts of a PDU.
  /// - Throws: An error that would affect every input.
  func found(_ input: Input) throws(Fault) -> Found {
    let name = String(decoding: input.path.lastComponent, as: UTF8.self)
    do throws(MediaFailure) {
      if case .standardInput = input.content {
        // Standard input can be read only once, so it is kept until its type is known.
        let bytes = try MessageBytes.read(input, limit: limits.bytes, stop: stop)
        let made = try made(.bytes(bytes), name: nil, claim: nil, path: nil) { bytes[...] }
        if isMail(made, input) { return .messages(try mails(bytes, of: input)) }
        return isMessage(made, name: "") ? .messages([try message(bytes, of: input)]) : .file(made)
      }
      let source = try input.source(limits: limits, stop: stop)
      let made = try made(source, name: name, claim: input.claim, path: input.path) {
        // The file may have vanished or grown; then it is not played.
        (try? MessageBytes.read(input, limit: PlayableMedia.maxBytes, stop: stop))?[...] ?? []
      }
      if isMail(made, input) {
        return .messages(try mails(try MessageBytes.read(input, limit: limits.bytes, stop: stop), of: input))
      }
      guard isMessage(made, name: name) else { return .file(made) }
      return .messages([try message(try MessageBytes.read(input, limit: limits.bytes, stop: stop), of: input)])
    } catch {
      try error.throwIfOurs()
      if name.lowercased().hasSuffix(".mms") {
        return .messages([ShownMessage(path: input.path, failure: error)])
      }
      return .file(Self.unreadable(name: name, path: input.path, error))
    }
  }

  /// The modules of files that form one message, in order.
  static func modules(of files: [EncodedFile]) -> [ShownModule] {
    let modules = MessageModule.modules(of: files.map { .file($0.file) })
    return zip(modules, files).map { module, file in
      ShownModule(
        module: module, path: file.path, failure: file.failure, playable: file.playable, title: file.file.info.title,
        from: file.file.images.first?.from, hasAlpha: file.file.info.alpha == true)
    }
  }

  private func isMessage(_ made: EncodedFile, name: String) -> Bool {
    let type = made.file.info.type
    if type == MMSMessage.mediaType { return true }
    // Some relays pad messages in front, or do not put the message type first.
    return name.lowercased().hasSuffix(".mms") && (type.kind == .other || type.kind == .text)
  }

  private func isMail(_ made: EncodedFile, _ input: Input) -> Bool {
    let type = made.file.info.type
    // Some mails begin with a field that no signature knows.
    return Self.mailTypes.contains(type) || MailInput.hasPathOfMail(input) && type.kind == .text
  }

  private static let mailTypes: Set<MediaType> = [MediaType("message/rfc822"), MediaType("application/mbox")]

  /// The mails of a file: one, or those of an mbox.
  private func mails(_ bytes: [UInt8], of input: Input) throws(MediaFailure) -> [ShownMessage] {
    let sources = MailStructure.Source(bytes).mails()
    var result: [ShownMessage] = []
    for (index, source) in sources.enumerated() {
      guard !stop.isRequested else { throw MediaFailure(.cancelled, "The run was interrupted.") }
      var shown = ShownMessage(path: input.path, outputName: input.outputName)
      if sources.count > 1 {
        shown.number = index + 1
        shown.outputName += "/\(index + 1)"
      }
      try read(source, &shown)
      result.append(shown)
    }
    return result
  }

  /// Reads a mail: its text, then its files, those inside of others too.
  private func read(_ source: MailStructure.Source, _ shown: inout ShownMessage) throws(MediaFailure) {
    let structure = MailInput.structure(of: source)
    shown.mail = structure
    var files: [EncodedFile] = []
    var reader = MailStructure.ContentReader(source)
    for position in structure.attachments() {
      let part = structure.parts[position]
      let content = reader.content(of: position, in: structure, maxOctets: MailInput.maxPartBytes + 1)
      var declared = MessageModule.File(part)
      guard content.count <= MailInput.maxPartBytes else {
        declared.isDownloaded = true
        declared.failure = MailInput.partIsTooLarge
        declared.id = part.section
        files.append(EncodedFile(file: declared, failure: MailInput.partIsTooLarge))
        continue
      }
      let claim = MediaType.Claim.mediaType(declared.info.type.rawValue)
      var made = try made(.bytes(content), name: declared.name, claim: claim, path: nil) { content[...] }
      if made.file.info.error?.code == .unrecognized { made.file.info.type = declared.info.type }
      made.file.id = part.section
      if keepsParts { made.content = content[...] }
      files.append(made)
    }
    let text = structure.text(of: source)
    let modules = MessageModule.modules(of: [MessageModule.Content(text)] + files.map { .file($0.file) })
    var rest = files[...]
    shown.modules = modules.map { module in
      guard module.kind != .text else {
        return ShownModule(module: module, content: keepsParts ? Array(text.text.utf8)[...] : nil)
      }
      let file = rest.popFirst()
      return ShownModule(
        module: module, failure: file?.failure == MailInput.partIsTooLarge ? file?.failure : nil,
        playable: file?.playable,
        title: file?.file.info.title, from: file?.file.images.first?.from, hasAlpha: file?.file.info.alpha == true,
        content: file?.content)
    }
  }

  private func message(_ bytes: [UInt8], of input: Input) throws(MediaFailure) -> ShownMessage {
    var shown = ShownMessage(path: input.path, outputName: input.outputName)
    let message: MMSMessage
    do throws(MMSMessage.DecodingError) {
      message = try MMSMessage(decoding: bytes[...], defects: &shown.defects)
    } catch {
      shown.failure = MediaFailure(.corrupt, "The file is not a valid MMS message.", detail: error.description)
      return shown
    }
    shown.message = message
    var made: [EncodedFile] = []
    var failure: MediaFailure?
    let content = message.moduleContent { part in
      do throws(MediaFailure) {
        var file = try self.made(part)
        file.file.id = part.contentID
        made.append(file)
      } catch {
        failure = failure ?? error
        made.append(EncodedFile(file: MessageModule.File(part), content: keepsParts ? part.content : nil))
      }
      return made.last?.file ?? MessageModule.File(part)
    }
    // A failure of the engine would affect all parts.
    if let failure { throw failure }
    var files = made[...]
    shown.modules = MessageModule.modules(of: content).map { module in
      if let text = module.text {
        return ShownModule(module: module, content: keepsParts ? Array(text.utf8)[...] : nil)
      }
      let file = files.popFirst()
      return ShownModule(
        module: module, playable: file?.playable, title: file?.file.info.title,
        from: file?.file.images.first?.from, hasAlpha: file?.file.info.alpha == true, content: file?.content)
    }
    return shown
  }

  private func made(_ part: MMSMessage.Part) throws(MediaFailure) -> EncodedFile {
    let content = part.content
    let declared = part.contentType.mediaType
    let claim = MediaType.Claim.mediaType(declared.rawValue)
    var made = try made(.bytes(Array(content)), name: part.name, claim: claim, path: nil) { content }
    // An unrecognized part counts as a damaged image if its message declares it an image.
    if made.file.info.error?.code == .unrecognized { made.file.info.type = declared }
    if keepsParts { made.content = content }
    try replaceWirelessBitmap(&made, Array(content))
    return made
  }

  private static let wirelessBitmap = MediaType("image/vnd.wap.wbmp")

  /// Replaces a WBMP, which only phones of the time of WAP display, by a PNG of the same pixels (A26).
  private func replaceWirelessBitmap(_ made: inout EncodedFile, _ content: [UInt8]) throws(MediaFailure) {
    guard made.file.info.type == Self.wirelessBitmap, let size = made.file.info.displaySize else { return }
    var request = RenditionRequest(name: "png", box: size)
    request.format = .png
    let job = MediaJob(
      facts: .given(made.file.info), images: .init(options: ThumbnailOptions(), requests: [request]))
    let result = try engine.answerBlocking(job, .bytes(content)).result
    guard let png = result.thumbnails?.renditions.first?.data else { return }
    (made.file.info.type, made.file.info.bytes) = (.png, png.count)
    if let name = made.file.name, name.lowercased().hasSuffix(".wbmp") { made.file.name = name.dropLast(5) + ".png" }
    if keepsParts { made.content = png[...] }
  }

  private func made(
    _ source: MediaSource, name: String?, claim: MediaType.Claim?, path: PathBytes?, bytes: () -> ArraySlice<UInt8>
  ) throws(MediaFailure) -> EncodedFile {
    let request = MediaPreview.Request(renditions: Self.requests)
    let result = try engine.answerBlocking(request.job(claim: claim), source).result
    var file = MessageModule.File(name: name, info: result.info)
    file.failure = result.thumbnails?.error ?? result.info.error
    file.placeholder = result.thumbnails?.placeholder
    file.peaks = result.thumbnails?.peaks
    var renditions = result.thumbnails?.renditions ?? []
    if renditions.first?.from == .cover {
      // An audio file has both.
      var waveform = ThumbnailOptions()
      (waveform.prefersWaveform, waveform.placeholder) = (true, false)
      let job = MediaJob(
        facts: .given(result.info), images: .init(options: waveform, requests: Self.requests))
      renditions += try engine.answerBlocking(job, source).result.thumbnails?.renditions ?? []
    }
    file.images = renditions.map { MessageModule.File.Image($0.address, from: $0.from) }
    var made = EncodedFile(file: file, path: path, failure: file.failure)
    if keepsPlayable, PlayableMedia.isPlayed(result.info) {
      made.playable = PlayableMedia.address(of: bytes(), info: result.info)
    }
    return made
  }

  private static func unreadable(name: String, path: PathBytes, _ failure: MediaFailure) -> EncodedFile {
    var file = MessageModule.File(name: name, info: MediaInfo(type: .octetStream, bytes: 0))
    file.failure = failure
    return EncodedFile(file: file, path: path, failure: failure)
  }
}
