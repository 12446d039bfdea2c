/// The rows of the speed table that concern audio files.
struct AudioRows {
  /// mediatool in release.
  var tool: String
  /// Where outputs go.
  var output: String
  /// An MP3 of an hour.
  var hour: InputSet

  /// The audio has speech-like bursts of noise over two tones, so that no encoder finds it easy.
  init(tool: String, output: String, folder: String) {
    (self.tool, self.output) = (tool, output)
    let audio = "0.3*sin(2*PI*220*t)+0.2*sin(2*PI*331*t)+0.4*(random(0)-0.5)*abs(sin(t*1.7))"
    let ffmpeg = ["ffmpeg", "-v", "error", "-nostdin", "-y"]
    let minute = InputSet.made(at: "\(folder)/minute.mp3", output: output) {
      ffmpeg + [
        "-f", "lavfi", "-i", "aevalsrc=\(audio)|\(audio):s=44100:d=60", "-c:a", "libmp3lame", "-b:a", "128k", $0,
      ]
    }
    hour = .made(at: "\(folder)/hour.mp3", output: output) {
      ffmpeg + ["-stream_loop", "59", "-i", minute.path, "-c", "copy", $0]
    }
    hour.needs = [minute]
  }

  var all: [Row] {
    let folder = "\(output)/waveform"
    let ours = Command(
      arguments: [tool, "thumbnail", "--size", "640x120", "-o", folder, "--json", hour.path], folder: folder, files: 1,
      lines: 1)
    let image = "\(output)/showwavespic"
    return [
      Row(
        work: "waveform of an MP3 of an hour", ours: ours, peerName: "ffmpeg -filter_complex showwavespic",
        peer: Command(
          arguments: ["ffmpeg", "-v", "error", "-nostdin", "-y", "-i", hour.path]
            + ["-filter_complex", "aformat=channel_layouts=mono,showwavespic=s=640x120", "-frames:v", "1"]
            + ["\(image)/hour.png"],
          folder: image, files: 1),
        requirement: .speed(atLeast: 1.5), needs: [hour]),
      Row(work: "peak memory, a waveform", ours: ours.inProcess, requirement: .memory(below: 200), needs: [hour]),
    ]
  }
}
