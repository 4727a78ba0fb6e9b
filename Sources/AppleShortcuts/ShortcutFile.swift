package import CEL
import ForeignText

/// A shortcut of Apple's app: its actions with their parameters, as its file has them.
package struct ShortcutFile {
  /// An action.
  package struct Action {
    /// The identifier, such as `is.workflow.actions.gettext`.
    package let identifier: String
    package let parameters: MapValue
  }

  /// The reason why a file is not a shortcut, in words that follow its name.
  package struct Problem: Error {
    package let reason: String
  }

  package let actions: [Action]
  /// Whether the file is signed, with authentication codes that are right.
  package let isSigned: Bool
  /// The kinds of input that it takes, such as `WFURLContentItem`.
  package let inputTypes: [String]
  /// The version of the app that wrote it; nil if unknown.
  package let clientVersion: String?

  /// Reads a property list, binary or in XML, or a signed file.
  ///
  /// - Throws: `Problem`.
  /// - Complexity: O(bytes).
  package init(_ bytes: [UInt8]) throws(Problem) {
    var bytes = bytes
    isSigned = SignedArchive.isArchive(bytes)
    if isSigned {
      do { bytes = try SignedArchive.propertyList(in: bytes) } catch {
        throw Problem(reason: (error as? SignedArchive.Problem)?.reason ?? "\(error)")
      }
    }
    guard let (value, isWhole) = PropertyList.value(of: bytes) else {
      throw Problem(reason: "it is neither a property list nor a signed shortcut")
    }
    guard isWhole else { throw Problem(reason: "it is cut off") }
    guard case .map(let root) = value, case .list(let list)? = root["WFWorkflowActions"] else {
      throw Problem(reason: "it has no actions (`WFWorkflowActions`)")
    }
    var actions: [Action] = []
    for value in list {
      guard case .map(let action) = value,
        case .string(let identifier)? = action["WFWorkflowActionIdentifier"]
      else { throw Problem(reason: "action \(actions.count + 1) has no identifier") }
      var parameters = MapValue()
      if case .map(let map)? = action["WFWorkflowActionParameters"] { parameters = map }
      actions.append(Action(identifier: identifier, parameters: parameters))
    }
    self.actions = actions
    if case .list(let types)? = root["WFWorkflowInputContentItemClasses"] {
      inputTypes = types.compactMap { if case .string(let type) = $0 { type } else { nil } }
    } else {
      inputTypes = []
    }
    if case .string(let version)? = root["WFWorkflowClientVersion"] {
      clientVersion = version
    } else {
      clientVersion = nil
    }
  }
}
