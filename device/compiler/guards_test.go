package compiler_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/compiler"
	"github.com/go-acap/acap/device/host"
	"github.com/go-acap/acap/device/plan"
	"github.com/go-acap/acap/mlir"
)

const guardedText = `func.func @main(%x: tensor<3xf32>, %m: tensor<2x2xi1>) -> tensor<3xf32> {
  %0 = "aten.neg"(%x) : (tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
func.func @guards(%x: tensor<3xf32>, %m: tensor<2x2xi1>) -> (tensor<2x2xi1>, tensor<2x2xi1>, tensor<f32>, tensor<f32>)
    attributes {acap.guards = ["the mask at m.py:3", "a number at m.py:4"]} {
  %0 = arith.constant dense<[[true, false], [true, true]]> : tensor<2x2xi1>
  %1 = arith.constant dense<3.0> : tensor<f32>
  %2 = "aten.sum"(%x) : (tensor<3xf32>) -> tensor<f32>
  return %m, %0, %2, %1 : tensor<2x2xi1>, tensor<2x2xi1>, tensor<f32>, tensor<f32>
}`

// TestGuardsOfAProgram: inputs that differ in what a guard computes are refused, by all devices, by all ways to run,
// and after the program was stored.
func TestGuardsOfAProgram(t *testing.T) {
	ctx := context.Background()
	module := func() *mlir.Operation {
		m, err := mlir.Parse("m.mlir", []byte(guardedText))
		require.NoError(t, err)
		require.NoError(t, mlir.Verify(m))
		return m
	}
	list, err := compiler.Guards(module())
	require.NoError(t, err)
	require.Equal(t, []string{"the mask at m.py:3: [true false true true] of shape [2 2]", "a number at m.py:4: 3"}, list)
	check := func(exe device.Executable) {
		t.Helper()
		x, m := buf.From([]float32{1, 2, 0}, 3), buf.From([]bool{true, false, true, true}, 2, 2)
		out, err := exe.Run(ctx, []*buf.Buffer{x, m})
		require.NoError(t, err)
		require.Equal(t, []float32{-1, -2, 0}, buf.Slice[float32](out[0]))
		for what, in := range map[string][]*buf.Buffer{
			"element [1 0] of the mask at m.py:3 was true, and is false": {x, buf.From([]bool{true, false, false, true}, 2, 2)},
			"a number at m.py:4 was 3, and is 2":                         {buf.From([]float32{1, 1, 0}, 3), m},
		} {
			differs := (*device.GuardError)(nil)
			_, err := exe.Run(ctx, in)
			require.ErrorAs(t, err, &differs)
			require.ErrorContains(t, err, what)
			require.ErrorAs(t, exe.RunInto(ctx, in, []*buf.Buffer{buf.From([]float32{0, 0, 0}, 3)}), &differs)
		}
	}
	for _, dev := range []device.Device{host.Device(), acap.Device()} {
		exe, err := dev.Compile(ctx, module())
		require.NoError(t, err)
		check(exe)
		other := exe.NewHandle()
		exe.Close()
		check(other)
		other.Close()
	}
	exe, err := compiler.Compile(ctx, module())
	require.NoError(t, err)
	p, err := exe.Plan()
	require.NoError(t, err)
	exe.Close()
	data := p.Encode()
	p, err = plan.Decode(data)
	require.NoError(t, err)
	loaded, err := compiler.Load(ctx, p)
	require.NoError(t, err)
	check(loaded)
	loaded.Close()
	for what, change := range map[string]func(){
		"fewer names": func() { p.GuardNames = p.GuardNames[:1] }, "no names": func() { p.GuardNames = nil },
		"no program": func() { p.Guards = nil }, "another program": func() { p.Guards = data },
		"a damaged one": func() { p.Guards = p.Guards[:len(p.Guards)/2] },
	} {
		p, err = plan.Decode(data)
		require.NoError(t, err)
		change()
		_, err = compiler.Load(ctx, p)
		require.Error(t, err, what)
	}
}

// TestWrongGuards: guards that say nothing that can be checked are refused.
func TestWrongGuards(t *testing.T) {
	for what, text := range map[string]string{
		"acap.guards needs a text for each two results": `func.func @guards(%x: tensor<3xf32>) -> tensor<3xf32> attributes {acap.guards = ["a"]} {
  return %x : tensor<3xf32>
}`,
		"is no text of two results of one type": `func.func @guards(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xi1>) attributes {acap.guards = ["a"]} {
  %0 = arith.constant dense<true> : tensor<3xi1>
  return %x, %0 : tensor<3xf32>, tensor<3xi1>
}`,
		"guards take [tensor<2xf32>], the program takes [tensor<3xf32>]": `func.func @guards(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) attributes {acap.guards = ["a"]} {
  return %x, %x : tensor<2xf32>, tensor<2xf32>
}`,
	} {
		module, err := mlir.Parse("m.mlir", []byte("func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {\n  return %x : tensor<3xf32>\n}\n"+text))
		require.NoError(t, err)
		_, err = compiler.Compile(context.Background(), module)
		require.ErrorContains(t, err, what)
	}
}
