package import CEL

extension Environment {
  /// Adds the functions that Errand has beside the standard ones.
  package mutating func addErrandFunctions(_ context: FunctionContext) {
    add(GeneralFunctions.all(context))
    add(DateFunctions.all(context))
    add(AggregateFunctions.all)
    add(AggregateFunctions.groupBy)
    add(URLFunctions.all)
    add(TextFunctions.all)
  }
}
