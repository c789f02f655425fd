"""A table in the browser: the server, what it says to a page, and simple players who are its clients."""
