/// The rows of the speed table that concern verdicts and the tray.
struct TrayRows {
  /// mediatool in release.
  var tool: String
  /// The loop over the rules that does nothing else.
  var rulesLoop: String
  /// Where outputs go.
  var output: String
  /// 10,000 photos, videos and other files, as a phone has them; nil where what makes them is not there.
  var library: InputSet?

  init(tool: String, rulesLoop: String, output: String, folder: String) {
    (self.tool, self.rulesLoop, self.output) = (tool, rulesLoop, output)
    library = .roll(at: "\(folder)/library", files: 10_000, output: output)
  }

  var all: [Row] {
    var rows = [
      Row(
        work: "a verdict on 10,000 files, suggestions included", ours: loop("verdict", 50),
        requirement: .each(below: 0.02, of: 50)),
      Row(
        work: "an update of the tray, every cell made again", ours: loop("tray", 20_000),
        requirement: .each(below: 0.000_1, of: 20_000)),
    ]
    if let library {
      let folder = "\(output)/tray"
      // Broken files end probe with status 1; here it is only to have read them all.
      let script =
        "find \"$1\" -printf '%T@ %p\\n' | sort -rn | head -50 && { \"$0\" probe --json \"$1\" || test $? = 1; }"
      rows.append(
        Row(
          work: "the tray of 10,000 files with its page, --draft",
          ours: Command(
            arguments: [tool, "tray", "--draft", "--html", "\(folder)/tray.html", "--json", library.path],
            folder: folder,
            files: 1, lines: 1),
          peerName: "find, sort, head, and probing all",
          peer: Command(
            arguments: ["sh", "-c", script, tool, library.path], folder: "\(output)/tray-peer", lines: 10_050),
          requirement: .time(atMost: 1.5), needs: [library]))
    }
    return rows
  }

  private func loop(_ what: String, _ times: Int) -> Command {
    Command(arguments: [rulesLoop, what, String(times)], folder: "\(output)/rules", lines: 1)
  }
}
