// Catalog
