import Engine

/// Makes `errand` become `errand-net`, where a program may come to reach the network.
enum Handover {
  /// Becomes the link with the network where an intent or a shortcut, which was checked, may come
  /// to need it.
  ///
  /// - Throws: `network` when it needs the network and there is no such link.
  static func goOnWithNetwork(_ name: String, _ invocation: Invocation) throws {
    let link = invocation.console.link
    guard link.network == nil else { return }
    let workspace = try invocation.session().workspace
    let need = try workspace.networkNeed(of: name)
    if case .none = need { return }
    guard link.canHandOver else {
      // What is named when it runs may do without.
      guard case .certain = need else { return }
      throw RunError(
        .network, "`\(name)` needs the network, and errand-net is not beside errand",
        help: "install both: make && sudo make install")
    }
    invocation.console.flush()
    try link.handOver(document: invocation.document)
  }

  /// Becomes the link with the network, where there is one, for a run that was recorded, or for
  /// another command line: what it will come to is known only once it is read.
  static func goOnWithRecordedRun(
    _ invocation: Invocation, asking words: [String]? = nil
  ) throws {
    guard invocation.console.link.canHandOver else { return }
    invocation.console.flush()
    try invocation.console.link.handOver(document: nil, asking: words)
  }
}
