import CBuild
package import Engine
import ErrandKit
import Glibc

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
  /// The words of the command line that a front handed over; nil where they are the process's own.
  var words: [String]?

  /// The variable that says what is handed over: the build, and a descriptor or `-`.
  static let variable = "ERRAND_CONTINUES"

  /// The most bytes of a document that is handed over; no file of definitions is larger.
  private static let documentLimit = 8 << 20

  /// The name of this build.
  static var build: String { String(cString: errand_build()) }

  /// The link with the network, with what was handed over if anything was.
  ///
  /// - Throws: `failed` when it was by another build.
  static func taking(_ network: NetworkMaker?) throws(RunError) -> ProgramLink {
    guard let text = ProcessEnvironment.value(variable) else {
      return ProgramLink(network: network, words: try HandedWords.take())
    }
    // Programs that are started, and what they start, are no continuation of this.
    unsetenv(variable)
    let parts = text.split(separator: " ")
    guard parts.count == 2, parts[0] == build else {
      throw RunError(
        .failed, "errand and errand-net are not of the same build",
        help: "install both together: make && sudo make install")
    }
    var link = ProgramLink(network: network, isContinued: true, words: try HandedWords.take())
    if let descriptor = Int32(parts[1]) { link.document = try document(in: descriptor) }
    return link
  }

  private static func document(in descriptor: Int32) throws(RunError) -> [UInt8] {
    defer { close(descriptor) }
    guard let bytes = SealedFile.bytes(in: descriptor, limit: documentLimit) else {
      throw RunError(.failed, "what errand handed over to errand-net can't be read")
    }
    return bytes
  }
}
