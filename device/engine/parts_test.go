package engine

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
)

// TestPartsAreWrittenBefore puts a value into a column of a tensor, and computes from both the
// value and the whole tensor: the column must be there before the tensor is read.
func TestPartsAreWrittenBefore(t *testing.T) {
	p := compile(t, `
		#id = affine_map<(d0) -> (d0)>
		#first = affine_map<(d0) -> (d0, 0)>
		#second = affine_map<(d0) -> (d0, 1)>
		func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
			%e = tensor.empty() : tensor<4xf32>
			%n = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
				ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
			^bb0(%a: f32, %b: f32):
				%c = arith.negf %a : f32
				linalg.yield %c : f32
			} -> tensor<4xf32>
			%u = tensor.expand_shape %x [[0, 1]] output_shape [4, 1] : tensor<4xf32> into tensor<4x1xf32>
			%v = tensor.expand_shape %n [[0, 1]] output_shape [4, 1] : tensor<4xf32> into tensor<4x1xf32>
			%t = tensor.empty() : tensor<4x2xf32>
			%t0 = tensor.insert_slice %u into %t[0, 0] [4, 1] [1, 1] : tensor<4x1xf32> into tensor<4x2xf32>
			%t1 = tensor.insert_slice %v into %t0[0, 1] [4, 1] [1, 1] : tensor<4x1xf32> into tensor<4x2xf32>
			%r = linalg.generic {indexing_maps = [#id, #first, #second, #id], iterator_types = ["parallel"]}
				ins(%n, %t1, %t1 : tensor<4xf32>, tensor<4x2xf32>, tensor<4x2xf32>) outs(%e : tensor<4xf32>) {
			^bb0(%a: f32, %b: f32, %c: f32, %d: f32):
				%s = arith.mulf %b, %c : f32
				%w = arith.addf %a, %s : f32
				linalg.yield %w : f32
			} -> tensor<4xf32>
			return %r : tensor<4xf32>
		}`, Options{})
	defer p.Close()
	for range 2 { // the second run finds what the first one left
		out := run(t, p, buf.From(f32s(1, 2, 3, 4), 4))
		require.Equal(t, f32s(-2, -6, -12, -20), buf.Slice[float32](out[0]))
		out = run(t, p, buf.From(f32s(-1, 5, 0, 2), 4))
		require.Equal(t, f32s(0, -30, 0, -6), buf.Slice[float32](out[0]))
	}
}

// TestWrittenInPlace: what is inserted into a value that nothing else uses goes into its memory; else the value is
// copied before. What is counted is the kernels that move elements.
func TestWrittenInPlace(t *testing.T) {
	insert := func(from, into string) string {
		return "tensor.insert_slice %x into " + into + "[0, 1] [2, 2] [1, 1] : tensor<2x2xf32> into tensor<4x4xf32>"
	}
	const padded = `%p = tensor.pad %x low[1, 1] high[1, 1] {
		^bb0(%i: index, %j: index):
			tensor.yield %n : f32
		} : tensor<2x2xf32> to tensor<4x4xf32>
		`
	for _, c := range []struct {
		text  string
		moves int
	}{
		{padded + "%r = " + insert("%x", "%p"), 6}, // the inside, four sides, and what is inserted
		{padded + "%q = " + insert("%x", "%p") + "\n%r = " + insert("%x", "%q"), 7},
		{padded + "%q = " + insert("%x", "%p") + "\n%r = arith.addf %q, %p : tensor<4x4xf32>", 7},
		{"%r = " + insert("%x", "%y"), 2}, // an input is copied
		{"%e = tensor.empty() : tensor<4x4xf32>\n%r = " + insert("%x", "%e"), 1},
	} {
		p := compile(t, `func.func @main(%x: tensor<2x2xf32>, %y: tensor<4x4xf32>, %z: tensor<f32>) -> tensor<4x4xf32> {
			%n = tensor.extract %z[] : tensor<f32>
			`+c.text+`
			return %r : tensor<4x4xf32>
		}`, Options{NoFusion: true})
		moves := 0
		for _, k := range p.Kernels() {
			if k.Kind == "move" {
				moves++
			}
		}
		require.Equal(t, c.moves, moves, "%s\n%s", c.text, p.KernelText())
	}
}
