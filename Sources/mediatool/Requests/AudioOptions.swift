internal import ArgumentParser
internal import MediaModel

/// What `thumbnail` makes of audio files.
struct AudioOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "So many peaks of an audio file, 0…\(ThumbnailOptions.maxPeaks); 0 for none. (default: 100)", valueName: "n"),
    transform: Number.parser(0...ThumbnailOptions.maxPeaks))
  var peaks: Int?

  @Flag(help: "The waveform of an audio file, although it has a cover.")
  var waveform = false

  /// Puts them into the options of the library, whose defaults hold for what was not said.
  func apply(to options: inout ThumbnailOptions) {
    if let peaks { options.peaks = peaks }
    options.prefersWaveform = waveform
  }
}
