/// The schema.org types that determine the kind of a page.
enum SchemaType {
  /// The priority of a type as the page's main object; 0 if it cannot be.
  static func rank(_ type: String) -> Int {
    switch kind(type) {
    case "page": type == "WebSite" || type.hasSuffix("Organization") ? 0 : 1
    case "profile": 1
    case "video", "audio": 3
    case "article": 5
    case nil: 0
    default: 4
    }
  }

  /// The kind of a page with a main object of this type; nil if undetermined.
  static func kind(_ type: String) -> String? {
    switch type {
    case _ where type.hasSuffix("Article") || type.hasSuffix("Posting"): "article"
    case "Report", "Blog", "HowTo", "QAPage", "Question", "TechArticle", "Review", "CriticReview",
      "Thesis", "ClaimReview":
      "article"
    case "VideoObject", "Movie", "TVEpisode", "TVSeries", "Clip": "video"
    case "AudioObject", "PodcastEpisode", "PodcastSeries", "MusicRecording", "MusicAlbum": "audio"
    case "Product", "ProductGroup", "SoftwareApplication", "MobileApplication", "WebApplication",
      "SoftwareSourceCode", "Vehicle", "Offer":
      "product"
    case "Book": "book"
    case "Recipe": "recipe"
    case _ where type.hasSuffix("Event"): "event"
    case "Person", "ProfilePage": "profile"
    case _ where type.hasSuffix("Page"): "page"
    default: nil
    }
  }

  /// The kind of a page with this `og:type`.
  static func kind(openGraph type: String?) -> String? {
    guard let type = type?.lowercased() else { return nil }
    return switch type.prefix(while: { $0 != "." && $0 != ":" }) {
    case "article", "blog", "news": "article"
    case "video", "movie", "tv_show": "video"
    case "music", "song", "album": "audio"
    case "product", "og": type.contains("product") ? "product" : nil
    case "profile": "profile"
    case "book", "books": "book"
    default: nil
    }
  }
}
