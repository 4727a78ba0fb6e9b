import Source

extension Diagnostics {
  /// The mistakes of a document's form, and those that were found in what could be read of it.
  ///
  /// Where a declaration could not be read, the names that it would have declared are missing:
  /// nothing is said of unknown names then.
  func joined(by others: [Diagnostic]) -> Diagnostics {
    let hidesNames = all.contains { problem in
      ["unknown-type", "missing-type", "bad-name", "wrong-type"].contains(problem.id)
    }
    let known = Set(all.map(Place.init))
    let further = others.filter { other in
      let isFollowing = hidesNames && other.id.contains("unknown")
      return !isFollowing && !known.contains(Place(other))
    }
    let sorted = (all + further).sorted {
      ($0.span?.range.lowerBound ?? 0) < ($1.span?.range.lowerBound ?? 0)
    }
    return Diagnostics(sorted)
  }

  /// A kind of mistake at a place, by which two reports are known to be the same.
  private struct Place: Hashable {
    let id: String
    let range: Range<Int>?

    init(_ diagnostic: Diagnostic) {
      id = diagnostic.id
      range = diagnostic.span?.range
    }
  }
}
