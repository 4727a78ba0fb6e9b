package import ErrandKit
import Glibc
import Items
import Source
package import Web

/// A worker's definitions and library; confined to one thread.
package final class WorkerContext {
  private let options: Errand.Options
  private var opened: (errand: Errand, fingerprint: String)?
  /// The served definitions of all kinds.
  private var served: [Errand.DefinitionSummary]?
  private var openReader: Reader?
  private var openWriters: [String: Writer] = [:]
  /// Counts of the page's sidebar, shared by all workers.
  let memory: SidebarMemory

  /// The maximum number of writers to keep, one for each token's name.
  private static let writerLimit = 8

  package init(_ options: Errand.Options, memory: SidebarMemory = SidebarMemory()) {
    self.options = options
    self.memory = memory
  }

  /// The current definitions.
  func errand() throws -> Errand {
    if let (errand, fingerprint) = opened {
      let current = errand.definitionFingerprint
      if current == fingerprint { return errand }
      try errand.reload()
      opened = (errand, current)
      (served, openReader, openWriters) = (nil, nil, [:])
      return errand
    }
    let errand = try Errand.open(options)
    opened = (errand, errand.definitionFingerprint)
    return errand
  }

  func reader() throws -> Reader {
    let errand = try errand()
    if let openReader { return openReader }
    let reader = try errand.guestReader()
    openReader = reader
    return reader
  }

  /// The writer for a token; its name is recorded with each change.
  func writer(for token: Token) throws -> Writer {
    let errand = try errand()
    let cause = Self.cause(token)
    if let writer = openWriters[cause] { return writer }
    if openWriters.count >= Self.writerLimit { openWriters = [:] }
    let writer = try errand.writer(as: cause)
    openWriters[cause] = writer
    return writer
  }

  /// The cause of a token's changes in the change log.
  static func cause(_ token: Token) -> String {
    token.isBrowser ? token.name : "api \(token.name)"
  }

  /// The options of a token's runs.
  static func options(of token: Token) -> Errand.RunOptions {
    var options = Errand.RunOptions()
    options.cause = cause(token)
    return options
  }

  /// The tokens, for the page of settings.
  func tokenAccess() throws -> TokenAccess {
    guard let places = try errand().places else {
      throw Problem(500, "io", "the tokens cannot be located")
    }
    let file = TokenFile(places)
    let now = Int64(time(nil))
    func translating<Result>(_ body: () throws -> Result) throws -> Result {
      do { return try body() } catch let error as Diagnostic {
        throw ErrandError(code: error.id, message: error.message, help: error.help)
      }
    }
    return TokenAccess(
      list: {
        try translating {
          try file.read().map {
            (
              name: $0.name, scope: $0.scope.rawValue, expires: $0.expires,
              isValid: $0.isValid(at: now)
            )
          }
        }
      },
      create: { name, scope, days in
        guard let scope = Token.Scope(rawValue: scope), !name.isEmpty, name.utf8.count <= 100 else {
          throw ErrandError(code: "invalid-value", message: "the token needs a name and a scope")
        }
        let expires = days.map { now + min(max($0, 1), 36_500) * 86_400 }
        return try translating {
          try file.create(name, scope, only: [], at: now, expires: expires)
        }
      },
      revoke: { name in _ = try translating { try file.revoke(name) } })
  }

  // MARK: Definitions

  /// The layers whose definitions are served.
  private static let origins: Set = ["built in", "your own"]

  /// The person's own and the built-in definitions of some kinds.
  func summaries(_ kinds: Set<String>) throws -> [Errand.DefinitionSummary] {
    let errand = try errand()
    let all = served ?? errand.definitions.filter { Self.origins.contains($0.origin) }
    served = all
    return all.filter { kinds.contains($0.kind) }
  }

  /// Checks that an entity is served.
  ///
  /// - Throws: A problem if it is not.
  func expectEntity(_ name: String) throws {
    guard try summaries(["entity"]).contains(where: { $0.name == name }) else {
      throw Problem(404, "not-found", "there is no entity `\(name)`")
    }
  }

  /// The intent or shortcut with a name.
  ///
  /// - Throws: A problem if it is not served.
  func action(_ name: String) throws -> Errand.Definition {
    let definition: Errand.Definition
    do { definition = try errand().definition(name) } catch let error as ErrandError
      where error.code == "not-found"
    {
      throw Problem(404, "not-found", "there is no intent or shortcut `\(name)`")
    }
    guard ["intent", "shortcut"].contains(definition.summary.kind),
      Self.origins.contains(definition.summary.origin), !definition.isForeign
    else { throw Problem(404, "not-found", "there is no intent or shortcut `\(name)`") }
    return definition
  }
}

extension Errand.Definition {
  /// Whether a run changes nothing, inside and outside the library.
  var onlyReads: Bool { !mayChange && capabilities.isEmpty }
}
