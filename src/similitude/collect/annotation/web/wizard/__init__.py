"""New studies and settings in the browser: pages of the console that write the same files as people do by hand."""
