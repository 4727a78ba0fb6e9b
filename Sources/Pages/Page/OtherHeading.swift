/// Headings of parts that belong to the site rather than to the text.
enum OtherHeading {
  /// Whether a heading introduces links to other pages, comments, or sharing and subscription
  /// forms.
  static func isOne(_ text: String) -> Bool {
    let words = CleanText.collapsed(text).lowercased()
    return beginnings.contains { words.hasPrefix($0) }
  }

  /// The beginnings of such headings, in the most frequent languages.
  private static let beginnings = [
    "related", "similar posts", "similar articles", "you may also", "you might also", "read next",
    "read more", "read also", "also read", "more from", "more on", "more stories", "more articles",
    "recommended", "share this", "leave a reply", "leave a comment", "post a comment", "comments",
    "add comment", "sign up", "subscribe", "newsletter", "stay up", "trending", "popular posts",
    "most popular", "most read", "latest news", "latest posts", "latest articles", "don't miss",
    "about the author", "follow us", "ähnliche", "das könnte", "auch interessant", "mehr zum thema",
    "lesen sie auch", "lies auch", "weitere artikel", "weitere beiträge", "weitere meldungen",
    "diese beiträge", "kommentare", "schreibe einen kommentar", "hinterlasse",
    "diesen artikel teilen", "über den autor", "à lire aussi", "lire aussi", "sur le même",
    "articles similaires", "à découvrir", "commentaires", "vous aimerez", "dans la même",
    "también te puede", "artículos relacionados", "te puede interesar", "noticias relacionadas",
    "comentarios", "lea también", "leggi anche", "potrebbe interessarti", "articoli correlati",
    "lees ook", "gerelateerd", "leia também", "veja também",
  ]
}
