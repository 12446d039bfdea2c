internal import Metrics
internal import RawHTTP
internal import Testing

@testable internal import MediaServer

@Suite struct PrometheusTests {
  @Test func `Series of one name stand together under their help and type, with sorted labels`() {
    let registry = PrometheusRegistry()
    Counter(label: "b_total", dimensions: [("z", "1"), ("a", "2")], factory: registry).increment(by: 3)
    Counter(label: "b_total", dimensions: [("a", "2"), ("z", "1")], factory: registry).increment()
    Counter(label: "b_total", dimensions: [("a", "1")], factory: registry).increment()
    Gauge(label: "a", dimensions: [], factory: registry).record(1.5)
    #expect(
      registry.text() == """
        # HELP a A metric of a software library that this server uses.
        # TYPE a gauge
        a 1.5
        # HELP b_total A metric of a software library that this server uses.
        # TYPE b_total counter
        b_total{a="1"} 1
        b_total{a="2",z="1"} 4

        """)
  }

  @Test func `A timer is a histogram in seconds, whose buckets add up`() {
    let registry = PrometheusRegistry()
    let timer = Timer(label: "t_seconds", dimensions: [("route", "/a")], factory: registry)
    timer.recordNanoseconds(1_000_000)
    timer.recordNanoseconds(3_000_000)
    timer.recordNanoseconds(500_000_000_000)
    let text = registry.text()
    #expect(text.contains("# TYPE t_seconds histogram\nt_seconds_bucket{route=\"/a\",le=\"0.001\"} 1\n"))
    #expect(text.contains("t_seconds_bucket{route=\"/a\",le=\"0.005\"} 2\n"))
    #expect(text.contains("t_seconds_bucket{route=\"/a\",le=\"120\"} 2\n"))
    #expect(
      text.contains(
        "t_seconds_bucket{route=\"/a\",le=\"+Inf\"} 3\nt_seconds_sum{route=\"/a\"} 500.004\nt_seconds_count{route=\"/a\"} 3\n"
      ))
  }

  @Test func `Names and values that Prometheus cannot read are escaped`() {
    let registry = PrometheusRegistry()
    Counter(label: "9.a-b", dimensions: [("x.y", "a\"b\\c\nd")], factory: registry).increment()
    #expect(registry.text().contains(#"_9_a_b{x_y="a\"b\\c\nd"} 1"#))
  }

  @Test func `Requests are counted by route, method and status, never by their path`() async throws {
    let registry = PrometheusRegistry()
    try await TestServer.start(configure: { $0.metrics = registry }) { server in
      for path in ["/v1/secret-name", "/v1/another"] { _ = try await server.request("GET", path) }
      _ = try await server.request("BREW", "/healthz")
      let text = try await server.request("GET", "/metrics").text
      #expect(text.contains(#"mediatool_requests_total{method="GET",route="none",status="404"} 2"#))
      #expect(text.contains("mediatool_requests_in_progress 1\n"))
      #expect(!text.contains("secret-name"))
      #expect(!text.contains("BREW"))
    }
  }
}
