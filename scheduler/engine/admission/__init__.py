"""What the API server does to a manifest before a scheduler sees it."""
