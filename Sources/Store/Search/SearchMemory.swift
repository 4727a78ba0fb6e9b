/// What is found out once while a search goes on, from its items to the sentence about them.
final class SearchMemory {
  /// What the words of a search mean, by entity and words.
  var plans: [[String]: SearchPlan] = [:]
  /// The word that something has and that is a letter away from one that nothing has, by entity and
  /// word; null when there is none.
  var corrections: [[String]: String?] = [:]
}
