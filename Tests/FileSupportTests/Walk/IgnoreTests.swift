internal import Foundation
internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import FileSupport

@Suite("Which files a walk leaves out") struct IgnoreTests {
  private func isIgnored(_ patterns: String, _ path: String, isFolder: Bool = false) -> Bool? {
    FolderWalk.IgnoreFile(text: Array(patterns.utf8)).isIgnored(Array(path.utf8)[...], isFolder: isFolder)
  }

  @Test(
    "Patterns have the meaning that git gives them",
    arguments: [
      ("*.jpg", "a.jpg", true), ("*.jpg", "x/a.jpg", true), ("*.jpg", "a.jpeg", false), ("/a", "a", true),
      ("/a", "b/a", false), ("a/b", "a/b", true), ("a/b", "x/a/b", false), ("**/b", "b", true), ("**/b", "x/y/b", true),
      ("a/**", "a/x/y", true), ("a/**", "a", false), ("a/**/b", "a/b", true), ("a/**/b", "a/x/y/b", true),
      ("a/**/b", "ab", false), ("a/*/b", "a/x/y/b", false), ("a?c", "abc", true), ("/a?c/d", "a/c/d", false),
      ("[a-c]x", "bx", true), ("[!a-c]x", "bx", false), ("[]x]", "]", true), ("[[:digit:]]", "7", true),
      ("[[:none:]]", "7", false), ("[a", "[a", false), ("\\#a", "#a", true), ("#a", "#a", false), ("\\!a", "!a", true),
      ("a ", "a", true), ("a\\ ", "a ", true), ("a\\", "a", false), ("a\r\n", "a", true), ("", "a", false),
      ("/", "a", false), ("!", "a", false), ("a//b", "a/b", false), ("/**", "a/b", true), ("*", "a", true),
    ])
  func patterns(pattern: String, path: String, isIgnored: Bool) {
    #expect((self.isIgnored(pattern, path) ?? false) == isIgnored)
  }

  @Test("The last pattern that matches decides") func lastMatch() {
    #expect(isIgnored("*.jpg\n!a.jpg", "a.jpg") == false)
    #expect(isIgnored("!a.jpg\n*.jpg", "a.jpg") == true)
    #expect(isIgnored("a/", "a") == nil)
    #expect(isIgnored("a/", "a", isFolder: true) == true)
  }

  /// A pattern of fifty stars against a name that fits nowhere is done at once: were every star gone back to, it would never end.
  @Test("Matching a pattern takes polynomial time") func matchingTime() {
    let pattern = String(repeating: "a*", count: 100) + "b"
    #expect(isIgnored(pattern, String(repeating: "a", count: 250)) == nil)
    let deep = String(repeating: "**/a/", count: 100) + "b"
    #expect(isIgnored(deep, String(repeating: "a/", count: 500) + "c") == nil)
  }

  @Test("A walk skips the same files as git", arguments: 0..<60 as Range<UInt64>)
  func sameAsGit(seed: UInt64) throws {
    let folder = try TemporaryFolder()
    let root = folder.url.path
    var random = SeededGenerator(seed: seed)
    TreeMaker.make(root, &random, files: 120)
    var files = [root]
    for case let found as URL in FileManager.default.enumerator(
      at: folder.url, includingPropertiesForKeys: [.isDirectoryKey]) ?? FileManager.DirectoryEnumerator()
    where (try? found.resourceValues(forKeys: [.isDirectoryKey]).isDirectory) == true && random.below(4) == 0 {
      files.append(found.path)
    }
    for location in files {
      let lines = (0...random.below(5)).map { _ in Self.pattern(&random) }
      let text = Data((lines.joined(separator: random.below(5) == 0 ? "\r\n" : "\n")).utf8)
      for name in [".gitignore", ".mediaignore"] { try text.write(to: URL(fileURLWithPath: "\(location)/\(name)")) }
    }
    let git = try Tool("git", package: "git")
    _ = try git.output(["-C", root, "init", "-q"])
    let find = try Tool("find", package: "findutils")
    let all = try find.output([root, "-name", ".git", "-prune", "-o", "-type", "f", "-printf", "%P\\0"])
    let checked = try git.run(["-C", root, "check-ignore", "--no-index", "-z", "--stdin"], input: all)
    #expect(checked.status < 2, "\(checked.errors)")
    let ignored = Set(checked.bytes.split(separator: 0).map { Array($0) })
    let expected = all.split(separator: 0).map(Array.init).filter {
      !ignored.contains($0) && !$0.ends(with: ".gitignore") && !$0.ends(with: ".mediaignore")
    }
    var filter = FolderWalk.Filter()
    filter.hidden = true
    // Git's own folder, and its ignore files.
    filter.excluding = FolderWalk.IgnoreFile(text: Array(".git/\n.gitignore".utf8))
    let reported = WalkRecord(FolderWalk(root: Array(root.utf8), filter: filter)).files.map {
      Array($0.dropFirst(root.utf8.count + 1))
    }
    #expect(words(reported) == words(expected), "seed \(seed)")
  }

  @Test("Only included files are visited, and excluding patterns take precedence") func includingAndExcluding() throws {
    let folder = try TemporaryFolder()
    for name in ["a.jpg", "a.txt", "b/c.jpg", "b/d.png", "x/e.jpg"] { try folder.write([], to: name) }
    try folder.write(Array("*.txt\n!d.png".utf8), to: ".mediaignore")
    var filter = FolderWalk.Filter()
    filter.including = FolderWalk.IgnoreFile(text: Array("*.jpg\n*.txt".utf8))
    filter.excluding = FolderWalk.IgnoreFile(text: Array("x/".utf8))
    let root = folder.url.path
    let reported = WalkRecord(FolderWalk(root: Array(root.utf8), filter: filter))
    #expect(reported.files.map { String(decoding: $0, as: UTF8.self) } == ["a.jpg", "b/c.jpg"].map { root + "/" + $0 })
    #expect(reported.skipped.ignored == 3)
  }

  @Test("An unreadable ignore file is a problem, and the walk continues") func unreadableIgnoreFile() throws {
    let folder = try TemporaryFolder()
    try folder.write([], to: "a")
    try folder.write([], to: ".mediaignore/b")
    let reported = WalkRecord(FolderWalk(root: Array(folder.url.path.utf8)))
    #expect(reported.files.count == 1)
    #expect(reported.problems.map(\.failure.code) == [.unreadable])
  }

  /// Patterns of the same few words as the names. Two stars are always a whole part, as in gitignore(5): the result of git 2.39 for others depends on
  /// the position of the first wildcard.
  private static func pattern(_ random: inout SeededGenerator) -> String {
    let parts = [
      "a", "b", "ab", "*", "a*", "*b", "?", "a?", "[ab]", "[!a]", "[a-c]*", "*.jpg", "x-[[:digit:]]", "\\[a\\]", "**",
      "photo",
    ]
    var text = (0...random.below(3)).map { _ in parts[random.below(parts.count)] }.joined(separator: "/")
    if random.below(4) == 0 { text = "/" + text }
    if random.below(4) == 0 { text += "/" }
    if random.below(3) == 0 { text = "!" + text }
    switch random.below(12) {
    case 0: return "# " + text
    case 1: return text + "  "
    case 2: return ""
    default: return text
    }
  }
}

extension [UInt8] {
  fileprivate func ends(with text: String) -> Bool {
    self == Array(text.utf8) || suffix(text.utf8.count + 1) == ArraySlice(Array("/\(text)".utf8))
  }
}
