import CLinux
import Engine
import ErrandKit
import Glibc
import POSIX
import Source

/// Makes `errand` become `errand-net`, where a program may come to reach the network.
enum Handover {
  /// Becomes the link with the network where an intent or a shortcut may come to need it.
  ///
  /// - Throws: `Diagnostics` when its definition is wrong, `network` when it needs the network and
  ///   there is no such link.
  static func goOnWithNetwork(_ name: String, _ invocation: Invocation) throws {
    guard invocation.console.link.network == nil else { return }
    let workspace = try invocation.session().workspace
    try workspace.check(action: name)
    let need = try workspace.networkNeed(of: name)
    if case .none = need { return }
    guard let path = siblingPath, access(path, X_OK) == 0 else {
      // What is named when it runs may do without.
      guard case .certain = need else { return }
      throw RunError(
        .network, "`\(name)` needs the network, and errand-net is not beside errand",
        help: "install both: make && sudo make install")
    }
    invocation.console.flush()
    if invocation.console.link.words != nil { HandedWords.handOn() }
    try become(path, document: invocation.document)
  }

  /// Becomes the link with the network, where there is one, for a run that was recorded: what it
  /// will come to is known only once its journal is read.
  static func goOnWithRecordedRun(_ invocation: Invocation) throws {
    guard invocation.console.link.network == nil, let path = siblingPath, access(path, X_OK) == 0
    else { return }
    invocation.console.flush()
    try become(path, document: nil)
  }

  /// Becomes the link with the network, where there is one, with another command line.
  static func goOnWithNetwork(asking words: [String], _ invocation: Invocation) throws {
    guard invocation.console.link.network == nil, let path = siblingPath, access(path, X_OK) == 0
    else { return }
    invocation.console.flush()
    var arguments = (["errand"] + words).map { strdup($0) }
    defer { for argument in arguments { free(argument) } }
    arguments.append(nil)
    try become(path, document: nil, arguments: arguments)
  }

  /// The other link, in the folder of this one.
  private static var siblingPath: String? {
    guard let path = realpath("/proc/self/exe", nil) else { return nil }
    defer { free(path) }
    return Folder.parent(of: String(cString: path)) + "/errand-net"
  }

  private static func become(
    _ path: String, document: [UInt8]?, arguments: [UnsafeMutablePointer<CChar>?]? = nil
  ) throws {
    var descriptor: Int32 = -1
    if let document {
      descriptor = document.withUnsafeBytes { errand_sealed_file($0.baseAddress, $0.count) }
      guard descriptor >= 0 else {
        throw RunError(
          .io, "the document can't be handed over: \(String(cString: strerror(errno)))")
      }
    }
    setenv(
      ProgramLink.variable, "\(ProgramLink.build) \(descriptor >= 0 ? String(descriptor) : "-")", 1)
    if var arguments { execv(path, &arguments) } else { execv(path, CommandLine.unsafeArgv) }
    let reason = String(cString: strerror(errno))
    unsetenv(ProgramLink.variable)
    throw RunError(.network, "\(path) can't be run: \(reason)", help: "install it anew")
  }
}
