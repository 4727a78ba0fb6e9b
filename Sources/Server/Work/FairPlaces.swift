/// Fair sharing of a limited number of slots among owners.
enum FairPlaces {
  /// The owner that loses a slot to a newcomer when all slots are taken; nil if none does.
  ///
  /// This is the owner with the most slots; a newcomer with a fair share replaces an own slot.
  static func yielding(to newcomer: String, _ owners: some Sequence<String>) -> String? {
    var counts: [String: Int] = [:]
    for owner in owners { counts[owner, default: 0] += 1 }
    let own = counts[newcomer] ?? 0
    let most = counts.max { ($0.value, $0.key) < ($1.value, $1.key) }
    if let most, most.value > own + 1 { return most.key }
    return own > 0 ? newcomer : nil
  }
}
