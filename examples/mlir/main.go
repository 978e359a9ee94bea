package main

import (
	"context"
	_ "embed"
	"fmt"
	"log"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect"
	"github.com/go-acap/acap/tensor"
)

//go:embed layer.mlir
var source []byte

func main() {
	log.SetFlags(0)
	if err := run(); err != nil {
		log.Fatal(err)
	}
}

// run compiles layer.mlir for the array, prints what it became, and runs it.
func run() error {
	module, err := mlir.Parse("layer.mlir", source)
	if err != nil {
		return err
	}
	if err := mlir.Verify(module); err != nil {
		return err
	}
	ctx := context.Background()
	exe, err := acap.Device().Compile(ctx, module)
	if err != nil {
		return err
	}
	defer exe.Close()
	for _, stage := range []string{"linalg", "kernel", "aie"} {
		text, err := exe.Text(stage)
		if err != nil {
			return err
		}
		fmt.Printf("// ----- %s\n%s\n", stage, text)
	}
	x := buf.From([]float32{1, 2, 3, -1, -2, -3}, 2, 3)
	w := buf.From([]float32{1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 1}, 3, 4)
	b := buf.From([]float32{0.5, 0.5, 0.5, 4}, 4)
	results, err := exe.Run(ctx, []*buf.Buffer{x, w, b})
	if err != nil {
		return err
	}
	fmt.Println("// ----- result")
	fmt.Println(tensor.FromBuffer(results[0]))
	return nil
}
