import Engine

/// Re-executes `errand` as `errand-net` when network access may be needed.
enum Reexec {
  /// Re-executes as `errand-net` if a checked action may reach the network.
  ///
  /// - Throws: `network` if the action needs the network and `errand-net` is not installed.
  static func goOnWithNetwork(_ name: String, _ invocation: Invocation) throws {
    let link = invocation.console.link
    guard link.network == nil else { return }
    let workspace = try invocation.openRun().workspace
    let need = try workspace.networkNeed(of: name)
    if case .none = need { return }
    guard link.canHandOver else {
      // An action chosen at run time may not need the network.
      guard case .certain = need else { return }
      throw RunError(
        .network, "`\(name)` needs the network, but errand-net is not installed beside errand",
        help: "install both: make && sudo make install")
    }
    invocation.console.flush()
    try link.handOver(document: invocation.document, asking: invocation.handedWords)
  }

  /// Re-executes as `errand-net`, if installed, for a recorded run or another command line, whose
  /// needs are not known in advance.
  static func goOnWithRecordedRun(
    _ invocation: Invocation, asking words: [String]? = nil
  ) throws {
    guard invocation.console.link.canHandOver else { return }
    invocation.console.flush()
    try invocation.console.link.handOver(document: nil, asking: words)
  }
}
