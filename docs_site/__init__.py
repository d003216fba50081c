"""The documentation as a site: pages that are generated from the code, and the hooks of the generator."""
