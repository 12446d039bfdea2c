public import AttachmentPolicy
internal import MediaModel

extension MessageModule {
  /// Size in bytes above which no thumbnail is made of an image (A11): 10 MiB.
  public static let largestImage = 10 * 1024 * 1024

  /// The modules of a message, in its order; empty texts have none.
  public static func modules(of content: [Content], links detector: LinkDetector = LinkDetector())
    -> [MessageModule]
  {
    var names = FileNames()
    return content.compactMap { piece in
      switch piece {
      case .text(let text, let links):
        text.isEmpty ? nil : MessageModule(text: text, links: detector.links(in: text, given: links))
      case .file(let file): MessageModule(file: file, filename: names.name(for: file.name, type: file.info.type))
      }
    }
  }

  /// Creates a text module.
  private init(text: String, links: [LinkDetector.Link]) {
    self.init(kind: .text)
    self.text = text
    self.links = links
    label = text
  }

  /// Creates a file module.
  private init(file: File, filename: String) {
    let info = file.info
    self.init(kind: Kind(info))
    id = file.id
    type = info.type
    // A file at the carrier has a size only if its message states one.
    if file.isDownloaded || info.bytes > 0 {
      bytes = max(0, info.bytes)
      size = HumanNumbers.size(info.bytes)
    }
    self.filename = filename
    width = info.width
    height = info.height
    duration = info.duration.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
    peaks = kind == .audio ? file.peaks : nil
    media = file.isDownloaded ? file.media : nil
    placeholder = file.placeholder
    action =
      switch kind {
      case .text: nil
      case .video, .audio: .play
      case .image, .contact, .calendar: .view
      case .other: info.kind == .document || info.kind == .text ? .view : .save
      }
    if !file.isDownloaded { action = .download }
    takeImages(file)
    settleState(file)
    showsName = kind != .image && !isWholeMessage
    if kind == .audio || state != .ready || !hasImage { icon = MediaIcon(info: info) }
    label = ModuleLabel.text(for: self)
  }

  private var hasImage: Bool { thumbnail != nil || poster != nil || cover != nil || waveform != nil }

  private mutating func takeImages(_ file: File) {
    for image in file.images where file.isDownloaded {
      switch (image.from, kind) {
      case (.cover, .audio): cover = cover ?? image.reference
      case (.waveform, .audio): waveform = waveform ?? image.reference
      case (_, .video): poster = poster ?? image.reference
      default: thumbnail = thumbnail ?? image.reference
      }
    }
  }

  private mutating func settleState(_ file: File) {
    guard file.isDownloaded else {
      state = .notDownloaded
      return
    }
    let failure = file.failure ?? file.info.error
    if let failure, failure.isDamage(of: kind) || failure.isAbsence {
      state = failure.isAbsence ? .placeholder : .corrupted
      reason = failure.code.rawValue
    } else if hasImage || kind != .image && kind != .video {
      state = .ready
    } else if let failure {
      state = failure.isExcess ? .tooLarge : .placeholder
      reason = failure.code.rawValue
    } else if kind == .image, file.info.bytes >= Self.largestImage {
      state = .tooLarge
      reason = MediaFailure.Code.tooLarge.rawValue
    } else {
      state = .placeholder
      reason = "noPicture"
    }
  }
}

extension MessageModule.Kind {
  /// The kind of module for a file.
  init(_ info: MediaInfo) {
    self =
      switch info.kind {
      case .image: .image
      case .video: .video
      case .audio: .audio
      case .contact: .contact
      case .document, .text, .archive, .other: info.type.registered.rawValue == "text/calendar" ? .calendar : .other
      }
  }
}

extension MessageComposition {
  /// The modules of a message that is being composed, the same as after sending (R-MMS-38).
  ///
  /// - Parameter file: Returns an attachment with its thumbnails, in addition to its facts.
  public func modules(file: (MediaAttachment) -> MessageModule.File = { MessageModule.File($0) }) -> [MessageModule] {
    MessageModule.modules(
      of: content.map { item in
        switch item {
        case .text(let text): .text(text)
        case .attachment(let item): .file(file(item.attachment))
        }
      })
  }
}

extension MessageModule.File {
  /// Creates a file from an attachment, without thumbnails.
  public init(_ attachment: MediaAttachment) {
    self.init(id: attachment.id.rawValue, name: attachment.name, info: attachment.info)
  }
}

extension MediaFailure {
  /// Whether the file itself is damaged. An unrecognised file counts as any other file, unless it was declared as
  /// media.
  fileprivate func isDamage(of kind: MessageModule.Kind) -> Bool {
    code == .unrecognized
      ? [.image, .video, .audio].contains(kind)
      : [.corrupt, .truncated, .empty, .unreadable, .decoderCrashed].contains(code)
  }

  /// Whether the file cannot be accessed at all.
  fileprivate var isAbsence: Bool { [.notFound, .accessDenied].contains(code) }

  /// Whether processing was abandoned because of the size.
  fileprivate var isExcess: Bool {
    [.tooLarge, .tooManyPixels, .tooManyFrames, .timedOut, .outOfMemory].contains(code)
  }
}
