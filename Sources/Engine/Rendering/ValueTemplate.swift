package import CEL
import Program

/// A template that is rendered for values one by one, `self` being the value.
package struct ValueTemplate {
  private let renderer: Renderer
  private let template: CompiledTemplate

  /// A compiled template in a frame whose only slot is `self`.
  init(_ renderer: Renderer, _ template: CompiledTemplate) {
    self.renderer = renderer
    self.template = template
  }

  /// The text for a value.
  ///
  /// - Throws: `RunError` where an expression in it has no value.
  package func text(for value: Value) throws -> String {
    let frame = Frame(count: 1)
    frame.slots[0] = value
    return try RunError.translating { try renderer.text(of: template, frame) }
  }
}
