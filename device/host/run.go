package host

import (
	"context"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/mlir"
)

// Run compiles a module for the host, runs its function main once on inputs of its shapes and types, and returns the
// results. Importers ask for such a function where the structure of a model depends on the elements of its inputs. An
// error is one of compiling or of running; see [device.Device] and [device.Executable].
func Run(module *mlir.Operation, inputs []*buf.Buffer) ([]*buf.Buffer, error) {
	exe, err := Device().Compile(context.Background(), module)
	if err != nil {
		return nil, err
	}
	defer exe.Close()
	return exe.Run(context.Background(), inputs)
}
