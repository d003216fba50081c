"""The protocols that come with the arbiter, imported as ``arbiter.protocols`` (a link in the checkout, a folder in the wheel)."""
