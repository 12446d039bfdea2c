internal import Foundation
internal import TestSupport
internal import Testing

/// Every Swift example in the pages stands word for word in a test that is compiled and run.
@Suite struct PagesTests {
  /// A Markdown page and its Swift examples.
  struct Page: CustomTestStringConvertible {
    let name: String
    let text: String

    var testDescription: String { name }

    /// The blocks between fences marked `swift`.
    var examples: [[String]] {
      var examples: [[String]] = []
      var open: [String]?
      for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
        if let lines = open {
          if line.hasPrefix("```") {
            examples.append(lines)
            open = nil
          } else {
            open = lines + [line]
          }
        } else if line == "```swift" {
          open = []
        }
      }
      return examples
    }
  }

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: Corpus.packageRoot.appendingPathComponent(path), encoding: .utf8)
  }

  /// The tests that are examples: one file for several libraries, and one for each other.
  private static func examples() throws -> String {
    let folder = Corpus.packageRoot.appendingPathComponent("Tests/DocumentationTests")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
      $0.hasSuffix("Examples.swift")
    }
    return try names.sorted().map { try text("Tests/DocumentationTests/\($0)") }.joined(separator: "\n")
  }

  /// The landing page of each library, and the README where there is one.
  private static func pages() throws -> [Page] {
    // Every library that Package.swift offers has one.
    let libraries = try text("Package.swift").matches(of: /\.library\(name: "([A-Za-z]+)"/).map { String($0.1) }
    var paths = libraries.map { "Sources/\($0)/\($0).docc/\($0).md" }
    if FileManager.default.fileExists(atPath: Corpus.packageRoot.appendingPathComponent("README.md").path) {
      paths.append("README.md")
    }
    return try paths.map { Page(name: $0, text: try text($0)) }
  }

  /// Whether the lines stand in the text one under another, indented alike.
  private static func contains(_ text: String, _ lines: [String]) -> Bool {
    let text = "\n" + text
    return (0...8).contains { indentation in
      let margin = String(repeating: "  ", count: indentation)
      return text.contains("\n" + lines.map { $0.isEmpty ? "\n" : margin + $0 + "\n" }.joined())
    }
  }

  @Test func `Every example is compiled and run`() throws {
    let examples = try Self.examples()
    let manifest = try Self.text("Package.swift")
    for page in try Self.pages() {
      #expect(!page.examples.isEmpty, "\(page.name) has no example")
      for example in page.examples {
        if example.first?.hasPrefix("// swift-tools-version") == true {
          // Somebody else's manifest, which `EmbeddingTests` builds: what it names has to be there.
          for line in example where line.contains(".product(name: \"") {
            let product = line.split(separator: "\"")[1]
            #expect(manifest.contains(".library(name: \"\(product)\""), "\(page.name) names a product \(product)")
          }
          continue
        }
        let imports = example.filter { $0.hasPrefix("import ") }
        for line in imports { #expect(Self.contains(examples, [line]), "\(page.name): \(line)") }
        let lines = example.drop { $0.hasPrefix("import ") || $0.isEmpty }
        #expect(
          Self.contains(examples, Array(lines)),
          "\(page.name) differs from the tests:\n\(lines.joined(separator: "\n"))")
      }
    }
  }

  @Test func `Every landing page states its rules in four parts`() throws {
    for page in try Self.pages() where page.name.contains(".docc/") {
      let rules = page.text.components(separatedBy: "\n### ").filter { $0.contains("- **Rule.**") }
      #expect(rules.count >= 3, "\(page.name)")
      for rule in rules {
        let parts = rule.split(separator: "\n").filter { $0.hasPrefix("- **") }.map { $0.prefix { $0 != "." } }
        #expect(parts == ["- **Rule", "- **Why", "- **Advice", "- **Otherwise"], "\(page.name): \(rule.prefix(40))")
      }
      #expect(page.text.contains("\n## Topics\n"), "\(page.name)")
    }
  }

  @Test func `A changed example is noticed`() {
    let page = Page(
      name: "x", text: "a\n```swift\nlet a = 1\n\nlet b = a\n```\n```json\n{}\n```\n```swift\nlet c = 2\n```\n")
    #expect(page.examples == [["let a = 1", "", "let b = a"], ["let c = 2"]])
    #expect(Self.contains("  func f() {\n    let a = 1\n\n    let b = a\n  }\n", page.examples[0]))
    #expect(!Self.contains("  func f() {\n    let a = 1\n\n    let b = a + 1\n  }\n", page.examples[0]))
    #expect(!Self.contains("  func f() {\n    let a = 1\n\n  let b = a\n  }\n", page.examples[0]))
  }
}
