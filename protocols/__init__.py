"""The bundled protocols. The arbiter loads each from its folder, as it loads anybody's: arbiter.toml names them."""
