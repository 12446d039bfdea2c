internal import ArgumentParser
internal import MediaModel

/// The options of `thumbnail` for audio files.
struct AudioOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Include this many waveform peaks of audio files in the JSON, 0 to \(ThumbnailOptions.maxPeaks). (default: 100)",
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
