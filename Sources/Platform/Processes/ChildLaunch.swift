import CLinux
package import Engine
import Glibc

/// Starts a program with only the descriptors and environment given to it.
package struct ChildLaunch {
  private let request: ProcessRequest
  private let mark: String?

  /// `POSIX_SPAWN_SETSID` of spawn.h, a macro that Swift does not import.
  private static let newSession: Int32 = 0x80

  /// - Parameter mark: An environment variable that identifies its descendants, if any.
  package init(_ request: ProcessRequest, mark: String? = nil) {
    self.request = request
    self.mark = mark
  }

  /// Starts the program with these descriptors; -1 is the null device, or the inherited terminal.
  ///
  /// - Parameter handed: Passed as descriptor 3; -1 for none.
  /// - Throws: `exec` if the program does not exist or cannot be run.
  package func start(
    input: Int32 = -1, output: Int32 = -1, errors: Int32 = -1, handed: Int32 = -1
  ) throws -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, descriptor) in [(Int32(0), input), (1, output), (2, errors)] {
      if descriptor >= 0 {
        posix_spawn_file_actions_adddup2(&actions, descriptor, number)
      } else if !request.hasTerminal {
        posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
      }
    }
    if handed >= 0 { posix_spawn_file_actions_adddup2(&actions, handed, 3) }
    // Do not leak descriptors that a library opened.
    errand_spawn_close_from(&actions, handed >= 0 ? 4 : 3)
    if let folder = request.folder { errand_spawn_chdir(&actions, folder) }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // Reset the signals that this process ignores or handles.
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in [SIGPIPE, SIGINT, SIGTERM] { sigaddset(&signals, signal) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    var flags = Int32(POSIX_SPAWN_SETSIGDEF) | Int32(POSIX_SPAWN_SETSIGMASK)
    // In a new session, a program that prompts for a password fails instead of stopping.
    if !request.hasTerminal { flags |= Self.newSession }
    posix_spawnattr_setflags(&attributes, Int16(flags))
    var words: [UnsafeMutablePointer<CChar>?] = request.command.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    let own = ownVariables
    defer { for variable in own { free(variable) } }
    var variables: [UnsafeMutablePointer<CChar>?] = inherited + own + [nil]
    guard let program = words[0] else { throw failure(ENOMEM) }
    var id: Int32 = 0
    let status = posix_spawnp(&id, program, &actions, &attributes, &words, &variables)
    guard status == 0 else { throw failure(status) }
    return id
  }

  /// Checks that the program exists and can be run, without starting it.
  ///
  /// - Throws: `exec` as `start` does.
  package func check() throws {
    let program = request.command[0]
    if let folder = request.folder, access(folder, X_OK) != 0 { throw failure(ENOENT) }
    let search = getenv("PATH").map { String(cString: $0) } ?? "/bin:/usr/bin"
    let folders =
      program.contains("/")
      ? [program.hasPrefix("/") ? "" : request.folder ?? ""]
      : search.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    var code = ENOENT
    for folder in folders {
      let path = folder.isEmpty ? program : folder + "/" + program
      if access(path, X_OK) == 0 { return }
      if errno == EACCES { code = EACCES }
    }
    throw failure(code)
  }

  private var ownVariables: [UnsafeMutablePointer<CChar>?] {
    let texts = request.environment.map { "\($0.name)=\($0.value)" }
    return (texts + [mark].compactMap { $0 }).map { strdup($0) }
  }

  /// The inherited environment variables that are not overridden.
  private var inherited: [UnsafeMutablePointer<CChar>?] {
    var variables: [UnsafeMutablePointer<CChar>?] = []
    let names = request.environment.map { $0.name + "=" }
    var next = Glibc.environ
    while let variable = next.pointee {
      if names.isEmpty || !names.contains(where: { strncmp(variable, $0, $0.utf8.count) == 0 }) {
        variables.append(variable)
      }
      next += 1
    }
    return variables
  }

  private func failure(_ status: Int32) -> RunError {
    let program = request.command[0]
    if let folder = request.folder, access(folder, X_OK) != 0 {
      return RunError(.exec, "`\(program)` cannot run in \(folder): no such folder")
    }
    switch status {
    case ENOENT:
      return RunError(
        .exec, "there is no program `\(program)`", help: "install it, or give its full path")
    case EACCES: return RunError(.exec, "`\(program)` is not executable")
    case E2BIG:
      return RunError(
        .exec, "the arguments of `\(program)` are too long", help: "pass them on stdin")
    default:
      return RunError(.exec, "`\(program)` cannot be run: \(String(cString: strerror(status)))")
    }
  }
}
