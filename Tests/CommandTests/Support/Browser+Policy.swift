internal import Testing

/// What every page that stands alone keeps to.
extension Browser {
  /// The page has asked for nothing but itself, and nothing in it was refused, went wrong or spoke up.
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
