import Links

/// The answers that a run keeps until what came of them is saved, so that no server is asked twice
/// where the process dies in between (docs/language.md, “The network”).
///
/// Its state is touched only by the branch whose turn it is.
final class KeptAnswers {
  private let keeping: AnswerKeeping
  /// The keys of what each line of steps keeps.
  private var open: [ObjectIdentifier: [String]] = [:]
  /// The keys of what is not needed once all that was written is committed.
  private var done: [String] = []
  /// All keys that the run keeps, which stand for answers that it had.
  private var own: Set<String> = []

  init(_ keeping: AnswerKeeping) { self.keeping = keeping }

  /// What stands for a request, of which nothing can be read; nil for one whose answer is not kept.
  static func key(of request: HTTPRequest) -> String? {
    guard ["GET", "HEAD"].contains(request.method), case .none = request.body,
      request.outputPath == nil, !request.headers.contains(where: \.isSecret)
    else { return nil }
    var parts = [request.method, request.url, "\(request.redirects)", "\(request.maxSize)"]
    for header in request.headers { parts += [header.name.lowercased(), header.value] }
    // What may be reached counts: an answer is for those who could have asked for it.
    parts.append(request.localHosts.map { $0.joined(separator: " ") } ?? "any")
    return SHA256.hex(of: parts.map { "\($0.utf8.count):\($0)" }.joined())
  }

  /// Whether the run has had the answer, so that whoever asks again, such as a `retry`, wants another.
  func has(_ key: String) -> Bool { own.contains(key) }

  /// Lets a line of steps keep what stands under a key.
  func note(_ key: String, of strand: Strand) {
    if own.insert(key).inserted { open[ObjectIdentifier(strand), default: []].append(key) }
  }

  /// Notes that a pass in a line of steps is over.
  func isDone(_ strand: Strand) {
    if let keys = open.removeValue(forKey: ObjectIdentifier(strand)) { done += keys }
  }

  /// Removes what passes kept that are over, and whose writes are committed.
  func removeDone() {
    guard !done.isEmpty else { return }
    for key in done {
      keeping.remove(key)
      own.remove(key)
    }
    done.removeAll(keepingCapacity: true)
  }

  /// Removes all, as the run is over.
  func removeAll() {
    done += open.values.joined()
    open = [:]
    removeDone()
  }
}
