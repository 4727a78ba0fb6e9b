import FoundationEssentials
import Glibc
import POSIX
import Synchronization
import TestSupport
import Testing

/// Many links on many hosts, fetched by processes that are killed on the way.
@Suite struct ManyPagesTests {
  /// Number of links; `ERRAND_MANY_PAGES` sets more, on 200 hosts from 2,000 on.
  private static let links =
    Amount.of("ERRAND_MANY_PAGES", quick: 48, whole: 192)
  private static let hosts = links >= 2_000 ? 200 : 12
  /// Interval between two requests to a host, in milliseconds; short to keep the test short.
  private static let pace = links >= 2_000 ? 1_000 : 50

  /// Times of the requests to each host, in nanoseconds, and the number of concurrent ones.
  private struct Asked {
    var times: [String: [Int64]] = [:]
    var open: [String: Int] = [:]
    var mostAtOnce = 0
  }

  @Test func eachPageIsAskedForOncePolitelyWhereverItsProcessIsKilled() throws {
    let asked = Mutex(Asked())
    let server = try LoopbackServer { request, peer in
      let host = request.headers["host"]?.split(separator: ":").first.map(String.init) ?? ""
      if request.target == "/robots.txt" { return peer.reply(404) }
      asked.withLock { asked in
        asked.times[host, default: []].append(MonotonicClock.nanoseconds)
        asked.open[host, default: 0] += 1
        asked.mostAtOnce = max(asked.mostAtOnce, asked.open[host] ?? 0)
      }
      let text = String(repeating: "Words of the page \(request.target). ", count: 60)
      peer.reply(
        200, ["Content-Type: text/html"],
        body: "<title>Page \(request.target)</title><article><p>\(text)</p></article>")
      asked.withLock { $0.open[host, default: 0] -= 1 }
    }
    let sandbox = try Sandbox()
    // Names below `localhost` resolve to this machine (RFC 6761).
    let names = (0..<Self.hosts).map { "h\($0).localhost" }
    var lines = ""
    for number in 0..<Self.links {
      lines += "{\"url\": \"http://\(names[number % Self.hosts]):\(server.port)/\(number)\"}\n"
    }
    try sandbox.write(lines, to: "links.jsonl")
    #expect(try sandbox.run("import", "links.jsonl").status == 0)
    let words = [
      "enrich", "--limit", "\(Self.links)", "--pace", "\(Self.pace)ms", "--quiet", "--local",
      names.joined(separator: ","),
    ]
    var kills = 0
    // The page each host was last asked for, at each kill.
    var lastPages: Set<String> = []
    var generator = SystemRandomNumberGenerator()
    let start = MonotonicClock.nanoseconds
    while true {
      let process = try sandbox.start(words)
      // The first four processes are killed after a few more requests, at an arbitrary point.
      let wanted =
        server.requests.count + Int.random(in: 1...(Self.links / 5), using: &generator)
      while kills < 4, process.poll() == nil, server.requests.count < wanted { usleep(200) }
      if kills < 4, process.poll() == nil {
        kill(process.id, SIGKILL)
        _ = try process.wait()
        kills += 1
        var last: [String: String] = [:]
        for request in server.requests where request.target != "/robots.txt" {
          last[request.headers["host"] ?? ""] = request.target
        }
        lastPages.formUnion(last.values)
        continue
      }
      #expect(try process.wait() == 0, "\(sandbox.read("err") ?? "")")
      break
    }
    let took = Double(MonotonicClock.nanoseconds - start) / 1e9
    let states = try sandbox.run(
      "find", "links", "--limit", "\(Self.links)", "--format", "{{ self.status }}"
    ).out.split(separator: "\n")
    #expect(states.count == Self.links && states.allSatisfy { $0 == "ready" })
    let pages = server.requests.map(\.target).filter { $0 != "/robots.txt" }
    #expect(Set(pages).count == Self.links)
    // A host gets its next request once its last page is saved: only the page requested last before
    // a kill may be requested again.
    let again = Dictionary(grouping: pages, by: \.self).filter { $0.value.count > 1 }
    #expect(again.keys.allSatisfy(lastPages.contains), "\(again.keys)")
    #expect(pages.count - Self.links <= Self.hosts * kills, "\(pages.count)")
    let log = asked.withLock { $0 }
    #expect(log.mostAtOnce == 1)
    // Within a process no host is asked faster than its rate limit; each kill starts a new process.
    let hasty = log.times.values.reduce(0) { sum, times in
      sum
        + zip(times, times.dropFirst()).count {
          $1 - $0 < Int64(Self.pace) * 1_000_000 - 20_000_000
        }
    }
    #expect(hasty <= Self.hosts * kills, "\(hasty)")
    let floor = Double((Self.links / Self.hosts - 1) * Self.pace) / 1000
    print(
      "\(Self.links) pages of \(Self.hosts) hosts: \(took) s beside a floor of \(floor) s, "
        + "\(kills) kills, \(pages.count - Self.links) asked for again")
  }

  /// A worker needs no more memory for many pages than for some.
  @Test func memoryOfAWorkerIsFlat() throws {
    let many = max(1_500, Self.links)
    let peaks = try [300, many].map(Self.peak)
    print("peak of a worker: \(peaks[0]) KiB for 300 pages, \(peaks[1]) KiB for \(many)")
    #expect(Double(peaks[1]) < 1.35 * Double(peaks[0]), "\(peaks)")
  }

  /// Peak memory of a worker for a number of pages, in KiB.
  private static func peak(of pages: Int) throws -> Int {
    let server = try LoopbackServer { request, peer in
      let text = String(repeating: "Words of the page \(request.target). ", count: 60)
      peer.reply(
        200, ["Content-Type: text/html"],
        body: "<title>Page \(request.target)</title><article><p>\(text)</p></article>")
    }
    let sandbox = try Sandbox()
    sandbox.environment["ERRAND_ENRICH"] = "on"
    // Shipped definitions reach no server on this machine.
    let shipped = try sandbox.run("show", "enrich").out
    let names = (0..<50).map { "h\($0).localhost" }
    let own = shipped.replacing(
      "local:    {type: 'list<string>', default: []",
      with: "local:    {type: 'list<string>', default: [\(names.joined(separator: ", "))]"
    ).replacing("type: duration, default: 1s", with: "type: duration, default: 1ms")
    #expect(own != shipped)
    try sandbox.write(own, to: ".config/errand/enrich.yaml")
    try sandbox.write(
      """
      shortcut: save-many
      parameters: {names: {type: 'list<string>'}, count: {type: int}, port: {type: int}}
      steps:
        - for: n
          in: lists.range(count)
          do: [{save: 'http://{{ names[n % size(names)] }}:{{ port }}/{{ n }}'}]

      """, to: ".config/errand/save-many.yaml")
    let saved = try sandbox.run(
      "save-many", "--names", names.joined(separator: ","), "--count", "\(pages)", "--port",
      "\(server.port)", "--quiet")
    #expect(saved.status == 0, "\(saved)")
    let worker = try sandbox.start("worker", "--once")
    var peak = 0
    while worker.poll() == nil {
      let status = (try? String(contentsOfFile: "/proc/\(worker.id)/status", encoding: .utf8)) ?? ""
      for line in status.split(separator: "\n") where line.hasPrefix("VmHWM:") {
        peak = max(peak, Int(line.filter(\.isNumber)) ?? 0)
      }
      usleep(20_000)
    }
    let ready = try sandbox.run("find", "links", "--where", "status == 'ready'", "--count").out
    #expect(ready == "\(pages)\n", "\(sandbox.read("err") ?? "")")
    return peak
  }
}
