internal import ArgumentParser

@main
struct Mediatool: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Facts and small pictures of media files.")
}
