"""Where the shared library is, relative to this folder. `cmake --install` writes another one."""
LIBRARY = "lib"
