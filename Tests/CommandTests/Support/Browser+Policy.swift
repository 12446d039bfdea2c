internal import Testing

/// The rules of every self-contained page.
extension Browser {
  /// The page has loaded nothing else, and the browser has reported no violation, error or message.
  func expectThatItStandsAlone(sourceLocation: SourceLocation = #_sourceLocation) {
    let requests = events.filter { $0.method == "Network.requestWillBeSent" }.compactMap {
      ($0.parameters["request"] as? [String: Any])?["url"] as? String
    }
    #expect(requests.filter { !$0.hasPrefix("data:") }.count == 1, "\(requests)", sourceLocation: sourceLocation)
    for method in ["Log.entryAdded", "Runtime.exceptionThrown", "Page.javascriptDialogOpening"] {
      let found = events.filter { $0.method == method }
      #expect(found.isEmpty, "\(found)", sourceLocation: sourceLocation)
    }
  }

  /// The directive of the page's policy that refuses what the code does.
  func violation(_ code: String) throws -> String? {
    try text(
      """
      new Promise(done => {
        document.addEventListener('securitypolicyviolation', e => done(e.effectiveDirective), { once: true });
        \(code)
      })
      """)
  }
}
