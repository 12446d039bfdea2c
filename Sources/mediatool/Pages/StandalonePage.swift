internal import Crypto
internal import Foundation

/// A self-contained page (docs/decisions/0034) with its style, script, images and audio files, which may neither load nor send anything.
struct StandalonePage {
  /// The title of its window.
  let title: String
  /// The markup of its body. Every untrusted text must have passed through ``HTMLText``.
  let body: String
  /// Its own style rules, after those of every page.
  var style = ""
  /// Its script; nil for a page without one, in which no script can run.
  var script: String?

  var bytes: [UInt8] { Array(text.utf8) }

  private var text: String {
    """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="\(policy)">
    <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
    <meta name="referrer" content="no-referrer">
    <meta name="generator" content="mediatool">
    <title>\(HTMLText.escaped(title))</title>
    <style>\(wholeStyle)</style>
    </head>
    <body>
    <main>
    \(body)
    </main>\(script.map { "\n<script>\($0)</script>" } ?? "")
    </body>
    </html>

    """
  }

  private var wholeStyle: String { String(decoding: PackageResources.base_css, as: UTF8.self) + style }

  /// Nothing may be loaded, sent or framed. Only these styles and this script are allowed, and images and audio files only inside the page.
  private var policy: String {
    let script = script.map { " script-src '\(Self.hash($0))';" } ?? ""
    return "default-src 'none'; img-src data:; media-src data:; style-src '\(Self.hash(wholeStyle))';\(script) "
      + "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
  }

  private static func hash(_ text: String) -> String {
    "sha256-" + Data(SHA256.hash(data: Data(text.utf8))).base64EncodedString()
  }
}
