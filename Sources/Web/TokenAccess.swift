/// The tokens of programs, for the page of settings.
package struct TokenAccess {
  /// A token, without its secret; expires in seconds since 1970, or never.
  package typealias Entry = (name: String, scope: String, expires: Int64?, isValid: Bool)

  /// Returns all tokens.
  package var list: () throws -> [Entry]
  /// Creates a token by its name, its scope and its days, and returns the secret.
  package var create: (String, String, Int64?) throws -> String
  /// Revokes a token by its name.
  package var revoke: (String) throws -> Void

  package init(
    list: @escaping () throws -> [Entry],
    create: @escaping (String, String, Int64?) throws -> String,
    revoke: @escaping (String) throws -> Void
  ) {
    (self.list, self.create, self.revoke) = (list, create, revoke)
  }
}
