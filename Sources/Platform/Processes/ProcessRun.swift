import CLinux
import Engine
import Glibc
import POSIX

/// Runs one program to its end: feeds its input, collects its output, and stops it early if needed.
final class ProcessRun {
  private var request: ProcessRequest
  private let bounds: WaitBounds
  private var output: [UInt8] = []
  private var errors: [UInt8] = []
  private var written = 0

  /// The number of bytes of standard error that are kept, from its end.
  private static let errorLimit = 64 << 10

  init(_ request: ProcessRequest, _ bounds: WaitBounds) {
    self.request = request
    self.bounds = bounds
  }

  /// Runs the program to its end.
  ///
  /// - Throws: `exec` if the program does not exist; `io`.
  func run() throws -> ProcessEnd {
    errand_adopt_orphans()
    let folder = try placeAttachments()
    defer { removeAttachments(in: folder) }
    let sink = try request.outputPath.map { try FileSink($0, throughLink: false) }
    let reason = try run(sink: sink?.descriptor)
    if reason == .exited(0) { try sink?.publish() }
    return ProcessEnd(reason: reason, output: output, errors: errors)
  }

  /// Writes the bytes among the arguments to files in a private folder.
  ///
  /// - Returns: The folder; nil if there are no such arguments.
  private func placeAttachments() throws -> String? {
    if request.attachments.isEmpty { return nil }
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var pattern = Array("\(parent)/errand-XXXXXX".utf8CString)
    guard mkdtemp(&pattern) != nil else { throw RunError.file(parent, errno) }
    let folder = String(decoding: pattern.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    for (word, file) in request.attachments {
      let path = "\(folder)/\(word)-\(file.name)"
      let sink = try FileSink(path, throughLink: false)
      try sink.write(file.bytes)
      try sink.publish()
      request.command[word] = path
    }
    return folder
  }

  private func removeAttachments(in folder: String?) {
    if let folder { Folder.remove(folder) }
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
    return exchange(child, end, tree, input: input, output: output, errors: errors)
  }

  /// Exchanges input and output with the program until it ends or must be stopped.
  private func exchange(
    _ child: pid_t, _ end: Int32, _ tree: ProcessTree, input: Pipe, output: Pipe,
    errors: Pipe
  ) -> ProcessEnd.Reason {
    while true {
      var polled = [
        pollfd(fd: end, events: Int16(POLLIN), revents: 0),
        pollfd(fd: input.writing, events: Int16(POLLOUT), revents: 0),
        pollfd(fd: output.reading, events: Int16(POLLIN), revents: 0),
        pollfd(fd: errors.reading, events: Int16(POLLIN), revents: 0),
      ]
      polled += bounds.descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      // Without a pidfd, poll for its end every few milliseconds.
      let nextPoll: Int64? = end < 0 ? MonotonicClock.nanoseconds + 5_000_000 : nil
      MonotonicClock.wait(&polled, until: [bounds.deadline, nextPoll].compactMap { $0 }.min())
      if polled[1].revents != 0 { feed(input) }
      // The pipe was readable, so an empty read means its end.
      if polled[2].revents != 0, !read(output, to: \.output) { output.closeReading() }
      if polled[3].revents != 0, !read(errors, to: \.errors) { errors.closeReading() }
      if self.output.count > request.outputLimit {
        tree.end(child)
        self.output.removeLast(self.output.count - request.outputLimit)
        return .tooMuchOutput
      }
      if polled[0].revents != 0 || end < 0, let status = ProcessTree.reap(child) {
        // Drain the output of the program; do not wait for descendants that keep the pipes open.
        while read(output, to: \.output), self.output.count <= request.outputLimit {}
        while read(errors, to: \.errors) {}
        if status & 0x7F == SIGINT, isInterrupted {
          tree.end(child)
          return .interrupted
        }
        return status & 0x7F == 0 ? .exited(status >> 8 & 0xFF) : .signalled(status & 0x7F)
      }
      let isStopRequested = polled[4...].contains { $0.revents != 0 }
      if isStopRequested || bounds.deadline.map({ MonotonicClock.nanoseconds >= $0 }) == true {
        tree.end(child)
        return .interrupted
      }
    }
  }

  /// Whether this process got Ctrl-C, too: it reaches a program that was not yet in its own session, and may reach this
  /// process a moment later.
  private var isInterrupted: Bool {
    var polled = bounds.descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    return MonotonicClock.wait(&polled, until: MonotonicClock.nanoseconds + 100_000_000)
  }

  /// Writes as much as the pipe accepts; it is not an error if the program stops reading.
  private func feed(_ input: Pipe) {
    let count = request.input[written...].withUnsafeBytes {
      write(input.writing, $0.baseAddress, $0.count)
    }
    if count > 0 { written += count }
    let isOver = count < 0 && errno != EAGAIN && errno != EINTR
    if isOver || written == request.input.count { input.closeWriting() }
  }

  /// Reads available bytes; false if there are none, or at the end.
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
