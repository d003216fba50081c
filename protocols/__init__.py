"""The bundled protocols, imported as ``arbiter.protocols`` (a symbolic link in the checkout, a folder in the wheel)."""
