package optim_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/optim"
)

// TestNil: what is nil is named, with the line.
func TestNil(t *testing.T) {
	p := tensor.Ones(1).RequiresGrad()
	for want, f := range map[string]func(){
		"lbfgs: the evaluation is nil":   func() { _, _ = optim.NewLBFGS(1).Step(context.Background(), []*tensor.Tensor{p}, nil) },
		"minimize: the optimiser is nil": func() { _ = optim.Minimize(context.Background(), nil, []*tensor.Tensor{p}, p.Sum()) },
	} {
		require.Regexp(t, `^nil_test.go:\d+: `+want+"$", tensor.Try(f).Error())
	}
}
