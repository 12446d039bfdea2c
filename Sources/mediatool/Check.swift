internal import ArgumentParser
internal import AttachmentPolicy
internal import Glibc
internal import MediaEngine
internal import MediaModel

/// `mediatool check`: decides whether files may be attached.
struct Check: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check whether a selection of files meets the limits of a chat, an MMS or e-mail.",
    discussion: """
      Applies the rules of a chat, an MMS or e-mail to the files as one selection, in the given order. Prints the overall \
      result, every reason for which a file is refused, and which files to remove or reduce so that the rest of the selection is \
      accepted. A file's type comes from its content, not from its name. A value equal to a limit is accepted. The output is a table on \
      a terminal, otherwise one JSON object.

      photo-tray, the default, accepts up to ten files of at most 100 MiB each. mattermost has the same limits, and also limits images and videos to 33,177,600 pixels, \
      and refuses all files if it refuses one. The mms presets accept up to 25 images, videos, audio files, contacts and texts; their total size \
      is limited to the size in the preset's name, less 5 KiB for headers; an image that `compose` can reduce counts as at most 16 KiB. mail-25m \
      accepts any number of files that together have at most 25 MiB when encoded as an e-mail.

      A policy file is a JSON object with any of the keys allowsAttachments, maxAttachments, maxFileBytes, maxMessageBytes, maxPixels, \
      maxDuration, maxTextScalars, allowedKinds, allowedTypes, kindLimits, refusedMismatches, refusesDamagedFiles, refusesSameAsset, \
      refusesSameContent, batch (eachByItself, allOrNothing), shrinksImages. allowsAttachments, refuses… and shrinksImages are true or false. \
      refusesSameAsset and refusesSameContent refuse the same item of a photo library, or the same bytes, twice; batch is allOrNothing if one refused \
      file refuses the whole selection; shrinksImages accepts a still image over the size limit because it is reduced before sending. Sizes are in bytes, maxDuration in seconds, maxTextScalars in Unicode scalars (code points). allowedKinds and allowedTypes \
      are lists, for example ["image"] and ["image/jpeg"]; refusedMismatches lists the kinds of wrong file names to refuse: format (a PNG named .jpg), \
      kind (a video named .jpg), active (a web page, script, program or archive named like media); kindLimits is an object with an object of \
      maxFileBytes and maxDuration for each kind. A limit that is null does not apply. An absent key has the value of the preset that \
      the key `preset` names, photo-tray by default.

      EXAMPLES
        mediatool check beach.mov cat.jpg
        mediatool check Photos --policy mattermost
        mediatool check *.jpg --policy mms-300k --json |
          jq '.files[] | select(.accepted | not)'

      EXIT STATUS
        0    every file is accepted
        2    a file is refused by the policy, does not exist or cannot be read
        64   the command line or the policy file is invalid
        70   results cannot be written, the file list cannot be read, or no
             worker can be started
        130  interrupted by Ctrl-C or SIGTERM
      """)

  @OptionGroup var inputs: InputOptions

  @Option(help: PolicyArgument.help, completion: PolicyArgument.completion, transform: PolicyArgument.parse)
  var policy: PolicyArgument?

  @OptionGroup var use: LibraryUse
  @OptionGroup var running: RunOptions

  func validate() throws { try inputs.requireSome() }

  func run() throws {
    let batch = try Batch(running)
    let rules = policy?.rules ?? AttachmentRules()
    let engine = try batch.fileEngine(for: inputs, library: use.reader())
    // Standard input can be read only once, so its digest is computed at once.
    var files = try batch.gather(InputSource(inputs, stop: batch.stop)) { input throws(Fault) in
      try engine.info(of: input, digest: input.isReadOnce && rules.refusesSameContent)
    }
    if rules.refusesSameContent { try addDigests(to: &files, batch: batch, engine: engine) }
    let record = CheckRecord(files, under: rules)
    try write(record)
    if !record.verdict.accepted { throw ExitCode(ExitStatus.refused.rawValue) }
  }

  /// Adds the digests of files with equal sizes; other files cannot have equal content.
  private func addDigests(
    to files: inout [(input: Input, found: MediaInfo)], batch: Batch, engine: FileEngine
  ) throws {
    let sizes = Dictionary(grouping: files.indices) { files[$0].found.bytes }
    let alike = sizes.filter { $0.key > 0 && $0.value.count > 1 }.values.joined().filter {
      files[$0].found.sha256 == nil
    }
    let numbers = Locked(alike.sorted()[...])
    let inputs = files.map(\.input)
    try batch.each(
      next: { numbers.withLock { $0.popFirst() } }, path: { inputs[$0].path },
      work: { number throws(Fault) in try engine.info(of: inputs[number], digest: true).sha256 },
      deliver: { files[$0].found.sha256 = $1 })
  }

  private func write(_ record: CheckRecord) throws {
    let writer = ResultWriter()
    do {
      guard running.showsTable else {
        try writer.write(line: JSONLine.text(record))
        if Diagnostics.namesFailures {
          for line in CheckTable.refusals(record) { Diagnostics.note(DisplayText.visible(line)) }
        }
        return
      }
      let table = Table(columns: CheckTable.columns)
      try writer.write(line: table.heading)
      for row in CheckTable.rows(record) { try writer.write(lines: table.lines(row)) }
      for line in CheckTable.suggestions(record) {
        for part in DisplayWidth.wrapped(line, to: Terminal.width(STDOUT_FILENO)) { try writer.write(line: part) }
      }
      Diagnostics.note(CheckTable.summary(record.verdict))
    } catch is ResultWriter.Closed {
      Batch.endLikeAnyOtherWriter()
    }
  }
}

extension Input {
  /// Whether it can be read only once.
  var isReadOnce: Bool { if case .standardInput = content { true } else { false } }
}
