package passes

// Every program that runs passes parses and prints all dialects.
import _ "github.com/go-acap/acap/mlir/dialect"
