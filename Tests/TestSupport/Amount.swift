import Glibc

/// The number of cases of a randomized or long test.
package enum Amount {
  /// Whether the long variants run: `ERRAND_TESTS=all`, as set by `make test-all`.
  package static let isWhole = getenv("ERRAND_TESTS").map { String(cString: $0) } == "all"

  /// The value of an environment variable, or else a number for `make test` or `make test-all`.
  package static func of(_ variable: String, quick: Int, whole: Int) -> Int {
    getenv(variable).flatMap { Int(String(cString: $0)) } ?? (isWhole ? whole : quick)
  }
}
