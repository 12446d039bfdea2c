internal import ArgumentParser
internal import Foundation
internal import Glibc
internal import MediaEngine
internal import MediaModel
internal import Messaging

/// `mediatool text`: finds links and counts segments of message texts.
struct Text: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "text",
    abstract: "Find the links in message texts, and count their SMS segments.",
    discussion: """
      Reads one JSON string per line from standard input, and prints one JSON object per line, in the same order. `links` are phone \
      numbers, e-mail addresses and web addresses with their ranges in UTF-16 code units, Unicode scalars and UTF-8 bytes; `segments` are \
      the SMS segments that the text needs. A line that is not a JSON string has an `error` instead.

      EXAMPLES
        echo '"call +1 555 123 4567"' | mediatool text
        jq -c .body messages.json | mediatool text | jq .segments.count

      EXIT STATUS
        0    every line was read
        1    some lines failed; their results have an `error`
        64   the command line is invalid
        70   results cannot be written, or standard input cannot be read
        130  interrupted by Ctrl-C or SIGTERM
      """)

  @Option(
    help: ArgumentHelp(
      """
      Count segments with the national language tables (3GPP TS 23.038) of this language too: \
      \(SMSSegmenter.NationalLanguage.allCases.map { "\($0)" }.joined(separator: ", ")). Repeatable; of several languages, \
      the one that needs the fewest segments is used for each text.
      """,
      valueName: "language"),
    completion: .list(SMSSegmenter.NationalLanguage.allCases.map { "\($0)" }), transform: parseLanguage)
  var national: [SMSSegmenter.NationalLanguage] = []

  @Flag(
    name: .customLong("strict-7bit"),
    help:
      "Count as if every text were converted to the GSM 7-bit alphabet: ê becomes e, and characters without an equivalent become *."
  )
  var strict7Bit = false

  @OptionGroup var verbosity: VerbosityOptions<VerbosityOfLibrary>

  func run() throws {
    let stop = try StopSignal.make()
    stop.watchSignals()
    var lines = TextLines(stop: stop)
    let answer = TextAnswer.Maker(languages: Set(national), isStrict7Bit: strict7Bit)
    let writer = ResultWriter()
    var (done, failed) = (0, 0)
    do {
      while let batch = try lines.next() {
        var output = ""
        for line in batch {
          let result = answer.answer(to: line, number: done + 1)
          done += 1
          if let error = result.error {
            failed += 1
            if Diagnostics.namesFailures { Diagnostics.note("line \(done): \(error.code): \(error.message)") }
          }
          output += try (output.isEmpty ? "" : "\n") + JSONLine.text(result)
        }
        if !output.isEmpty { try writer.write(line: output) }
      }
    } catch is ResultWriter.Closed {
      // The reader has closed the pipe, and SIGPIPE was ignored: exits with the status that a shell would show.
      throw ExitCode(128 + SIGPIPE)
    }
    if stop.signal != nil {
      Diagnostics.say("interrupted after line \(done); the results of later lines are missing")
      throw ExitCode(ExitStatus.interrupted.rawValue)
    }
    if failed > 0 { throw ExitCode(ExitStatus.someFailed.rawValue) }
  }

  @Sendable private static func parseLanguage(_ name: String) throws -> SMSSegmenter.NationalLanguage {
    let names = SMSSegmenter.NationalLanguage.allCases.map { "\($0)" }
    guard let index = names.firstIndex(of: name.lowercased()) else {
      throw ValidationError(
        "'\(name)' is not a known language; expected one of \(names.joined(separator: ", "))."
          + Suggestion.sentence(for: name, among: names))
    }
    return SMSSegmenter.NationalLanguage.allCases[index]
  }
}

/// The lines of standard input, as many at a time as have arrived.
struct TextLines {
  /// Maximum length in bytes, longer than any message; a longer line is dropped.
  static let longest = 16_777_216

  /// A line without its line end; nil if it is too long.
  typealias Line = [UInt8]?

  private var reader: DescriptorReader
  private var begun: [UInt8] = []
  private var isTooLong = false
  private var hasBegun = false
  private var atEnd = false

  init(descriptor: Int32 = 0, stop: StopSignal) { reader = DescriptorReader(descriptor: descriptor, stop: stop) }

  /// The lines that have arrived, possibly none; nil at the end, or when the run is stopped.
  mutating func next() throws(Fault) -> [Line]? {
    guard !atEnd else { return nil }
    switch reader.read() {
    case .bytes(let bytes): return take(bytes)
    case .stopped: return nil
    case .failed(let code): throw Fault(.software, "cannot read standard input: \(String(cString: strerror(code)))")
    case .end:
      atEnd = true
      return hasBegun ? [finish()] : []
    }
  }

  private mutating func take(_ bytes: [UInt8]) -> [Line] {
    var lines: [Line] = []
    var rest = bytes[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      append(rest[..<end])
      lines.append(finish())
      rest = rest[(end + 1)...]
    }
    if !rest.isEmpty { append(rest) }
    return lines
  }

  private mutating func append(_ piece: ArraySlice<UInt8>) {
    hasBegun = true
    if begun.count + piece.count > Self.longest { isTooLong = true }
    if isTooLong { begun = [] } else { begun += piece }
  }

  private mutating func finish() -> Line {
    defer {
      begun = []
      isTooLong = false
      hasBegun = false
    }
    return isTooLong ? nil : begun
  }
}

/// The JSON record of one line (docs/design.md §7).
struct TextAnswer: Encodable {
  var links: [LinkDetector.Link]?
  var segments: Segments?
  /// The line's number from 1, if there is an error.
  var line: Int?
  var error: Failure?

  struct Segments: Encodable {
    let count: Int
    let available: Int
    let perSegment: Int
    let alphabet: SMSSegmenter.Segments.Alphabet
    let showsCounter: Bool
    /// The languages of the national alphabets in use.
    let locking: String?
    let singleShift: String?
  }

  struct Failure: Encodable {
    let code: String
    let message: String
  }

  /// Answers lines of input.
  struct Maker {
    private let detector = LinkDetector()
    private let segmenter: SMSSegmenter
    private let decoder = JSONDecoder()

    init(languages: Set<SMSSegmenter.NationalLanguage>, isStrict7Bit: Bool = false) {
      segmenter = SMSSegmenter(
        lockingLanguages: languages, singleShiftLanguages: languages, isStrict7Bit: isStrict7Bit)
    }

    func answer(to line: TextLines.Line, number: Int) -> TextAnswer {
      guard let line else {
        return failure("tooLarge", "The line is longer than \(TextLines.longest.grouped) bytes.", number)
      }
      // Only strings are decoded, so deeply nested values cost nothing.
      guard line.first(where: { $0 != 0x20 && $0 != 0x09 }) == UInt8(ascii: "\""),
        let text = try? decoder.decode(String.self, from: Data(line))
      else { return failure("corrupt", "The line is not a JSON string.", number) }
      let segments = segmenter.segments(of: text)
      return TextAnswer(
        links: detector.links(in: text),
        segments: Segments(
          count: segments.count, available: segments.available, perSegment: segments.perSegment,
          alphabet: segments.alphabet, showsCounter: segments.showsCounter,
          locking: segments.nationalTables?.locking.map { "\($0)" },
          singleShift: segments.nationalTables?.singleShift.map { "\($0)" }))
    }

    private func failure(_ code: String, _ message: String, _ line: Int) -> TextAnswer {
      TextAnswer(line: line, error: Failure(code: code, message: message))
    }
  }
}
