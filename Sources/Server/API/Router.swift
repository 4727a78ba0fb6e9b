/// The way from a path to its endpoints.
package enum Router {
  /// Finds the endpoints of a path, one for each method.
  ///
  /// - Parameter isPage: Whether the path is one of the page, on its own host.
  package static func endpoints(at path: [String], isPage: Bool = false) -> [Endpoint] {
    let all = isPage ? Endpoint.page : Endpoint.api
    let first = all.first { $0.values(of: path) != nil }
    return all.filter { $0.path == first?.path }
  }
}
