import CBuild
import CLinux
package import Engine
import ErrandKit
import Glibc
import POSIX
package import Server
package import Store

/// Creates the HTTP client from the user-agent name and the environment.
package typealias NetworkMaker =
  @Sendable (
    _ userAgent: String, _ environment: @escaping @Sendable (String) -> String?
  ) -> HTTPAccess

/// Serves an API on a listening socket until asked to end; only in the binary with the network.
package typealias ServerMaker =
  @Sendable (
    _ service: APIService, _ socket: Int32, _ wake: Int32, _ isEnding: () -> Bool
  ) throws -> Void

/// Connects to a hub; the descriptor ends its waits.
package typealias HubMaker =
  @Sendable (_ address: HubAddress, _ wake: Int32) throws -> any HubConnection

/// The binary of this process, and the state its sibling binary handed over.
///
/// `errand` is static and starts fast; `errand-net` has the network. When a program may need it,
/// `errand` re-executes as `errand-net` (`execv(3)`) before it has read standard input, asked or
/// changed anything. No signals are blocked before that, so the signal mask is inherited unchanged.
struct ProgramLink: Sendable {
  /// Creates the HTTP client; nil in the binary without network access.
  var network: NetworkMaker?
  /// The cryptography of Web Push; nil in the binary without network access.
  var pushCipher: PushCipher?
  /// Serves the HTTP API; nil in the binary without network access.
  var serve: ServerMaker?
  /// Connects to a hub; nil in the binary without network access.
  var hub: HubMaker?
  /// Whether this process continues a call of its sibling binary.
  var isContinued = false
  /// The document already read by the sibling binary.
  var document: [UInt8]?
  /// A call passed on by a front; nil if the arguments are the process's own.
  var handed: HandedCall?
  /// The arguments passed on by a front.
  var words: [String]? { handed?.words }

  /// Environment variable of the handover: build, and a descriptor or `-`.
  private static let variable = "ERRAND_CONTINUES"

  /// Size limit of a passed document, in bytes; definition files are never larger.
  private static let documentLimit = 8 << 20

  /// Identifier of this build.
  private static var build: String { String(cString: errand_build()) }

  // MARK: Taking over

  /// Returns the link of this process, with any state passed on to it.
  ///
  /// - Parameter network: Creates the HTTP client; nil in the binary without it, which accepts only
  /// arguments.
  /// - Throws: `failed` if the state comes from another build.
  static func taking(_ network: NetworkMaker?) throws(RunError) -> ProgramLink {
    var link = ProgramLink(network: network, handed: try HandedCall.take())
    guard network != nil, let text = ProcessEnvironment.value(variable) else { return link }
    // Child processes must not inherit it.
    unsetenv(variable)
    let parts = text.split(separator: " ")
    guard parts.count == 2, parts[0] == build else {
      throw RunError(
        .failed, "errand and errand-net are from different builds",
        help: "install both together: make && sudo make install")
    }
    link.isContinued = true
    if let descriptor = Int32(parts[1]) {
      defer { close(descriptor) }
      link.document = SealedFile.bytes(in: descriptor, limit: documentLimit)
      if link.document == nil {
        throw RunError(.failed, "errand-net cannot read the call passed on by errand")
      }
    }
    return link
  }

  // MARK: Handing over

  /// Whether the process can become its sibling: it has no network access and `errand-net` is
  /// installed beside it.
  var canHandOver: Bool { network == nil && Self.siblingPath != nil }

  /// Path of the sibling binary in the same folder; nil if not installed.
  private static var siblingPath: String? {
    guard let program = Folder.resolved("/proc/self/exe") else { return nil }
    let path = Folder.parent(of: program) + "/errand-net"
    return access(path, X_OK) == 0 ? path : nil
  }

  /// Re-executes as `errand-net` with the same or other arguments.
  ///
  /// - Parameter document: Bytes read from standard input, or from a file that may have changed.
  /// - Throws: `network` or `io` on failure.
  func handOver(document: [UInt8]?, asking other: [String]? = nil) throws {
    guard let path = Self.siblingPath else { return }
    var descriptor: Int32 = -1
    if let document {
      descriptor = document.withUnsafeBytes { errand_sealed_file($0.baseAddress, $0.count) }
      guard descriptor >= 0 else {
        throw RunError(
          .io, "cannot pass the document to errand-net: \(String(cString: strerror(errno)))")
      }
    }
    setenv(Self.variable, "\(Self.build) \(descriptor >= 0 ? String(descriptor) : "-")", 1)
    if var handed {
      if let other { handed = handed.asking(other) }
      // The front stays connected, and its arguments stay out of the process list.
      try handed.handOn()
      execv(path, CommandLine.unsafeArgv)
    } else {
      var words = (other.map { ["errand"] + $0 } ?? []).map { strdup($0) } + [nil]
      if other == nil { execv(path, CommandLine.unsafeArgv) } else { execv(path, &words) }
      for word in words { free(word) }
    }
    let reason = String(cString: strerror(errno))
    unsetenv(Self.variable)
    throw RunError(.network, "cannot run \(path): \(reason)", help: "reinstall it")
  }
}
