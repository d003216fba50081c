"""Games in the browser: one page for every game, live while it is played, or exported as one file."""
