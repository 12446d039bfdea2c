internal import ArgumentParser
internal import MediaModel

/// What `thumbnail` makes of sounds.
struct SoundOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "So many peaks of a sound, 0…\(ThumbnailOptions.mostPeaks); 0 for none. (default: 100)", valueName: "n"),
    transform: Number.parser(0...ThumbnailOptions.mostPeaks))
  var peaks: Int?

  @Flag(help: "The waveform of a sound, although it has a cover.")
  var waveform = false

  /// Puts them into the options of the library, whose defaults hold for what was not said.
  func apply(to options: inout ThumbnailOptions) {
    if let peaks { options.peaks = peaks }
    options.prefersWaveform = waveform
  }
}
