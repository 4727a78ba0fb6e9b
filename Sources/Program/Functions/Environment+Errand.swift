package import CEL

extension Environment {
  /// Adds the functions that Errand has beside the standard ones.
  package mutating func addErrandFunctions(_ context: FunctionContext) {
    add(named: GeneralFunctions.names) { GeneralFunctions.all(context) }
    add(named: DateFunctions.names) { DateFunctions.all(context) }
    add(named: CalendarFunctions.names) { CalendarFunctions.all(context.clock) }
    add(named: LocalGetters.names) { LocalGetters.all(context.clock) }
    add(named: MapFunctions.names) { MapFunctions.all }
    add(named: AggregateFunctions.names) { AggregateFunctions.all }
    add(AggregateFunctions.groupBy)
    add(AggregateFunctions.reduce)
    add(named: URLFunctions.names) { URLFunctions.all }
    add(named: TextFunctions.names) { TextFunctions.all }
    add(named: DataFunctions.names) { DataFunctions.all }
    add(named: PageFunctions.names) { PageFunctions.all(context.clock) }
    add(named: PathFunctions.names) { PathFunctions.all }
    add(named: SecretFunctions.names) { SecretFunctions.all(context) }
    add(named: MixingFunctions.names) { MixingFunctions.all(context) }
  }
}
