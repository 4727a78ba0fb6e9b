/// The path of a step in its document, such as `steps.page` or `steps.2.then.0`.
///
/// A step with a name (`as`, else `name`) stands under that, another under its position. Errors,
/// events and traces name steps so. The text is made when it is asked for.
package final class StepID: Sendable, CustomStringConvertible {
  private let parent: StepID?
  private let component: Component

  private enum Component {
    case word(String)
    case position(Int)
  }

  /// The top of a document's steps.
  package static let root = StepID(nil, .word("steps"))

  private init(_ parent: StepID?, _ component: Component) {
    self.parent = parent
    self.component = component
  }

  /// The step of a name in this block.
  func named(_ name: String) -> StepID { StepID(self, .word(name)) }

  /// The step at a position in this block.
  func at(_ position: Int) -> StepID { StepID(self, .position(position)) }

  /// The path, its parts with dots between them.
  package var description: String {
    let own =
      switch component {
      case .word(let word): word
      case .position(let position): String(position)
      }
    return parent.map { "\($0).\(own)" } ?? own
  }
}
