import CBuild
import CLinux
package import Engine
import ErrandKit
import Glibc
import POSIX

/// Makes what reaches the network: from the name that servers are told, and the environment.
package typealias NetworkMaker =
  @Sendable (
    _ userAgent: String, _ environment: @escaping @Sendable (String) -> String?
  ) -> HTTPAccess

/// Which of the two links of the program a process is, and what the other one handed over.
///
/// `errand` is static and starts in a moment, `errand-net` has the network. Where a program may
/// reach it, the first becomes the second by `execv(3)`, before it has read standard input, asked
/// or changed anything. Signals are not blocked anywhere up to there, so the mask is the one that
/// the process was given.
struct ProgramLink: Sendable {
  /// Makes what reaches the network; nil in the link without it.
  var network: NetworkMaker?
  /// Whether this process goes on with what the other link began.
  var isContinued = false
  /// The document that the other link has read.
  var document: [UInt8]?
  /// The call that a front handed over; nil where the words are the process's own.
  var handed: HandedCall?
  /// The words of the command line that a front handed over.
  var words: [String]? { handed?.words }

  /// The variable that says what is handed over: the build, and a descriptor or `-`.
  private static let variable = "ERRAND_CONTINUES"

  /// The most bytes of a document that is handed over; no file of definitions is larger.
  private static let documentLimit = 8 << 20

  /// The name of this build.
  private static var build: String { String(cString: errand_build()) }

  // MARK: Taking over

  /// The link of this process, with what was handed over if anything was.
  ///
  /// - Parameter network: Makes what reaches the network; nil in the link without it, to which
  ///   nothing is handed over but words.
  /// - Throws: `failed` when it was by another build.
  static func taking(_ network: NetworkMaker?) throws(RunError) -> ProgramLink {
    var link = ProgramLink(network: network, handed: try HandedCall.take())
    guard network != nil, let text = ProcessEnvironment.value(variable) else { return link }
    // Programs that are started, and what they start, are no continuation of this.
    unsetenv(variable)
    let parts = text.split(separator: " ")
    guard parts.count == 2, parts[0] == build else {
      throw RunError(
        .failed, "errand and errand-net are not of the same build",
        help: "install both together: make && sudo make install")
    }
    link.isContinued = true
    if let descriptor = Int32(parts[1]) {
      defer { close(descriptor) }
      link.document = SealedFile.bytes(in: descriptor, limit: documentLimit)
      if link.document == nil {
        throw RunError(.failed, "what errand handed over to errand-net can't be read")
      }
    }
    return link
  }

  // MARK: Handing over

  /// Whether the program may become the other link: it is the one without the network, and that
  /// stands beside it.
  var canHandOver: Bool { network == nil && Self.siblingPath != nil }

  /// The other link, in the folder of this one; nil where it is not there.
  private static var siblingPath: String? {
    guard let program = realpath("/proc/self/exe", nil) else { return nil }
    defer { free(program) }
    let path = Folder.parent(of: String(cString: program)) + "/errand-net"
    return access(path, X_OK) == 0 ? path : nil
  }

  /// Becomes the link with the network, which begins anew with the same words or others.
  ///
  /// - Parameter document: What was read of standard input, or of a file that may have changed.
  /// - Throws: `network`, `io` where that fails.
  func handOver(document: [UInt8]?, asking other: [String]? = nil) throws {
    guard let path = Self.siblingPath else { return }
    var descriptor: Int32 = -1
    if let document {
      descriptor = document.withUnsafeBytes { errand_sealed_file($0.baseAddress, $0.count) }
      guard descriptor >= 0 else {
        throw RunError(
          .io, "the document can't be handed over: \(String(cString: strerror(errno)))")
      }
    }
    setenv(Self.variable, "\(Self.build) \(descriptor >= 0 ? String(descriptor) : "-")", 1)
    if let handed {
      // A front that handed its words over goes on to be heard of, and they stand in no list.
      try (other.map { HandedCall(words: $0) } ?? handed).handOn()
      execv(path, CommandLine.unsafeArgv)
    } else {
      var words = (other.map { ["errand"] + $0 } ?? []).map { strdup($0) } + [nil]
      if other == nil { execv(path, CommandLine.unsafeArgv) } else { execv(path, &words) }
      for word in words { free(word) }
    }
    let reason = String(cString: strerror(errno))
    unsetenv(Self.variable)
    throw RunError(.network, "\(path) can't be run: \(reason)", help: "install it anew")
  }
}
