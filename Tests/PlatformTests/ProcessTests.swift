import Engine
import Glibc
import POSIX
import Testing

@testable import Platform

/// Programs run by `exec`, well-behaved and not.
@Suite(.serialized) struct ProcessTests {
  // MARK: Input and output

  @Test func exchangesInputAndOutput() throws {
    let end = try exec("cat", input: "one\ntwo")
    #expect(end.reason == .exited(0))
    #expect(end.text == "one\ntwo")
  }

  @Test func fullPipesDoNotDeadlock() throws {
    // Far more than a pipe holds, in both directions and on standard error.
    let input = String(repeating: "0123456789abcde\n", count: 200_000)
    let end = try exec("sh", "-c", "tee /dev/stderr", input: input)
    #expect(end.reason == .exited(0))
    #expect(end.output.count == input.utf8.count)
    #expect(end.errors.count <= 128 << 10)
    #expect(end.errorText.hasSuffix("abcde\n"))
  }

  @Test func emptyInputIsEndOfFile() throws {
    #expect(try exec("cat").output == [])
  }

  @Test func unreadInputIsNotAnError() throws {
    let end = try exec("true", input: String(repeating: "x", count: 1 << 20))
    #expect(end.reason == .exited(0))
  }

  @Test func waitsForAProgramThatClosesItsPipes() throws {
    let end = try exec("sh", "-c", "exec <&- >&- 2>&-; sleep 0.05; exit 7", input: "x")
    #expect(end.reason == .exited(7))
  }

  @Test func distinguishesStatusesFromSignals() throws {
    #expect(try exec("sh", "-c", "exit 130").reason == .exited(130))
    #expect(try exec("sh", "-c", "kill -9 $$").reason == .signalled(SIGKILL))
    #expect(try exec("sh", "-c", "kill -INT $$").reason == .signalled(SIGINT))
  }

  @Test func addsAndReplacesVariables() throws {
    let end = try exec("sh", "-c", "echo \"$HOME $ADDED\"") {
      $0.environment = [("ADDED", "a b"), ("HOME", "/else")]
    }
    #expect(end.text == "/else a b\n")
  }

  @Test func runsInAFolder() throws {
    let folder = try TestFolder()
    #expect(try exec("pwd", change: { $0.folder = folder.path }).text == folder.path + "\n")
  }

  @Test func inheritsNoDescriptors() throws {
    let folder = try TestFolder()
    let held = try Descriptor(try folder.write("x", to: "held"), O_RDONLY)
    let open = try exec("ls", "-l", "/proc/self/fd").text
    #expect(!open.contains(folder.path))
    withExtendedLifetime(held) {}
  }

  @Test func hasNoTerminal() throws {
    let end = try exec("sh", "-c", "read answer < /dev/tty")
    #expect(end.reason != .exited(0))
    #expect(end.errorText.contains("/dev/tty"))
  }

  // MARK: Programs that cannot be started

  @Test func reportsAMissingProgram() throws {
    let error = #expect(throws: RunError.self) { try exec("no-such-program-here") }
    #expect(error?.code == .exec)
    #expect(error?.message.contains("no-such-program-here") == true)
  }

  @Test func reportsAFileThatIsNotExecutable() throws {
    let folder = try TestFolder()
    let path = try folder.write("x", to: "plain")
    #expect(throws: RunError.self) { try exec(path) }
  }

  @Test func reportsAMissingFolder() throws {
    let error = #expect(throws: RunError.self) {
      try exec("true", change: { $0.folder = "/no/such/folder" })
    }
    #expect(error?.message.contains("/no/such/folder") == true)
  }

  // MARK: Output to a file

  @Test func savesOutputOnlyOnSuccess() throws {
    let folder = try TestFolder()
    try folder.write("before", to: "out")
    let bad = try exec("sh", "-c", "echo half; exit 3") { $0.outputPath = folder.file("out") }
    #expect(bad.reason == .exited(3))
    #expect(folder.read("out") == "before")
    let good = try exec("echo", "whole") { $0.outputPath = folder.file("out") }
    #expect(good.reason == .exited(0))
    #expect(folder.read("out") == "whole\n")
    #expect(try folder.names() == ["out"])
  }

  // MARK: Programs that must be stopped

  @Test func stopsEndlessOutput() throws {
    let end = try exec("yes") { $0.outputLimit = 1 << 20 }
    #expect(end.reason == .tooMuchOutput)
    #expect(end.output.count == 1 << 20)
  }

  @Test func stopsAtTheDeadline() throws {
    let end = try exec("sleep", "600", deadline: MonotonicClock.nanoseconds + 20_000_000)
    #expect(end.reason == .interrupted)
  }

  @Test func aReadableDescriptorInterrupts() throws {
    let interrupt = Interrupt()
    let descriptor = interrupt.pollDescriptor
    interrupt.set()
    #expect(try exec("sleep", "600", descriptors: [descriptor]).reason == .interrupted)
  }

  /// Programs that write a process id; that process must be gone at the end.
  @Test(
    arguments: [
      // ignores SIGTERM
      "trap '' TERM INT HUP; echo $$ > \"$1\"; while :; do sleep 600; done",
      // has children, and grandchildren in the background
      "sh -c 'sleep 600 & echo $! > \"$0\"; wait' \"$1\" & wait",
      // forks into a new session
      "setsid -f sh -c 'echo $$ > \"$0\"; exec sleep 600' \"$1\"; sleep 600",
      // forks and ignores signals
      "setsid -f sh -c 'trap \"\" TERM; echo $$ > \"$0\"; while :; do sleep 600; done' \"$1\"; sleep 600",
    ])
  func stopsAllDescendants(_ script: String) throws {
    let folder = try TestFolder()
    let path = folder.file("id")
    // Cancel only once the process exists.
    let interrupt = Interrupt()
    let descriptor = interrupt.pollDescriptor
    var thread = pthread_t()
    let job = Unmanaged.passRetained(Watch(folder, interrupt)).toOpaque()
    pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        let watch = Unmanaged<Watch>.fromOpaque(context).takeRetainedValue()
        _ = eventually { watch.folder.read("id")?.hasSuffix("\n") == true }
        watch.interrupt.set()
        return nil
      }, job)
    let end = try exec("sh", "-c", script, "sh", path, descriptors: [descriptor])
    pthread_join(thread, nil)
    #expect(end.reason == .interrupted)
    let text = try #require(folder.read("id"))
    let id = try #require(pid_t(text.dropLast()))
    #expect(eventually { kill(id, 0) != 0 })
  }

  /// The state shared with the thread.
  private final class Watch {
    let folder: TestFolder
    let interrupt: Interrupt

    init(_ folder: TestFolder, _ interrupt: Interrupt) {
      self.folder = folder
      self.interrupt = interrupt
    }
  }

  @Test func doesNotWaitForDaemons() throws {
    let folder = try TestFolder()
    // A daemon holds the pipe open after the program has ended.
    let end = try exec(
      "sh", "-c", "sleep 600 & echo $! > \"$1\"; echo done", "sh", folder.file("id"))
    #expect(end.reason == .exited(0))
    #expect(end.text == "done\n")
    let text = try #require(folder.read("id"))
    let id = try #require(pid_t(text.dropLast()))
    #expect(kill(id, 0) == 0)
    kill(id, SIGKILL)
    _ = waitpid(id, nil, 0)
  }

  @Test func cancelledProgramsLeaveNoDescriptorsOrChildren() throws {
    let folder = try TestFolder()
    func open() throws -> Int { try FolderListing.entries("/proc/self/fd", false).count }
    func children() throws -> Int {
      try FileAccess.machine.read("/proc/self/task/\(getpid())/children", 1 << 20).count {
        $0 == 0x20
      }
    }
    _ = try exec("true")
    let before = (try open(), try children())
    for _ in 0..<40 {
      let end = try exec(
        "sh", "-c", "sleep 600 & sleep 600", input: "x",
        deadline: MonotonicClock.nanoseconds + 2_000_000
      ) { $0.outputPath = folder.file("out") }
      #expect(end.reason == .interrupted)
    }
    #expect(try folder.names() == [])
    // Other tests of this process have children, too, but not one for each of these.
    #expect(try open() < before.0 + 40)
    #expect(try children() < before.1 + 40)
  }
}
