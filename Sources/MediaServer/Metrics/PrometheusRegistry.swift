internal import Foundation
internal import MediaEngine
public import Metrics

/// A metrics backend that a server writes as Prometheus text (exposition format 0.0.4).
///
/// Counters, gauges and meters are themselves; timers and recorders become histograms. Labels with the same names and values share a series.
public final class PrometheusRegistry: MetricsFactory, Sendable {
  private let series = Locked<[SeriesKey: Series]>([:])

  /// Upper bounds of the buckets of timers, in seconds.
  static let timeBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120]
  /// Upper bounds of the buckets of recorders: powers of four.
  static let sizeBounds = (0...16).map { pow(4, Double($0)) }

  /// An empty registry.
  public init() {}

  /// All series as text, sorted; before the first series of each name, what it counts (`# HELP`) and its type (`# TYPE`).
  public func text() -> String {
    let series = series.withLock { $0 }
    var lines: [String] = []
    var last = ""
    for key in series.keys.sorted() {
      guard let value = series[key] else { continue }
      if key.name != last {
        lines += ["# HELP \(key.name) \(MetricHelp.text(key.name))", "# TYPE \(key.name) \(value.type)"]
      }
      last = key.name
      lines += value.lines(key)
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private func series(_ label: String, _ dimensions: [(String, String)], _ make: () -> Series) -> Series {
    let key = SeriesKey(label, dimensions)
    return series.withLock { series in
      if let found = series[key] { return found }
      let made = make()
      series[key] = made
      return made
    }
  }
}

extension PrometheusRegistry {
  /// A counter; it never falls.
  public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
    series(label, dimensions) { Series(.counter) }
  }

  /// A counter of fractions, rounded when written.
  public func makeFloatingPointCounter(label: String, dimensions: [(String, String)]) -> any FloatingPointCounterHandler
  {
    series(label, dimensions) { Series(.counter) }
  }

  /// A gauge or a histogram.
  public func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
    series(label, dimensions) { Series(aggregate ? .histogram(Self.sizeBounds) : .gauge) }
  }

  /// A gauge, which has its last value.
  public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
    series(label, dimensions) { Series(.gauge) }
  }

  /// A histogram of durations, in seconds.
  public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
    series(label, dimensions) { Series(.histogram(Self.timeBounds)) }
  }

  /// Does nothing: a counter continues when its handler is made again.
  public func destroyCounter(_ handler: any CounterHandler) {}
  /// Does nothing: the series keeps its value.
  public func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
  /// Does nothing: the series keeps its value.
  public func destroyRecorder(_ handler: any RecorderHandler) {}
  /// Does nothing: the series keeps its value.
  public func destroyMeter(_ handler: any MeterHandler) {}
  /// Does nothing: the series keeps its value.
  public func destroyTimer(_ handler: any TimerHandler) {}
}

/// The name and the labels of a series, in the form of Prometheus.
struct SeriesKey: Hashable, Comparable {
  let name: String
  /// `name="value"` with commas, without braces.
  let labels: String

  init(_ name: String, _ dimensions: [(String, String)]) {
    self.name = Self.identifier(name, also: ":")
    labels = dimensions.map { "\(Self.identifier($0.0, also: ""))=\"\(Self.escaped($0.1))\"" }.sorted().joined(
      separator: ",")
  }

  static func < (first: SeriesKey, second: SeriesKey) -> Bool {
    (first.name, first.labels) < (second.name, second.labels)
  }

  /// Metric names are `[a-zA-Z_:][a-zA-Z0-9_:]*`, label names the same without colons.
  private static func identifier(_ text: String, also: String) -> String {
    let allowed = text.unicodeScalars.map { scalar -> Character in
      let isAllowed =
        scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || scalar == "_")
      return isAllowed || also.unicodeScalars.contains(scalar) ? Character(scalar) : "_"
    }
    let identifier = String(allowed)
    return identifier.first?.isNumber ?? true ? "_" + identifier : identifier
  }

  private static func escaped(_ text: String) -> String {
    text.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\"", with: "\\\"")
      .replacingOccurrences(of: "\n", with: "\\n")
  }
}

/// The values of a series.
final class Series: Sendable {
  enum Kind: Sendable {
    case counter
    case gauge
    case histogram([Double])
  }

  private struct State: Sendable {
    var value = 0.0
    var count = 0
    var buckets: [Int]
  }

  private let kind: Kind
  private let state: Locked<State>

  init(_ kind: Kind) {
    self.kind = kind
    var buckets: [Int] = []
    if case .histogram(let bounds) = kind { buckets = Array(repeating: 0, count: bounds.count) }
    state = Locked(State(buckets: buckets))
  }

  var type: String {
    switch kind {
    case .counter: "counter"
    case .gauge: "gauge"
    case .histogram: "histogram"
    }
  }

  func lines(_ key: SeriesKey) -> [String] {
    let state = state.withLock { $0 }
    func braces(_ labels: String) -> String { labels.isEmpty ? "" : "{\(labels)}" }
    guard case .histogram(let bounds) = kind else {
      return ["\(key.name)\(braces(key.labels)) \(Self.number(state.value))"]
    }
    var lines: [String] = []
    var sum = 0
    for (bound, count) in zip(bounds, state.buckets) {
      sum += count
      let labels = (key.labels.isEmpty ? "" : key.labels + ",") + "le=\"\(Self.number(bound))\""
      lines.append("\(key.name)_bucket\(braces(labels)) \(sum)")
    }
    let labels = (key.labels.isEmpty ? "" : key.labels + ",") + "le=\"+Inf\""
    lines.append("\(key.name)_bucket\(braces(labels)) \(state.count)")
    lines.append("\(key.name)_sum\(braces(key.labels)) \(Self.number(state.value))")
    lines.append("\(key.name)_count\(braces(key.labels)) \(state.count)")
    return lines
  }

  private static func number(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e15 ? String(Int(value)) : "\(value)"
  }

  fileprivate func add(_ amount: Double) { state.withLock { $0.value += amount } }
  fileprivate func put(_ value: Double) { state.withLock { $0.value = value } }

  fileprivate func observe(_ value: Double) {
    guard case .histogram(let bounds) = kind else { return put(value) }
    state.withLock { state in
      state.count += 1
      state.value += value
      if let index = bounds.firstIndex(where: { value <= $0 }) { state.buckets[index] += 1 }
    }
  }
}

extension Series: CounterHandler, FloatingPointCounterHandler, RecorderHandler, MeterHandler, TimerHandler {
  func increment(by amount: Int64) { add(Double(amount)) }
  func increment(by amount: Double) { add(amount) }
  func decrement(by amount: Double) { add(-amount) }
  func set(_ value: Int64) { put(Double(value)) }
  func set(_ value: Double) { put(value) }
  func record(_ value: Int64) { observe(Double(value)) }
  func record(_ value: Double) { observe(value) }
  func recordNanoseconds(_ duration: Int64) { observe(Double(duration) / 1e9) }
  /// Counters of Prometheus are not reset.
  func reset() {}
}
