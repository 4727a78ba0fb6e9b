import Glibc

/// The number of mutated inputs per reader.
enum Mutations {
  static var count: Int { getenv("ERRAND_MUTATIONS").flatMap { Int(String(cString: $0)) } ?? 300 }
}
