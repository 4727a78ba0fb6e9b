/// Headings of parts that belong to the site rather than to the text.
enum OtherHeading {
  /// Whether a heading introduces links to other pages, comments, or sharing and subscription
  /// forms.
  static func isOne(_ text: String) -> Bool {
    let words = CleanText.collapsed(text).lowercased()
    return whole.contains(words) || beginnings.contains { words.hasPrefix($0) }
  }

  /// Whether a heading introduces readers' comments, as in “27 comments” or “Comments (3)”.
  static func isOfComments(_ text: String) -> Bool {
    let words = text.lowercased().split { !$0.isLetter }
    guard let first = words.first, words.count < 5 else { return false }
    return comments.contains(String(first))
  }

  private static let comments: Set<String> = [
    "comment", "comments", "responses", "replies", "kommentar", "kommentare", "leserkommentare",
    "commentaire", "commentaires", "comentario", "comentarios", "comentário", "comentários",
    "commenti", "reacties", "kommentarer", "komentarze", "комментарии", "コメント", "评论",
  ]

  /// Whether a short line is about the text rather than part of it, or leads away from it.
  static func isClosing(_ line: String) -> Bool {
    let words = line.lowercased()
    guard let first = words.first else { return false }
    return whole.contains(words) || closings[first, default: []].contains { words.hasPrefix($0) }
  }

  /// Such headings that can begin others.
  private static let whole: Set<String> = [
    "tags", "tags:", "topics", "share", "share:", "vote", "poll", "about us", "about the company",
    "users online", "who is online", "teilen", "schlagwörter", "schlagworte", "umfrage", "partager",
    "mots-clés", "compartir", "etiquetas", "condividi", "advertisement", "anzeige", "publicité",
  ]

  /// The beginnings of such lines, by first letter.
  private static let closings = Dictionary(grouping: closingWords) { $0.first ?? " " }

  private static let closingWords = [
    "this entry was", "this post was", "this article was originally", "comments are closed",
    "comments closed", "posted in ", "filed under", "tagged ", "tags: ", "share this", "share on ",
    "also on ", "you may also", "you might also", "follow us", "sign up for", "subscribe to our",
    "subscribe now", "click here to", "copyright ©", "copyright (c)", "©", "all rights reserved",
    "[video]", "photo: ", "photo credit", "image: ", "image credit", "photo by ", "photos: ",
    "veröffentlicht in", "veröffentlicht unter", "abgelegt unter", "dieser beitrag wurde",
    "dieser eintrag wurde", "kategorie: ", "kategorien: ", "schlagwörter: ", "foto: ", "fotos: ",
    "bild: ", "cet article a été publié", "partager ", "publié dans", "publicado en",
    "publicado em",
  ]

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
