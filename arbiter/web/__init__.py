"""Games in the browser: one page for every game, live while it is played, or as one file to send to a friend."""
