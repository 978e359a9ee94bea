package lazy_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/ops"
)

// Wrap makes value a [lazy.Handle].
func (v value) Wrap(r *lazy.Runtime, w ops.Value) value { return value{r, w} }

// TestNil: what is nil is named, with the line.
func TestNil(t *testing.T) {
	var none *struct{ value }
	for want, f := range map[string]func(){
		"on run: the function is nil":        func() { newIdle().OnRun(nil) },
		"no sync: the function is nil":       func() { _ = lazy.NoSync(nil) },
		"scope: the function is nil":         func() { lazy.Scope("a", nil) },
		"compile: the function is nil":       func() { lazy.Compile[value](nil) },
		"runtime: the device is nil":         func() { lazy.For(nil) },
		"autocast: the device is nil":        func() { lazy.Autocast(nil, dtype.BF16) },
		"lazy: a value is nil":               func() { _ = lazy.Sync(context.Background(), nil) },
		"lazy: a value is nil ":              func() { _ = lazy.Sync(context.Background(), none) },
		"get mlir: no values":                func() { lazy.GetMLIR() },
		"get mlir: lazy: values are on acap": func() { lazy.GetMLIR(value{newRuntime(t), leaf(1)}, value{newRuntime(t), leaf(1)}) },
	} {
		err := ops.Try(f)
		require.Error(t, err, want)
		require.Regexp(t, `^nil_test.go:\d+: `+want[:len(want)-1], err.Error())
	}
	require.NotPanics(t, func() { lazy.For(acap.Device()) })
}
