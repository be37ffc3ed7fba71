"""The host: command line, matches, benchmarks. It knows picograve; picograve knows not it."""
