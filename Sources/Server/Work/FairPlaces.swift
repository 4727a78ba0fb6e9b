/// The share of each owner in places that all owners have in common.
enum FairPlaces {
  /// The owner who gives up a place to a newcomer once all are taken; nil if nobody has to.
  ///
  /// The one with most places yields; an owner with a fair share replaces only its own.
  static func yielding(to newcomer: String, _ owners: some Sequence<String>) -> String? {
    var counts: [String: Int] = [:]
    for owner in owners { counts[owner, default: 0] += 1 }
    let own = counts[newcomer] ?? 0
    let most = counts.max { ($0.value, $0.key) < ($1.value, $1.key) }
    if let most, most.value > own + 1 { return most.key }
    return own > 0 ? newcomer : nil
  }
}
