package mlirtest

import (
	"os"
	"strings"
	"testing"

	"github.com/go-acap/acap/mlir"
)

// Fuzz gives what reads and verifies to f, whatever the text: f has to end without a panic, and the module that it
// leaves without an error has to be valid. The seeds are the parts of files.
func Fuzz(f *testing.F, convert func(module *mlir.Operation) error, paths ...string) {
	for _, path := range paths {
		src, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		for _, part := range strings.Split(string(src), "// -----\n") {
			f.Add(part)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		module, err := mlir.Parse("fuzz.mlir", []byte(text))
		if err != nil || mlir.Verify(module) != nil {
			return
		}
		before := module.Text(mlir.PrintOptions{})
		if err := convert(module); err != nil {
			return
		}
		if err := mlir.Verify(module); err != nil {
			t.Fatalf("%v\nmade of\n%s\nis\n%s", err, before, module.Text(mlir.PrintOptions{}))
		}
	})
}
