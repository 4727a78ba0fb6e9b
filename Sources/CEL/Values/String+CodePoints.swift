internal import Glibc

/// Comparison by code points, as CEL specifies; Swift's `==` and `count` work on grapheme clusters.
extension String {
  /// Returns whether both have the same code points; `==` also equates canonically equivalent strings.
  func hasSameCodePoints(as other: String) -> Bool {
    utf8.count == other.utf8.count && compareCodePoints(to: other) == 0
  }

  /// Returns a negative number, zero or a positive number as it sorts before, with or after `other`.
  ///
  /// The order of UTF-8 bytes equals the order of code points.
  func compareCodePoints(to other: String) -> Int {
    let fast = utf8.withContiguousStorageIfAvailable { left in
      other.utf8.withContiguousStorageIfAvailable { right in
        Self.compare(left, right)
      }
    }
    if let fast, let fast { return fast }
    return Array(utf8).withUnsafeBufferPointer { left in
      Array(other.utf8).withUnsafeBufferPointer { right in Self.compare(left, right) }
    }
  }

  /// The number of code points, as counted by `size`.
  var codePointCount: Int {
    let fast = utf8.withContiguousStorageIfAvailable { bytes in
      var count = 0
      for byte in bytes where byte & 0xC0 != 0x80 { count += 1 }
      return count
    }
    return fast ?? unicodeScalars.count
  }

  private static func compare(
    _ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>
  ) -> Int {
    if let leftBase = left.baseAddress, let rightBase = right.baseAddress {
      let shared = left.count < right.count ? left.count : right.count
      let order = memcmp(leftBase, rightBase, shared)
      if order != 0 { return Int(order) }
    }
    return left.count - right.count
  }
}
