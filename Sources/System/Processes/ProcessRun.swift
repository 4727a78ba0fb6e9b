import CLinux
import Engine
import Glibc
import POSIX

/// One program from its start to its end: what it reads, what it writes, and what ends it early.
final class ProcessRun {
  private let request: ProcessRequest
  private let bounds: WaitBounds
  private var output: [UInt8] = []
  private var errors: [UInt8] = []
  private var written = 0

  /// How much of what a program writes to standard error is kept, in bytes: the last of it.
  private static let errorLimit = 64 << 10

  init(_ request: ProcessRequest, _ bounds: WaitBounds) {
    self.request = request
    self.bounds = bounds
  }

  /// Runs it to its end.
  ///
  /// - Throws: `exec` when there is no such program, `io`.
  func run() throws -> ProcessEnd {
    errand_adopt_orphans()
    let sink = try request.outputPath.map { try FileSink($0, throughLink: false) }
    let reason = try run(sink: sink?.descriptor)
    if reason == .exited(0) { try sink?.publish() }
    return ProcessEnd(reason: reason, output: output, errors: errors)
  }

  private func run(sink: Int32?) throws -> ProcessEnd.Reason {
    let input = try Pipe(isNeeded: !request.input.isEmpty && !request.hasTerminal)
    let output = try Pipe(isNeeded: sink == nil && !request.hasTerminal)
    let errors = try Pipe(isNeeded: !request.hasTerminal)
    let tree = ProcessTree()
    let child = try ChildLaunch(request, mark: tree.mark).start(
      input: input.reading, output: sink ?? output.writing, errors: errors.writing)
    RunningPrograms.add(child)
    defer { RunningPrograms.remove(child) }
    input.closeReading()
    output.closeWriting()
    errors.closeWriting()
    for end in [input.writing, output.reading, errors.reading] { Pipe.dontWait(end) }
    let end = errand_pidfd_open(child)
    defer { if end >= 0 { close(end) } }
    return talk(child, end, tree, input, output, errors)
  }

  /// Feeds it and listens to it until it ends, or must be ended.
  private func talk(
    _ child: pid_t, _ end: Int32, _ tree: ProcessTree, _ input: Pipe, _ output: Pipe,
    _ errors: Pipe
  ) -> ProcessEnd.Reason {
    while true {
      var polled = [
        pollfd(fd: end, events: Int16(POLLIN), revents: 0),
        pollfd(fd: input.writing, events: Int16(POLLOUT), revents: 0),
        pollfd(fd: output.reading, events: Int16(POLLIN), revents: 0),
        pollfd(fd: errors.reading, events: Int16(POLLIN), revents: 0),
      ]
      polled += bounds.descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      // Without a descriptor for its end it is asked for every few milliseconds.
      let look: Int64? = end < 0 ? MonotonicClock.nanoseconds + 5_000_000 : nil
      MonotonicClock.wait(&polled, until: [bounds.deadline, look].compactMap { $0 }.min())
      if polled[1].revents != 0 { feed(input) }
      // Something was to be read there: nothing means the end.
      if polled[2].revents != 0, !read(output, to: \.output) { output.closeReading() }
      if polled[3].revents != 0, !read(errors, to: \.errors) { errors.closeReading() }
      if self.output.count > request.outputLimit {
        tree.end(child)
        self.output.removeLast(self.output.count - request.outputLimit)
        return .tooMuchOutput
      }
      if polled[0].revents != 0 || end < 0, let status = ProcessTree.reap(child) {
        // What it wrote is there by now; what others below it hold open is not waited for.
        while read(output, to: \.output), self.output.count <= request.outputLimit {}
        while read(errors, to: \.errors) {}
        if status & 0x7F == SIGINT, isInterrupted {
          tree.end(child)
          return .interrupted
        }
        return status & 0x7F == 0 ? .exited(status >> 8 & 0xFF) : .signalled(status & 0x7F)
      }
      let isWanted = polled[4...].contains { $0.revents != 0 }
      if isWanted || bounds.deadline.map({ MonotonicClock.nanoseconds >= $0 }) == true {
        tree.end(child)
        return .interrupted
      }
    }
  }

  /// Whether Ctrl-C is meant for us, too: it reaches a program that was not yet in a session of its
  /// own when it was pressed, and may reach us a moment later.
  private var isInterrupted: Bool {
    var polled = bounds.descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    return MonotonicClock.wait(&polled, until: MonotonicClock.nanoseconds + 100_000_000)
  }

  /// Writes what there is room for; a program that reads no more is no failure.
  private func feed(_ input: Pipe) {
    let count = request.input[written...].withUnsafeBytes {
      write(input.writing, $0.baseAddress, $0.count)
    }
    if count > 0 { written += count }
    let isOver = count < 0 && errno != EAGAIN && errno != EINTR
    if isOver || written == request.input.count { input.closeWriting() }
  }

  /// Reads what is there; false when there is nothing now, or the end.
  private func read(
    _ pipe: Pipe, to bytes: ReferenceWritableKeyPath<ProcessRun, [UInt8]>
  ) -> Bool {
    guard pipe.reading >= 0 else { return false }
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    let count = Glibc.read(pipe.reading, &buffer, buffer.count)
    if count < 0, errno == EINTR { return true }
    guard count > 0 else { return false }
    self[keyPath: bytes] += buffer[..<count]
    if bytes == \.errors, errors.count > 2 * Self.errorLimit {
      errors.removeFirst(errors.count - Self.errorLimit)
    }
    return true
  }
}
