"""The arena: games with agents on other machines, over HTTP and WebSocket."""
