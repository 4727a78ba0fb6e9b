import CRanking
import CSQLite

extension Connection {
  /// Makes the score of searches known to FTS5, once.
  func registerScore() throws(StoreError) {
    guard !isScoreRegistered else { return }
    let status = errand_register_score(handle)
    guard status == SQLITE_OK else { throw failure(status, doing: "registering the score") }
    isScoreRegistered = true
  }
}
