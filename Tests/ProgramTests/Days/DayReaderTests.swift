import CEL
import Program
import Testing

/// Days and times as people type and say them, in five languages.
@Suite struct DayReaderTests {
  /// Friday, 20 November 2026, 10:00 in UTC.
  private static let now = Timestamp(seconds: 1_795_168_800)

  private static func when(_ text: String, _ language: String) -> String? {
    DateReader(now: now, clock: .utc, language: Language.named(language)).whenText(text)
  }

  @Test(arguments: [
    ("tomorrow 17:00", "2026-11-21T17:00"), ("on friday at 5pm", "2026-11-27T17:00"),
    ("in 20 minutes", "2026-11-20T10:20"), ("next week", "2026-11-27"),
    ("end of month", "2026-11-30"), ("midnight", "2026-11-21T00:00"),
    ("tomorrow 24:00", "2026-11-22T00:00"), ("the end of the month", "2026-11-30"),
    ("tonight", "2026-11-20T18:00"), ("tomorrow morning", "2026-11-21T09:00"),
    ("friday at noon", "2026-11-27T12:00"), ("monday at 9", "2026-11-23T09:00"),
    ("at 5", "2026-11-20T17:00"), ("at 9", "2026-11-20T21:00"), ("9am", "2026-11-21T09:00"),
    ("tomorrow at half past six", "2026-11-21T18:30"),
    ("tomorrow at quarter to eight", "2026-11-21T07:45"),
    ("tomorrow at 9 in the evening", "2026-11-21T21:00"),
    ("friday morning at 7", "2026-11-27T07:00"), ("tonight at 8", "2026-11-20T20:00"),
    ("tomorrow evening at 8", "2026-11-21T20:00"),
    ("tomorrow at twelve at night", "2026-11-22T00:00"),
    ("dec 24 18:30", "2026-12-24T18:30"), ("24 December", "2026-12-24"),
    ("2026-12-01T17:00", "2026-12-01T17:00"), ("2026-12-01", "2026-12-01"), ("+3d", "2026-11-23"),
  ])
  func englishIsRead(_ text: String, _ when: String) { #expect(Self.when(text, "en") == when) }

  @Test(arguments: [
    ("morgen um 17 Uhr", "2026-11-21T17:00"), ("am Freitag um halb sechs", "2026-11-27T17:30"),
    ("heute Abend", "2026-11-20T18:00"), ("in zwei Stunden", "2026-11-20T12:00"),
    ("übermorgen 8 Uhr", "2026-11-22T08:00"), ("morgen um fünf Uhr", "2026-11-21T17:00"),
    ("morgen um 5 Uhr", "2026-11-21T05:00"), ("morgen um Viertel vor neun", "2026-11-21T08:45"),
    ("am 24. Dezember um 18 Uhr 30", "2026-12-24T18:30"), ("Ende des Monats", "2026-11-30"),
    ("nächste Woche", "2026-11-27"), ("heute Abend um 8", "2026-11-20T20:00"),
    ("Freitagabend um 8", "2026-11-27T20:00"), ("morgen früh um 7", "2026-11-21T07:00"),

  ])
  func germanIsRead(_ text: String, _ when: String) { #expect(Self.when(text, "de") == when) }

  @Test(arguments: [
    ("demain à neuf heures", "2026-11-21T09:00"), ("vendredi à 17h30", "2026-11-27T17:30"),
    ("ce soir", "2026-11-20T18:00"), ("dans deux heures", "2026-11-20T12:00"),
    ("demain à midi", "2026-11-21T12:00"), ("demain à midi et demie", "2026-11-21T12:30"),
    ("lundi à cinq heures moins le quart", "2026-11-23T16:45"),
    ("ce soir à 20h", "2026-11-20T20:00"), ("demain matin à 7h", "2026-11-21T07:00"),
    ("demain à 8 heures du soir", "2026-11-21T20:00"), ("fin du mois", "2026-11-30"),
  ])
  func frenchIsRead(_ text: String, _ when: String) { #expect(Self.when(text, "fr") == when) }

  @Test(arguments: [
    ("mañana a las nueve", "2026-11-21T09:00"),
    ("el viernes a las cinco y media", "2026-11-27T17:30"),
    ("dentro de dos horas", "2026-11-20T12:00"), ("esta noche", "2026-11-20T21:00"),
    ("mañana a las ocho de la tarde", "2026-11-21T20:00"),
    ("esta noche a las 9", "2026-11-20T21:00"),
    ("mañana a las diez menos cuarto", "2026-11-21T09:45"), ("fin de mes", "2026-11-30"),
  ])
  func spanishIsRead(_ text: String, _ when: String) { #expect(Self.when(text, "es") == when) }

  @Test(arguments: [
    ("明日の午後3時", "2026-11-21T15:00"), ("2時間後", "2026-11-20T12:00"),
    ("金曜日の9時半", "2026-11-27T09:30"), ("明日17:00", "2026-11-21T17:00"),
    ("今夜", "2026-11-20T18:00"), ("今晩8時", "2026-11-20T20:00"), ("月末", "2026-11-30"),
  ])
  func japaneseIsRead(_ text: String, _ when: String) { #expect(Self.when(text, "ja") == when) }

  @Test(arguments: [
    ("en", "someday"), ("en", "5"), ("en", "at 25"), ("en", "every monday"), ("en", "half"),
    ("en", "tomorrow at lunch or later"), ("de", "morgen um"), ("fr", "à"), ("es", "a las"),
    ("ja", "99時"), ("en", "2026-02-30"), ("en", "tomorrow 25:00"),
  ])
  func otherWordsAreNoTimes(_ language: String, _ text: String) {
    #expect(Self.when(text, language) == nil)
  }

  @Test func withoutALanguageOnlyWrittenFormsAreRead() {
    let reader = DateReader(now: Self.now, clock: .utc)
    #expect(reader.whenText("tomorrow 17:00") == "2026-11-21T17:00")
    #expect(reader.whenText("tomorrow morning") == nil)
  }

  @Test func aDayIsADayAndAMomentNone() throws {
    let reader = DateReader(now: Self.now, clock: .utc, language: .english)
    #expect(try #require(reader.when("tomorrow")).isDay)
    #expect(try !#require(reader.when("2026-12-01T00:00")).isDay)
    // Both are the same moment.
    #expect(reader.when("2026-12-01") == reader.when("2026-12-01T00:00"))
  }
}
