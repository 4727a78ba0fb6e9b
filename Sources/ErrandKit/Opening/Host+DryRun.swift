package import Engine
import Glibc
import Links
import Program

extension Host {
  /// A host that reads but changes nothing outside.
  ///
  /// - Parameter makesRequests: Whether read-only requests are performed.
  package func forDryRun(makesRequests: Bool) -> Host {
    var quiet = self
    let clock = SimulatedClock(at: now())
    quiet.now = { clock.now }
    quiet.machine.simulation = clock
    quiet.machine.monotonic = { clock.monotonic }
    let files = DryRunFiles(machine.files) { clock.now }
    quiet.machine.files = files.access
    quiet.machine.exec = { request, _ in
      try files.skip(request)
      return ProcessEnd(reason: .exited(0), output: [], errors: [])
    }
    quiet.machine.http = { [machine] request, bounds in
      if makesRequests, request.onlyReads, let http = machine.http {
        // Convert the deadline from simulated to real time; the clock advances by the request's duration.
        let (start, shown) = (machine.monotonic(), clock.monotonic)
        defer { clock.spend(.nanoseconds(machine.monotonic() - start)) }
        let deadline = bounds.deadline.map { $0 &- shown &+ start }
        return try http(request, WaitBounds(deadline: deadline, descriptors: bounds.descriptors))
      }
      if let path = request.outputPath { try files.write(path, [], .replace) }
      return .reply(
        HTTPReply(
          status: 200, headers: [], url: request.url, body: [],
          isSaved: request.outputPath != nil))
    }
    quiet.machine.notify = { _, _ in .shown(action: nil) }
    quiet.noteActivity = nil
    quiet.writeClipboard = { _ in true }
    quiet.open = { _ in true }
    quiet.log = { _ in }
    // A missing key is generated in memory.
    if keyPath.map({ access($0, F_OK) != 0 }) ?? true { quiet.linkKey = LinkKey.random() }
    return quiet
  }
}
