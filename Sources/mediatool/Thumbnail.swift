internal import ArgumentParser
internal import FileSupport
internal import MediaEngine
internal import MediaModel

/// `mediatool thumbnail`: how does it look small?
struct Thumbnail: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "thumbnail",
    abstract: "Make thumbnails of files.",
    discussion: """
      Each file is opened once, and all still sizes come from one decode. Of a video the best of a few key frames is shown. The images are upright, in sRGB (or --color-space p3), \
      without metadata, and never larger than the file's own without --upscale. They are written as DIR/NAME.SIZE.EXT: IN/photo.jpg becomes DIR/photo.grid.webp; of a folder the \
      tree below it is mirrored. Where two files would share a name, the later one keeps its extension (photo.png.grid.webp) or is \
      numbered (photo-2.grid.webp). A second run writes the same names again.

      Of a PDF it is the first page, of a vCard its photo. Where there is no image, `icon` says what stands for the file: image, \
      video, audio, contact, calendar, document, spreadsheet, presentation, text, archive or file. That is no error.

      EXAMPLES
        mediatool thumbnail photo.jpg
        mediatool thumbnail Photos -o small --size grid --size view
        mediatool thumbnail photo.jpg --size 256x192 --fit cover --gravity attention
        mediatool thumbnail photo.jpg --format jpeg --max-bytes 300k
        mediatool thumbnail song.mp3 --size message --waveform
        mediatool thumbnail video.mp4 --at 25% --storyboard 50
        find . -name "*.heic" -print0 | mediatool thumbnail --files-from - -0

      EXIT STATUS
        0    every image asked for was written, or an `icon` stands for it
        1    some results have an `error`; what could be made stands beside it
        64   the command line is wrong
        70   images or results cannot be written
        130  stopped by Ctrl-C or SIGTERM
      """)

  @OptionGroup var inputs: InputOptions

  @Option(
    name: .shortAndLong, help: ArgumentHelp("The folder for the images, made where it is missing.", valueName: "dir"),
    completion: .directory)
  var output = PathBytes("thumbnails")

  @OptionGroup var requests: RequestOptions

  @Option(
    help: ArgumentHelp(
      "The moment that a video shows, 12.5 or 25%. (default: the best of a few key frames)",
      valueName: "seconds|percent"),
    transform: PosterMoment.parse)
  var at: PosterMoment?

  @Option(
    help: ArgumentHelp(
      "Of videos also a strip of so many frames, NAME.storyboard.webp, and its WebVTT index.", valueName: "n"),
    transform: Number.parser(1...Storyboard.maxFrames))
  var storyboard: Int?

  @Flag(help: "The fastest image: the one that the file carries of itself, however small.")
  var draft = false

  @Flag(help: "No ThumbHash, BlurHash and colour.")
  var noPlaceholder = false

  @OptionGroup var audio: AudioOptions

  @Option(
    help: ArgumentHelp("Refuse images with more pixels in one frame. (default: 268402689)", valueName: "n"),
    transform: Number.parser(1...Number.largest))
  var maxPixels: Int?

  @Option(
    help: ArgumentHelp("Seconds for the images of one file. (default: 10, of a video 15)", valueName: "seconds"),
    transform: Seconds.parse)
  var deadline: Seconds?

  @OptionGroup var use: LibraryUse
  @OptionGroup var running: RunOptions

  func validate() throws {
    try inputs.requireSome()
    if output.bytes.isEmpty || output.hasNUL { throw ValidationError("--output needs the name of a folder.") }
  }

  func run() throws {
    let batch = try Batch(running)
    let folder = try OutputFolder(output)
    let source = try InputSource(inputs, outputFolder: folder.identity, stop: batch.stop)
    var request = PreviewRequest(renditions: requests.requests)
    request.thumbnails = options
    request.probe.limits = options.limits
    request.storyboardFrames = storyboard
    let library = isPlain ? try use.reader() : nil
    let job =
      if library == nil {
        ThumbnailJob(request: request, folder: folder, engine: try batch.engine(for: inputs))
      } else {
        ThumbnailJob(
          request: request, folder: folder, engine: LazyEngine { () throws(Fault) in try batch.engine(for: inputs) },
          library: library)
      }
    let table =
      running.showsTable
      ? Table(columns: ThumbnailTable.columns(width: Terminal.width(1)), colors: Terminal.usesColors(1)) : nil

    // Syncing a file waits for the disk: another one is decoded meanwhile. The engine sees to it that there are no more than that.
    try batch.run(source, heading: table?.heading, threads: 2 * running.workers) { [job, stop = batch.stop] input in
      do throws(Fault) {
        let record = try job.record(of: input, stop: stop)
        let lines =
          if let table { ThumbnailTable.rows(record).map(table.line) } else { [try JSONLine.text(record)] }
        return .success(Batch.Row(lines: lines, failed: record.error != nil))
      } catch {
        return .failure(error)
      }
    }
  }

  /// Whether it asks for nothing that a library would not have: whatever changes the images changes these.
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
