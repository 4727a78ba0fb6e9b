/// The best scores of states, emptied in constant time.
final class StateTable {
  // Each processed state reads these, and the checks took a third of the time of a sentence; no
  // method calls out of this class while it changes one.
  @exclusivity(unchecked) private var keys: [Int]
  @exclusivity(unchecked) private var scores: [PhraseMatcher.Score]
  /// The run in which each place was filled.
  @exclusivity(unchecked) private var runs: [UInt32]
  @exclusivity(unchecked) private var run: UInt32 = 0
  @exclusivity(unchecked) private var count = 0

  init() {
    keys = Array(repeating: 0, count: 256)
    scores = Array(repeating: PhraseMatcher.Score(), count: 256)
    runs = Array(repeating: 0, count: 256)
  }

  func clear() {
    count = 0
    run &+= 1
    guard run == 0 else { return }
    runs = Array(repeating: 0, count: runs.count)
    run = 1
  }

  private func place(_ key: Int) -> Int {
    let mask = keys.count - 1
    var place = Int(truncatingIfNeeded: UInt(bitPattern: key) &* 0x9E37_79B9_7F4A_7C15 >> 20) & mask
    while runs[place] == run, keys[place] != key { place = (place + 1) & mask }
    return place
  }

  subscript(key: Int) -> PhraseMatcher.Score? {
    let place = place(key)
    return runs[place] == run ? scores[place] : nil
  }

  /// Keeps a score if it is better than the one known; whether it is.
  func improve(_ key: Int, _ score: PhraseMatcher.Score) -> Bool {
    var place = place(key)
    if runs[place] == run {
      guard score < scores[place] else { return false }
    } else {
      if count * 2 >= keys.count {
        grow()
        place = self.place(key)
      }
      count += 1
      runs[place] = run
      keys[place] = key
    }
    scores[place] = score
    return true
  }

  private func grow() {
    let old = (keys, scores, runs)
    keys = Array(repeating: 0, count: old.0.count * 2)
    scores = Array(repeating: PhraseMatcher.Score(), count: old.0.count * 2)
    runs = Array(repeating: run &- 1, count: old.0.count * 2)
    for index in old.0.indices where old.2[index] == run {
      let place = place(old.0[index])
      (keys[place], scores[place], runs[place]) = (old.0[index], old.1[index], run)
    }
  }
}
