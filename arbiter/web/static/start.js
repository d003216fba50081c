// Starts the page of a game on a server.

import { start } from "./game.js";

start();
