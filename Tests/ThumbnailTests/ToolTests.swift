internal import Foundation
internal import TestSupport
internal import Testing

/// The workers that other tests trust.
@Suite struct ToolTests {
  @Test func `Arguments are not interpreted by a shell`() throws {
    let output = try Tool("printf", package: "coreutils").run(["%s|", "a b", "$HOME", "*", "'"])
    #expect(output.text == "a b|$HOME|*|'|")
    #expect(output.status == 0)
  }

  @Test func `Both pipes are drained, and the input is given`() throws {
    // More than a pipe holds (64 KiB), both ways at once.
    let input = [UInt8](repeating: 0x61, count: 3_000_000)
    #expect(try Tool("cat", package: "coreutils").output([], input: input) == input)
    let output = try Tool("tee", package: "coreutils").run(["/dev/stderr"], input: input)
    #expect(output.bytes.count == input.count)
    #expect(output.errors.utf8.count == input.count)
  }

  @Test func `A program that ignores its input is harmless`() throws {
    let output = try Tool("true", package: "coreutils").run([], input: [UInt8](repeating: 0, count: 1_000_000))
    #expect(output.status == 0)
  }

  @Test func `A status is returned, and an error only if output is required`() throws {
    let tool = try Tool("ls", package: "coreutils")
    let output = try tool.run(["/there/is/no/such/folder"])
    #expect(output.status == 2)
    #expect(output.errors.contains("No such file"))
    #expect(throws: Tool.Failure.self) { try tool.output(["/there/is/no/such/folder"]) }
  }

  @Test func `A program that does not end is killed with its children`() throws {
    // The child keeps our pipes open: only the death of the whole group ends the call.
    let error = #expect(throws: Tool.Failure.self) {
      try Tool("sh", package: "dash").run(["-c", "tail -f /dev/null & wait"], seconds: 0.2)
    }
    #expect(error.map { "\($0)" }?.contains("was killed") == true)
  }

  @Test func `A missing program names its package`() {
    let error = #expect(throws: Tool.Failure.self) { try Tool("no-such-program", package: "libvips-tools") }
    #expect(
      error.map { "\($0)" } == "no-such-program is not installed; install it with: apt-get install libvips-tools")
  }

  @Test func `A signal is reported as a shell does`() throws {
    let output = try Tool("sh", package: "dash").run(["-c", "kill -9 $$"])
    #expect(output.status == 137)
  }

  @Test func `Pixels come from other tools through a pipe`() throws {
    let image = SyntheticImage.disc(31, 17)
    let bytes = try Tool("ffmpeg", package: "ffmpeg").output(
      [
        "-v", "error", "-f", "image2pipe", "-c:v", "pam", "-i", "-", "-f", "image2pipe", "-c:v", "pam", "-pix_fmt",
        "rgba", "-",
      ],
      input: image.pam)
    #expect(try PixelBuffer(pnm: bytes) == image)
  }

  @Test func `A temporary folder is unique and removed with its owner`() throws {
    let other = try TemporaryFolder()
    var folder: TemporaryFolder? = try TemporaryFolder()
    let path = try #require(try folder?.write([1, 2, 3], to: "a/b.bin"))
    #expect(folder?.url != other.url)
    #expect(FileManager.default.contents(atPath: path) == Data([1, 2, 3]))
    let root = try #require(folder?.url.path)
    folder = nil
    #expect(!FileManager.default.fileExists(atPath: root))
    #expect(FileManager.default.fileExists(atPath: other.url.path))
  }
}
