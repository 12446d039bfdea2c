internal import ArgumentParser
internal import MediaModel

/// The options of `thumbnail` for audio files.
struct AudioOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Add this many waveform peaks for audio files, 0…\(ThumbnailOptions.maxPeaks); 0 omits them. (default: 100)",
      valueName: "n"),
    transform: Number.parser(0...ThumbnailOptions.maxPeaks))
  var peaks: Int?

  @Flag(help: "Draw the waveform of audio files even if they have cover art.")
  var waveform = false

  /// Sets the given options; others keep their defaults.
  func apply(to options: inout ThumbnailOptions) {
    if let peaks { options.peaks = peaks }
    options.prefersWaveform = waveform
  }
}
