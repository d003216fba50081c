"""What users set: limits, settings of games, arbiter.toml, and the reading of TOML and YAML files with the line of every mistake."""
