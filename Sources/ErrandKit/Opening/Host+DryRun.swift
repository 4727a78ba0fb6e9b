package import Engine
import Glibc
import Items
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
    quiet.machine.exec = { _, _ in ProcessEnd(reason: .exited(0), output: [], errors: []) }
    quiet.machine.http = { [machine] request, bounds in
      if makesRequests, request.onlyReads, let http = machine.http {
        // Convert the deadline from simulated to real time; the clock advances by the request's duration.
        let (start, shown) = (machine.monotonic(), clock.monotonic)
        defer { clock.spend(.nanoseconds(machine.monotonic() - start)) }
        let deadline = bounds.deadline.map { $0 &- shown &+ start }
        return try http(request, WaitBounds(deadline: deadline, descriptors: bounds.descriptors))
      }
      return .reply(HTTPReply(status: 200, headers: [], url: request.url, body: [], isSaved: false))
    }
    quiet.machine.notify = { _, _ in .shown(action: nil) }
    quiet.machine.files.write = { _, _, _ in }
    quiet.machine.files.transfer = { transfer in
      let name = transfer.from.split(separator: "/").last ?? ""
      return (
        path: transfer.to.hasSuffix("/") ? transfer.to + name : transfer.to, move: nil
      )
    }
    quiet.machine.files.trash = { path in
      let state = FileMove.State(inode: 0, size: 0, modified: 0)
      return FileMove(kind: .trash, from: path, to: path, state: state)
    }
    quiet.machine.files.takeBack = { $0 }
    quiet.machine.files.keep = { bytes, path, _ in KeptFile(bytes: bytes, at: path) }
    quiet.noteActivity = nil
    quiet.writeClipboard = { _ in true }
    quiet.open = { _ in true }
    quiet.log = { _ in }
    // A missing key is generated in memory.
    if keyPath.map({ access($0, F_OK) != 0 }) ?? true { quiet.linkKey = LinkKey.random() }
    return quiet
  }
}
