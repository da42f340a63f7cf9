"""Location of the shared library relative to this folder. `cmake --install` writes another file in
its place."""
LIBRARY = "lib"
