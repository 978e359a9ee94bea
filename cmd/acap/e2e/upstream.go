package e2e

import (
	"context"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/device/compiler"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/upstream"
	"github.com/go-acap/acap/translate/passes/expand"
)

// runUpstream runs a module with upstream's tools.
func runUpstream(module *mlir.Operation, inputs []*buf.Buffer) ([]*buf.Buffer, error) {
	if err := compiler.Lower(module); err != nil {
		return nil, err
	}
	if err := expand.ACAP(module); err != nil {
		return nil, err
	}
	outcomes, err := upstream.Run(context.Background(), []upstream.Program{{Module: module, Inputs: inputs}})
	if err != nil {
		return nil, err
	}
	return outcomes[0].Results, outcomes[0].Err
}
