internal import FileSupport
internal import Foundation
internal import Glibc
internal import TestSupport
internal import Testing

@testable internal import MediatoolCommand

/// A headless Chromium, spoken to in its own protocol over two pipes: no port that another program could have.
final class Browser {
  /// Path of the program; nil, reported once, if it is not installed.
  static let executable: String? = {
    do {
      return try Tool("chromium", package: "chromium").executable.path
    } catch {
      print("skipped, \(error)")
      return nil
    }
  }()

  static var isPresent: Bool { executable != nil }

  /// What has come without being asked for.
  private(set) var events: [(method: String, parameters: [String: Any])] = []

  /// A browser that does not answer fails the test after so many milliseconds; nothing that works comes near.
  private static let patience: CInt = 900_000
  private let process: pid_t
  private let commands: CInt
  private let answers: CInt
  private let profile: TemporaryFolder
  private var lastID = 0
  private var session: String?
  private var unread: [UInt8] = []

  init() throws {
    let executable = try #require(Self.executable)
    profile = try TemporaryFolder()
    var down: [CInt] = [-1, -1]
    var up: [CInt] = [-1, -1]
    guard pipe(&down) == 0, pipe(&up) == 0 else { throw SystemError("pipe") }
    for end in down + up { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    // Out of the way of 3 and 4, where the browser looks for them.
    let (itsCommands, itsAnswers) = (fcntl(down[0], F_DUPFD_CLOEXEC, 10), fcntl(up[1], F_DUPFD_CLOEXEC, 10))
    close(down[0])
    close(up[1])
    defer {
      close(itsCommands)
      close(itsAnswers)
    }
    (commands, answers) = (down[1], up[0])
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, itsCommands, 3)
    posix_spawn_file_actions_adddup2(&actions, itsAnswers, 4)
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
      posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
    }
    let arguments = [
      executable, "--headless", "--disable-gpu", "--hide-scrollbars", "--no-first-run", "--disable-extensions",
      "--disable-background-networking", "--disable-dev-shm-usage", "--remote-debugging-pipe",
      // Its sandbox works neither for root nor in most containers, and the page is our own.
      "--no-sandbox",
      "--user-data-dir=\(profile.url.path)",
    ]
    let words = arguments.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var process: pid_t = 0
    // A group of its own, so that its many processes can be ended together.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
    guard posix_spawn(&process, executable, &actions, &attributes, words, environ) == 0 else {
      throw SystemError("spawn \(executable)")
    }
    self.process = process
    let target = try send("Target.createTarget", ["url": "about:blank"])["targetId"] as? String
    session = try send("Target.attachToTarget", ["targetId": target ?? "", "flatten": true])["sessionId"] as? String
    for domain in ["Page", "Runtime", "Log", "Network", "DOM", "Accessibility"] { try send("\(domain).enable") }
  }

  deinit {
    close(commands)
    close(answers)
    kill(-process, SIGKILL)
    var status: CInt = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
  }

  /// Why the browser refused.
  struct Refusal: Error, CustomStringConvertible { let description: String }

  /// Sends a command and waits for its answer.
  @discardableResult
  func send(_ method: String, _ parameters: [String: Any] = [:]) throws -> [String: Any] {
    lastID += 1
    var message: [String: Any] = ["id": lastID, "method": method, "params": parameters]
    if let session { message["sessionId"] = session }
    var rest = [UInt8](try JSONSerialization.data(withJSONObject: message))[...] + [0]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(commands, $0.baseAddress, $0.count) }
      guard count > 0 else { throw SystemError("write to the browser") }
      rest = rest.dropFirst(count)
    }
    while true {
      let answer = try receive()
      guard answer["id"] as? Int == lastID else { continue }
      if let error = answer["error"] { throw Refusal(description: "\(method): \(error)") }
      return answer["result"] as? [String: Any] ?? [:]
    }
  }

  /// The next message; an event is kept.
  private func receive() throws -> [String: Any] {
    while true {
      if let end = unread.firstIndex(of: 0) {
        let data = Data(unread[..<end])
        unread.removeSubrange(...end)
        let message = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        if let method = message["method"] as? String {
          events.append((method, message["params"] as? [String: Any] ?? [:]))
        }
        return message
      }
      var waiting = pollfd(fd: answers, events: Int16(POLLIN), revents: 0)
      guard poll(&waiting, 1, Self.patience) == 1 else { throw Refusal(description: "the browser does not answer") }
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      let count = read(answers, &buffer, buffer.count)
      guard count > 0 else { throw Refusal(description: "the browser has gone") }
      unread += buffer[..<count]
    }
  }

  /// Opens a page and waits until it is there.
  func open(_ path: PathBytes) throws {
    events = []
    try send("Page.navigate", ["url": URL(fileURLWithPath: path.text).absoluteString])
    while !events.contains(where: { $0.method == "Page.loadEventFired" }) { _ = try receive() }
  }

  /// The value of an expression in the page.
  func value(_ expression: String) throws -> Any? {
    let answer = try send("Runtime.evaluate", ["expression": expression, "returnByValue": true, "awaitPromise": true])
    if let problem = answer["exceptionDetails"] as? [String: Any] {
      throw Refusal(description: "\(expression): \(problem["exception"] ?? problem)")
    }
    return (answer["result"] as? [String: Any])?["value"]
  }

  func text(_ expression: String) throws -> String? { try value(expression) as? String }
  func number(_ expression: String) throws -> Int? { try value(expression) as? Int }
  func isTrue(_ expression: String) throws -> Bool { try value(expression) as? Bool == true }

  /// Presses and lets go of a key, by its name in the DOM.
  func press(_ key: String) throws {
    let codes = [
      "Tab": 9, "Enter": 13, "Escape": 27, " ": 32, "End": 35, "Home": 36, "ArrowLeft": 37, "ArrowUp": 38,
      "ArrowRight": 39, "ArrowDown": 40,
    ]
    var parameters: [String: Any] = [
      "key": key, "code": key == " " ? "Space" : key, "windowsVirtualKeyCode": codes[key] ?? 0,
    ]
    if key == " " { parameters["text"] = " " }
    if key == "Enter" { parameters["text"] = "\r" }
    try send("Input.dispatchKeyEvent", parameters.merging(["type": "keyDown"]) { $1 })
    try send("Input.dispatchKeyEvent", parameters.merging(["type": "keyUp"]) { $1 })
  }

  /// The middle of an element, which is scrolled into view.
  private func middle(of expression: String) throws -> [Double] {
    let place = try value(
      "(() => { const e = \(expression); e.scrollIntoView({block: 'center'}); const r = e.getBoundingClientRect(); "
        + "return [r.x + r.width / 2, r.y + r.height / 2]; })()")
    return try #require(place as? [Double])
  }

  /// Rests the pointer on the middle of an element.
  func hover(_ expression: String) throws {
    let point = try middle(of: expression)
    try send("Input.dispatchMouseEvent", ["type": "mouseMoved", "x": point[0], "y": point[1]])
  }

  /// Clicks in the middle of the element that the expression gives.
  func click(_ expression: String) throws {
    let point = try middle(of: expression)
    for type in ["mousePressed", "mouseReleased"] {
      try send(
        "Input.dispatchMouseEvent", ["type": type, "x": point[0], "y": point[1], "button": "left", "clickCount": 1])
    }
  }

  /// A window of that size and those colors.
  func show(width: Int, height: Int, dark: Bool) throws {
    try send(
      "Emulation.setDeviceMetricsOverride",
      ["width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600])
    try send(
      "Emulation.setEmulatedMedia",
      ["features": [["name": "prefers-color-scheme", "value": dark ? "dark" : "light"]]])
  }

  /// Keeps an image of the window as build output, `.build/screenshots/NAME.png`.
  func keepScreenshot(_ name: String) throws {
    let answer = try send("Page.captureScreenshot", ["format": "png"])
    let data = try #require((answer["data"] as? String).flatMap { Data(base64Encoded: $0) })
    let folder = Corpus.packageRoot.appendingPathComponent(".build/screenshots")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try data.write(to: folder.appendingPathComponent("\(name).png"))
  }

  /// What a screen reader gets: role and name of every node that is not ignored.
  func spoken() throws -> [(role: String, name: String, properties: [String: Any])] {
    let nodes = try send("Accessibility.getFullAXTree")["nodes"] as? [[String: Any]] ?? []
    return nodes.filter { $0["ignored"] as? Bool != true }.map { node in
      let properties = (node["properties"] as? [[String: Any]] ?? []).map {
        ($0["name"] as? String ?? "", ($0["value"] as? [String: Any])?["value"] ?? "")
      }
      return (
        (node["role"] as? [String: Any])?["value"] as? String ?? "",
        (node["name"] as? [String: Any])?["value"] as? String ?? "", Dictionary(properties) { $1 }
      )
    }
  }
}
