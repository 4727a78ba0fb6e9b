package import CEL

/// A text compared by its bytes: Swift takes different spellings of an accented letter for equal.
package struct ExactText: Hashable, Comparable, Sendable {
  package let text: String

  package init(_ text: String) { self.text = text }

  package static func == (first: ExactText, second: ExactText) -> Bool {
    first.text.utf8.elementsEqual(second.text.utf8)
  }

  package static func < (first: ExactText, second: ExactText) -> Bool {
    first.text.utf8.lexicographicallyPrecedes(second.text.utf8)
  }

  package func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte) }
    hasher.combine(0xFF as UInt8)
  }
}

/// The state of one property of an item: a last-writer-wins register, or a set of texts in which
/// the last writer of each element wins.
///
/// It has both parts, since definitions on two machines may disagree about the type; each joins on
/// its own.
package struct FieldState: Hashable, Sendable {
  /// A value with the stamp of its change.
  package struct Register: Hashable, Sendable {
    package let stamp: Stamp
    package let value: Value

    package init(_ stamp: Stamp, _ value: Value) {
      (self.stamp, self.value) = (stamp, value)
    }
  }

  /// Whether a text is in a list, and since when.
  package struct Element: Hashable, Sendable {
    package let stamp: Stamp
    package let isPresent: Bool

    package init(_ stamp: Stamp, isPresent: Bool) {
      (self.stamp, self.isPresent) = (stamp, isPresent)
    }
  }

  /// The order of a list when it was last written.
  package struct Order: Hashable, Sendable {
    package let stamp: Stamp
    package let texts: [ExactText]

    package init(_ stamp: Stamp, _ texts: [String]) {
      (self.stamp, self.texts) = (stamp, texts.map(ExactText.init))
    }
  }

  package var register: Register?
  package var elements: [ExactText: Element] = [:]
  package var order: Order?

  package init() {}

  /// A value.
  package init(_ stamp: Stamp, _ value: Value) { register = Register(stamp, value) }

  /// A list of texts whose elements were all written at once.
  package init(_ stamp: Stamp, texts: [String]) {
    order = Order(stamp, texts)
    for text in texts { elements[ExactText(text)] = Element(stamp, isPresent: true) }
  }

  /// Whether it has a list of texts.
  package var isList: Bool { order != nil || !elements.isEmpty }

  /// The latest stamp of any part.
  package var stamp: Stamp {
    var latest = register?.stamp ?? .none
    if let order { latest = max(latest, order.stamp) }
    for element in elements.values { latest = max(latest, element.stamp) }
    return latest
  }

  /// The stamps of all parts.
  var stamps: [Stamp] {
    [register?.stamp, order?.stamp].compactMap { $0 } + elements.values.map(\.stamp)
  }

  /// The same field with another stamp for each part that has an impossible one.
  ///
  /// - Parameter latest: The latest time that a stamp may have.
  package func mended(upTo latest: Int64, with stamp: Stamp) -> FieldState {
    var field = self
    func mended(_ old: Stamp) -> Stamp { old.isPossible(upTo: latest) ? old : stamp }
    field.register = register.map { Register(mended($0.stamp), $0.value) }
    field.order = order.map { Order(mended($0.stamp), $0.texts.map(\.text)) }
    field.elements = elements.mapValues { Element(mended($0.stamp), isPresent: $0.isPresent) }
    return field
  }

  /// The present texts: in the last written order, then those that others added, oldest first.
  package var texts: [String] {
    let placed = order?.texts ?? []
    var seen: Set<ExactText> = []
    var result = placed.filter { elements[$0]?.isPresent == true && seen.insert($0).inserted }
    let others = elements.filter { $0.value.isPresent && !seen.contains($0.key) }
    result += others.sorted {
      ($0.value.stamp, $0.key) < ($1.value.stamp, $1.key)
    }.map(\.key)
    return result.map(\.text)
  }

  /// Merges another state, part by part; commutative, associative and idempotent.
  package mutating func join(_ other: FieldState) {
    if let theirs = other.register {
      if let ours = register {
        register = Self.later(ours, theirs)
      } else {
        register = theirs
      }
    }
    if let theirs = other.order {
      if let ours = order {
        // Only a copied machine gives one stamp twice.
        let isLater =
          ours.stamp != theirs.stamp
          ? ours.stamp < theirs.stamp : ours.texts.lexicographicallyPrecedes(theirs.texts)
        order = isLater ? theirs : ours
      } else {
        order = theirs
      }
    }
    for (text, theirs) in other.elements {
      guard let ours = elements[text] else {
        elements[text] = theirs
        continue
      }
      let isLater =
        ours.stamp != theirs.stamp ? ours.stamp < theirs.stamp : !ours.isPresent && theirs.isPresent
      if isLater { elements[text] = theirs }
    }
  }

  static func later(_ ours: Register, _ theirs: Register) -> Register {
    if ours.stamp != theirs.stamp { return ours.stamp < theirs.stamp ? theirs : ours }
    // Only a copied machine gives one stamp twice, and definitions that differ one default.
    return ExactText("\(ours.value)") < ExactText("\(theirs.value)") ? theirs : ours
  }
}
