import Items
import Store

extension EntityStore {
  /// What the definitions need and the file has not, and tables of which nothing is recorded.
  func schemaProblems(of layouts: [StoredLayout]) throws -> [StoreProblem] {
    var problems: [StoreProblem] = []
    let names = Set(layouts.map(\.name))
    for table in try connection.itemTables() where !names.contains(table) {
      problems.append(
        StoreProblem(
          kind: .file, entity: table,
          message: "the store does not tell what its table \(table) holds"))
    }
    let objects = try connection.objectNames()
    for name in try connection.recordedEntities() where !objects.contains(name) {
      problems.append(
        StoreProblem(kind: .file, entity: name, message: "the table of \(name) is missing"))
    }
    for layout in layouts {
      let lost = layout.missing(from: objects)
      func add(_ kind: StoreProblem.Kind, _ names: [String], _ what: String) {
        problems += names.map {
          StoreProblem(kind: kind, entity: layout.name, message: "\(what) \($0) is missing")
        }
      }
      add(.index, lost.indexes.map(\.name), "the index")
      add(.listIndex, lost.lists.map(layout.listTable), "the index")
      if lost.hasNoText {
        problems.append(
          StoreProblem(
            kind: .textIndex, entity: layout.name,
            message: "the text index of \(layout.name) is missing"))
      }
    }
    return problems
  }
}

extension StoredLayout {
  /// What of an entity's objects a file has not.
  struct Missing {
    var indexes: [(name: String, create: SQL)] = []
    var lists: [String] = []
    /// Whether the text index or its view is not there.
    var hasNoText = false
  }

  /// What the recorded definition needs and is not among the names of a file's objects.
  func missing(from objects: Set<String>) -> Missing {
    var result = Missing()
    guard let recorded else { return result }
    let table = EntityTable(recorded)
    let indexes =
      [(name + "_by_date", table.createDateIndex), (name + "_by_use", table.createUseIndex)]
      + table.indexedColumns.map { (table.indexName($0.name), table.createIndex($0)) }
    result.indexes = indexes.filter { !objects.contains($0.0) }.map { (name: $0.0, create: $0.1) }
    result.lists = table.indexedLists.map { recorded.properties[$0].name }
      .filter { !objects.contains(listTable($0)) }
    result.hasNoText =
      !table.searched.isEmpty
      && !(objects.contains(table.searchName) && objects.contains(table.textName))
    return result
  }

  /// What it means that items are the same as others.
  static func loss(ofIdentities ids: [Int64], in table: String) -> String {
    "\(ids.count) of \(table) were the same as others, so that they are no longer found by "
      + "their identity: "
      + ids.prefix(10).map { "\(ItemReference(entity: table, id: $0))" }.joined(separator: ", ")
  }
}
