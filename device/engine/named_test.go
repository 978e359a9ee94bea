package engine

import (
	"math/rand/v2"
	"sort"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/linalg"
)

// dimsFor gives the shape that a map reads from a space of loops.
func dimsFor(m mlir.AffineMap, extents []int) []int {
	dims := []int{}
	for _, e := range m.Results {
		coeffs, _, _ := e.Linear(len(extents))
		n := 1
		for l, c := range coeffs {
			n += c * (extents[l] - 1)
		}
		dims = append(dims, n)
	}
	return dims
}

func known(name string) bool {
	return linalg.IsStructured(&mlir.Operation{Name: name})
}

// TestNamed compares every named operation of linalg with its reference.
func TestNamed(t *testing.T) {
	specs := map[string]string{}
	for name, spec := range namedSums {
		specs[name] = spec
	}
	for layout, spec := range namedWindows {
		for _, kind := range []string{"sum", "max", "min", "max_unsigned", "min_unsigned"} {
			specs["linalg.pooling_"+layout+"_"+kind] = spec
		}
	}
	var names []string
	for name := range specs {
		names = append(names, name)
	}
	sort.Strings(names)
	covered := 0
	for _, name := range names {
		if !known(name) {
			continue
		}
		covered++
		for _, d := range [][2]dtype.DType{{dtype.F32, dtype.F32}, {dtype.I32, dtype.I32},
			{dtype.I8, dtype.I32}, {dtype.BF16, dtype.F32}} {
			// The dialect's bodies extend unsigned operands as signed ones.
			if strings.HasSuffix(name, "unsigned") && d[0] != dtype.I32 {
				continue
			}
			t.Run(name+"/"+d[0].String(), func(t *testing.T) {
				f, inputs := namedFunc(name, specs[name], d[0], d[1])
				compare(t, f, inputs)
			})
		}
	}
	require.Greater(t, covered, 40)
}

func namedFunc(name, spec string, in, out dtype.DType) (*mlir.Operation, []*buf.Buffer) {
	r := rand.New(rand.NewPCG(5, 6))
	windows := strings.Count(spec, "+")
	strides, dilations := []int{2, 1, 2}[:windows], []int{1, 2, 1}[:windows]
	plain := name == "linalg.conv_1d" || name == "linalg.conv_2d" || name == "linalg.conv_3d"
	if plain { // these have no strides
		strides, dilations = []int{1, 1, 1}, []int{1, 1, 1}
	}
	maps, reduction := loopSpec(spec, strides, dilations)
	extents := make([]int, len(reduction))
	for i := range extents {
		extents[i] = 2 + r.IntN(4)
	}
	f := mlir.NewOp("func.func", nil, nil, nil)
	block := f.AddRegion().AddBlock()
	var values []*mlir.Value
	var inputs []*buf.Buffer
	for i, m := range maps {
		d := in
		if i == len(maps)-1 {
			d = out
		}
		b := buf.New(d, dimsFor(m, extents))
		for k := range b.Len() {
			if d.IsFloat() {
				b.SetFloat64(k, r.Float64()-0.5)
			} else {
				b.SetInt64(k, int64(r.IntN(200)-100))
			}
		}
		inputs = append(inputs, b)
		values = append(values, block.AddArg(mlir.Tensor(d, b.Shape)))
	}
	last := len(values) - 1
	var attrs mlir.Attrs
	if windows > 0 && !plain {
		attrs = mlir.Attrs{{Name: "dilations", Value: mlir.Ints(dilations)},
			{Name: "strides", Value: mlir.Ints(strides)}}
	}
	y := linalg.Named(mlir.At(block), strings.TrimPrefix(name, "linalg."), values[:last], values[last], attrs)
	block.Append(mlir.NewOp("func.return", []*mlir.Value{y}, nil, nil))
	return f, inputs
}
