package import CEL
import ForeignText

/// A shortcut of Apple's app: its actions and parameters, as stored in the file.
package struct ShortcutFile {
  /// An action.
  package struct Action {
    /// The identifier, such as `is.workflow.actions.gettext`.
    package let identifier: String
    package let parameters: MapValue
  }

  /// The reason why a file is not a valid shortcut, in words that follow its name.
  package struct Problem: Error {
    package let reason: String
  }

  /// A question that is asked when the shortcut is added.
  package struct ImportQuestion {
    package let action: Int
    package let parameter: String
    package let text: String
    package let standard: String
  }

  /// The signature of a file.
  package struct Signature: Sendable {
    /// Whether the signature is valid for the key in the file.
    package let isValid: Bool
    /// The subject of the certificate; nil if there is only a key.
    package let signer: String?
  }

  package let actions: [Action]
  /// The whole property list.
  package let root: MapValue
  package let importQuestions: [ImportQuestion]
  /// The kinds of behavior without an input.
  package enum InputAbsence: Sendable {
    case ignored, asked, fromClipboard
    /// The shortcut stops with a message.
    case stops(String)
  }

  /// The behavior without an input.
  package let inputAbsence: InputAbsence
  /// The signature of a signed file, whose authentication codes are valid.
  package let signature: Signature?
  /// The accepted input types, such as `WFURLContentItem`.
  package let inputTypes: [String]
  /// The version of the app that wrote it; nil if unknown.
  package let clientVersion: String?

  /// The maximum size in bytes, also when decompressed; real files have less than a few MiB.
  package static let maxSize = 32 << 20
  /// The problem of a file that is too large, or whose translation would be.
  static let tooLarge = "it is too large, or unpacks to far more than its size"

  /// The maximum contents of a file of a given size, with each use of a shared text counted.
  private static func bounds(ofSize size: Int) -> PropertyList.Bounds {
    PropertyList.Bounds(values: 500_000, bytes: min(4 << 20 + 4 * size, 16 << 20))
  }

  /// Reads a property list, binary or in XML, or a signed file.
  ///
  /// - Throws: `Problem`.
  /// - Complexity: O(bytes).
  package init(_ bytes: [UInt8]) throws(Problem) {
    var bytes = bytes
    var signature: Signature?
    guard bytes.count <= Self.maxSize else { throw Problem(reason: Self.tooLarge) }
    if SignedArchive.isArchive(bytes) {
      do {
        let signed = bytes
        bytes = try SignedArchive.propertyList(in: signed)
        signature = SignedArchive.signature(of: signed)
      } catch {
        throw Problem(reason: (error as? SignedArchive.Problem)?.reason ?? "\(error)")
      }
    }
    let read: (value: Value, isWhole: Bool)?
    do throws(PropertyList.TooLarge) {
      read = try PropertyList.value(of: bytes, within: Self.bounds(ofSize: bytes.count))
    } catch {
      throw Problem(reason: Self.tooLarge)
    }
    guard let (value, isWhole) = read else {
      throw Problem(reason: "it is neither a property list nor a signed shortcut")
    }
    guard isWhole else { throw Problem(reason: "it is cut off") }
    guard case .map(let root) = value else {
      throw Problem(reason: "it has no actions (`WFWorkflowActions`)")
    }
    try self.init(root, signature: signature)
  }

  /// Reads a property list that was parsed.
  ///
  /// - Throws: `Problem`.
  package init(_ root: MapValue, signature: Signature? = nil) throws(Problem) {
    guard case .list(let list)? = root["WFWorkflowActions"] else {
      throw Problem(reason: "it has no actions (`WFWorkflowActions`)")
    }
    self.root = root
    self.signature = signature
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
    importQuestions = Self.importQuestions(root["WFWorkflowImportQuestions"])
    inputAbsence = Self.inputAbsence(root["WFWorkflowNoInputBehavior"])
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

  private static func inputAbsence(_ value: Value?) -> InputAbsence {
    guard case .map(let behavior)? = value, case .string(let name)? = behavior["Name"] else {
      return .ignored
    }
    switch name {
    case "WFWorkflowNoInputBehaviorAskForInput": return .asked
    case "WFWorkflowNoInputBehaviorGetClipboard": return .fromClipboard
    case "WFWorkflowNoInputBehaviorShowError":
      if case .map(let parameters)? = behavior["Parameters"],
        case .string(let message)? = parameters["Error"], !message.isEmpty
      {
        return .stops(message)
      }
      return .stops("This shortcut needs an input.")
    default: return .ignored
    }
  }

  private static func importQuestions(_ value: Value?) -> [ImportQuestion] {
    guard case .list(let list)? = value else { return [] }
    return list.compactMap { value in
      guard case .map(let map) = value, case .int(let action)? = map["ActionIndex"] else {
        return nil
      }
      func text(_ key: String) -> String {
        switch map[key] {
        case .string(let text)?: text
        case .int(let number)?: String(number)
        case .bool(let flag)?: String(flag)
        default: ""
        }
      }
      return ImportQuestion(
        action: Int(clamping: action), parameter: text("ParameterKey"), text: text("Text"),
        standard: text("DefaultValue"))
    }
  }
}
