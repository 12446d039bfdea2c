internal import ArgumentParser
internal import FileSupport
internal import MediaEngine
internal import MediaEngineProtocol
internal import MediaModel

/// `mediatool thumbnail`: makes thumbnails and posters of files.
struct Thumbnail: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "thumbnail",
    abstract: "Make thumbnails, posters and storyboards of files.",
    discussion: """
      Each file is decoded once for all sizes. A video's poster is the most representative of a few key frames, a PDF's thumbnail is \
      its first page, and a vCard's is its photo. Images are upright, in sRGB (or --color-space p3), without metadata, and never larger than the \
      source unless --upscale is given.

      Images are written as DIR/NAME.SIZE.EXT: IN/photo.jpg becomes DIR/photo.grid.webp. The subfolders of a named folder are created in DIR as well. If \
      two files would get the same name, the second one keeps its extension (photo.png.grid.webp) or is numbered \
      (photo-2.grid.webp). Existing files with these names are replaced. With %s in the name, --output is a template: -o \
      'small/tn_%s.jpg' writes small/tn_photo.jpg. With -, a single image of a single file is written to standard output.

      If a file has no image, its result has an `icon` instead: image, video, audio, contact, calendar, document, \
      spreadsheet, presentation, text, archive or file. An `icon` without an `error` is not a failure.

      EXAMPLES
        mediatool thumbnail photo.jpg
        mediatool thumbnail Photos -o small --size grid --size view
        mediatool thumbnail photo.jpg --size 256x192 --fit cover --gravity attention
        mediatool thumbnail photo.jpg -s 512 -o - >photo.webp
        mediatool thumbnail Photos -o 'small/tn_%s.webp'
        mediatool thumbnail photo.jpg --format jpeg --max-bytes 300k
        mediatool thumbnail song.mp3 --size message --waveform
        mediatool thumbnail video.mp4 --at 25% --storyboard 50
        find . -name "*.heic" -print0 | mediatool thumbnail --files-from - -0
        mediatool thumbnail s3://bucket/photo.jpg --s3-region eu-central-1

      EXIT STATUS
        0    every requested image was written, or the result has an `icon`
             and no `error`
        1    some files failed; their results have an `error`, next to the
             images that could be made
        64   the command line is invalid
        70   images or results cannot be written, the file list cannot be read,
             or no worker can be started
        130  interrupted by Ctrl-C or SIGTERM
      """)

  @OptionGroup var inputs: InputOptions

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Write the images to this folder, which is created if missing, or to names made from a template such as 'DIR/tn_%s.webp'; - means standard output. (default: thumbnails)",
      valueName: "dir|template"),
    completion: .directory)
  var output: PathBytes?

  @OptionGroup var requests: RequestOptions

  @Option(
    help: ArgumentHelp(
      "Use the frame of a video at this position, such as 12.5 (seconds) or 25%. (default: the most representative of several key frames)",
      valueName: "seconds|percent"),
    transform: PosterMoment.parse)
  var at: PosterMoment?

  @Option(
    help: ArgumentHelp(
      """
      Also write a strip of this many frames of each video, 1 to \(Storyboard.maxFrames), as NAME.storyboard.webp with a WebVTT \
      index. (default: none)
      """,
      valueName: "n"),
    transform: Number.parser(1...Storyboard.maxFrames))
  var storyboard: Int?

  @Flag(
    help:
      """
      For speed, use the thumbnail embedded in the file, even if it is small or differs from the image; the result has \
      `from: embedded`. Files without one are decoded.
      """
  )
  var draft = false

  @Flag(help: "Omit the placeholder (ThumbHash, BlurHash and dominant color) from the JSON.")
  var noPlaceholder = false

  @OptionGroup var audio: AudioOptions

  @Option(
    help: ArgumentHelp(
      "Refuse images with more pixels per frame than this. (default: 268,402,689, which is 16,383 x 16,383)",
      valueName: "n"),
    transform: Number.parser(1...Number.largest))
  var maxPixels: Int?

  @Option(
    help: ArgumentHelp(
      "Fail a file with timedOut after this many seconds. If given, it also limits the requests for a URL. (default: 10; 15 for a video)",
      valueName: "seconds"),
    transform: Seconds.parse)
  var deadline: Seconds?

  @OptionGroup var use: LibraryUse
  @OptionGroup var stream: StreamOptions
  @OptionGroup var remote: RemoteOptions
  @OptionGroup var running: RunOptions

  func validate() throws {
    try stream.requireSome(inputs)
    let target = try target
    if let format = target.format, requests.format != .auto, requests.format.value != format {
      throw ValidationError("--format \(requests.format.rawValue) contradicts the extension of --output.")
    }
    if target.format.map({ $0 != .webp }) == true, requests.animated {
      throw ValidationError("--animated writes WebP and cannot be used with this extension of --output.")
    }
    guard target == .standardOutput else { return }
    guard inputs.files.count == 1, inputs.filesFrom == nil, stream.requests == nil, !inputs.mayBeMany,
      requests.requests.count == 1,
      storyboard == nil
    else { throw ValidationError("--output - takes one file and one --size, without --storyboard.") }
    if running.json || running.table {
      throw ValidationError(
        "--output - writes the image to standard output and cannot be combined with --json or --table.")
    }
    if Terminal.isTerminal(1) {
      throw ValidationError(
        "--output - does not write binary data to a terminal; name a folder, or redirect standard output.")
    }
  }

  private var target: ImageTarget { get throws { try ImageTarget(output ?? PathBytes("thumbnails")) } }

  func run() throws {
    try remote.prepare(for: inputs, stream, running, deadline: deadline)
    let batch = try Batch(running)
    let template: NameTemplate?
    let folder: OutputFolder
    switch try target {
    case .standardOutput: return try writeToStandardOutput(batch)
    case .folder(let path): (folder, template) = (try OutputFolder(path, isAskedFor: output != nil), nil)
    case .template(let form, let path): (folder, template) = (try OutputFolder(path), form)
    }
    defer { folder.removeIfUnasked() }
    let source = try InputSource(
      inputs, requests: stream.requests, outputFolder: template == nil ? folder.identity : nil, named: true,
      takesRemote: true, stop: batch.stop)
    let request = request(try target.format)
    let library = isPlain ? try use.reader() : nil
    var job =
      if library == nil {
        ThumbnailJob(
          request: request, folder: folder,
          engine: try batch.engine(for: inputs, areMany: stream.requests != nil, libraries: .images))
      } else {
        ThumbnailJob(
          request: request, folder: folder,
          engine: LazyEngine { () throws(MediaEngine.StartFailure) in
            try batch.startEngine(for: inputs, libraries: .images)
          },
          library: library)
      }
    job.template = template
    job.sources = inputs.namedFiles.union(FileIdentity.all([stream.requests].compactMap { $0 }))
    job.listed = ListedFiles(inputs, requests: stream.requests, stop: batch.stop)
    job.isWalked = folder.isInside(anyOf: Set(inputs.files.compactMap { FileIdentity(ofFolder: $0) }))
    let format = try target.format
    job.renditions = { [requests] sizes in Self.requests(requests, sizes: sizes, format: format) }
    let table = running.showsTable ? Table(columns: ThumbnailTable.columns) : nil

    // Syncing a file waits for the disk while another one is decoded. The engine limits the number of decoding jobs.
    try batch.run(
      source, heading: table.map { table in { table.heading } }, threads: 2 * running.workers,
      stream: stream.settings(showsTable: running.showsTable)
    ) { [job, stop = batch.stop] input in
      do throws(Fault) {
        let record = try job.record(of: input, stop: stop)
        let lines =
          if let table {
            ThumbnailTable.rows(record).flatMap(table.lines)
          } else {
            [try JSONLine.text(record, id: input.request?.id)]
          }
        return .success(Batch.Row(lines: lines, failure: record.error))
      } catch {
        return .failure(error)
      }
    }
  }

  private func request(_ format: RenditionRequest.Format?) -> MediaPreview.Request {
    var request = MediaPreview.Request(renditions: Self.requests(requests, sizes: requests.sizes, format: format))
    request.thumbnails = options
    request.probe.limits = options.limits
    request.storyboardFrames = storyboard
    return request
  }

  private static func requests(
    _ options: RequestOptions, sizes: [SizeArgument], format: RenditionRequest.Format?
  ) -> [RenditionRequest] {
    options.requests(of: sizes).map { request in
      var request = request
      if let format { request.format = format }
      return request
    }
  }

  /// Writes the image of the one input, and nothing else.
  private func writeToStandardOutput(_ batch: Batch) throws {
    let (request, engine) = (request(nil), try batch.engine(for: inputs, libraries: .images))
    let answers = try batch.gather(try InputSource(inputs, takesRemote: true, stop: batch.stop)) {
      [stop = batch.stop] input in
      ThumbnailJob.image(of: input, request: request, engine: engine, stop: stop)
    }
    for (input, answer) in answers {
      switch answer {
      case .success(let image):
        do { try ResultWriter().write(image) } catch is ResultWriter.Closed { Batch.endLikeAnyOtherWriter() }
      case .failure(let failure):
        try failure.throwIfOurs()
        Diagnostics.fail(input.path, failure)
        throw ExitCode(ExitStatus.someFailed.rawValue)
      }
    }
  }

  /// Whether a library may have the requested images: they are made with the default options.
  private var isPlain: Bool { options == ThumbnailOptions() && storyboard == nil }

  private var options: ThumbnailOptions {
    var options = ThumbnailOptions()
    options.draft = draft
    options.placeholder = !noPlaceholder
    audio.apply(to: &options)
    options.posterPosition = at?.value
    if let maxPixels { options.limits.pixels = maxPixels }
    if let deadline {
      options.limits.renderSeconds = deadline.value
      options.limits.posterSeconds = deadline.value
    }
    return options
  }
}
