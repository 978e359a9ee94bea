package engine

import (
	_ "embed"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/device/engine/reference"
	"github.com/go-acap/acap/kernel/portable"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/linalg"
)

//go:embed testdata/named.txt
var recordedNamed string

// TestNamed compares every named operation of linalg, on every kind of kernel and in the reference, with what
// LLVM's tools computed.
func TestNamed(t *testing.T) {
	recorded := map[string][]float64{}
	for line := range strings.Lines(recordedNamed) {
		if name, rest, ok := strings.Cut(line, " "); ok && name != "#" {
			for _, text := range strings.Fields(rest) {
				v, err := strconv.ParseFloat(text, 64)
				require.NoError(t, err)
				recorded[name] = append(recorded[name], v)
			}
		}
	}
	for _, name := range linalg.Names() {
		for _, d := range namedTypes(name) {
			c := namedCase{name, d[0], d[1]}
			t.Run(name+"/"+d[0].String(), func(t *testing.T) {
				want := recorded[name+"_"+d[0].String()+"_"+d[1].String()]
				require.NotEmpty(t, want)
				f, inputs := c.function()
				for _, o := range []Options{{}, {Backend: portable.Compile}} {
					p, err := Compile(f, o)
					require.NoError(t, err)
					c.check(t, want, run(t, p, inputs...)[0])
					p.Close()
				}
				if shape.Size(linalg.LoopExtents(f.Body().Ops[0])) < 10_000 {
					results, err := reference.Run(f, inputs)
					require.NoError(t, err)
					c.check(t, want, results[0])
				}
			})
		}
	}
}

// check compares a result with what was recorded of it. Sums of products are exact.
func (c namedCase) check(t *testing.T, want []float64, got *buf.Buffer) {
	t.Helper()
	require.Equal(t, int(want[0]), got.Len())
	sum := 0.0
	for i := range got.Len() {
		v := got.Float64(i)
		sum += float64(i%97+1) * v
		if i >= len(want)-2 {
			continue
		}
		if !isElementwise(c.name) && c.name != "fill_rng_2d" {
			require.Equal(t, want[2+i], v, "element %d", i)
		} else {
			require.InDelta(t, want[2+i], v, 1e-5*math.Max(1, math.Abs(v)), "element %d", i)
		}
	}
	require.InDelta(t, want[1], sum, 1e-5*math.Max(1, math.Abs(sum)))
}

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

// namedCase is a named operation on element types, with the strides and dilations that its windows have.
type namedCase struct {
	name    string
	in, out dtype.DType
}

// function makes a function of one named operation, and inputs for it: small numbers, whose sums of products are exact.
// Loop d has the extent 4 + d mod 3.
func (c namedCase) function() (*mlir.Operation, []*buf.Buffer) {
	window := func(list []int64) mlir.Attribute {
		return mlir.DenseInts(mlir.TensorType{Shape: []int{len(list)}, Elem: mlir.I64}, list)
	}
	n := linalg.NumInputs(c.name)
	dims := make([][]int, n+1)
	var attrs mlir.Attrs
	for i := range dims {
		dims[i] = []int{3, 4}
	}
	if c.name == "fill" {
		dims[0] = nil
	}
	elementwise := isElementwise(c.name)
	for windows := range 4 {
		if elementwise {
			break
		}
		given := mlir.Attrs{{Name: "dilations", Value: window([]int64{1, 2, 1}[:windows])},
			{Name: "strides", Value: window([]int64{2, 1, 2}[:windows])}}
		maps := linalg.IndexingMaps(mlir.NewOp("linalg."+c.name, nil, nil, given))
		if len(maps) != n+1 {
			continue
		}
		extents := make([]int, maps[0].Dims)
		for d := range extents {
			extents[d] = 4 + d%3
		}
		for i, m := range maps {
			dims[i] = dimsFor(m, extents)
		}
		if windows > 0 {
			attrs = given
		}
	}
	f := mlir.NewOp("func.func", nil, nil, nil)
	block := f.AddRegion().AddBlock()
	var values []*mlir.Value
	var inputs []*buf.Buffer
	for i := range dims {
		d := c.in
		switch {
		case c.name == "fill_rng_2d" && i < 2:
			d = dtype.F64
		case c.name == "fill_rng_2d" && i == 2, i >= 2 && i < n && c.name != "select": // a seed, zero points
			d = dtype.I32
		case c.name == "select" && i == 0:
			d = dtype.Bool
		case i == n:
			d = c.out
		}
		b := buf.New(d, dims[i])
		for k := range b.Len() {
			v := float64((5*k+3*i)%9 - 4)
			switch {
			case d == dtype.Bool:
				v = float64(k % 2)
			case elementwise && d.IsFloat():
				v = (v + 5) / 4
			case elementwise:
				v += 5
			}
			b.SetFloat64(k, v)
		}
		t := mlir.Type(mlir.Tensor(d, b.Shape))
		if len(dims[i]) == 0 && i < n {
			t = mlir.ElemType(d)
		}
		inputs = append(inputs, b)
		values = append(values, block.AddArg(t))
	}
	y := linalg.Named(mlir.At(block), c.name, values[:n], values[n], attrs)
	block.Append(mlir.NewOp("func.return", []*mlir.Value{y}, nil, nil))
	return f, inputs
}

// isElementwise reports whether the named operation has no maps of its own.
func isElementwise(name string) bool {
	return name == "fill" || len(linalg.IndexingMaps(mlir.NewOp("linalg."+name, nil, nil, nil))) == 0 &&
		!strings.Contains(name, "conv_") && !strings.Contains(name, "pooling")
}

// namedTypes are the elements on which the named operation is tried.
func namedTypes(name string) [][2]dtype.DType {
	switch {
	case strings.HasSuffix(name, "_q"), strings.HasPrefix(name, "quantized"):
		return [][2]dtype.DType{{dtype.I8, dtype.I32}}
	case name == "div_unsigned":
		return [][2]dtype.DType{{dtype.I32, dtype.I32}}
	case strings.HasSuffix(name, "unsigned"):
		return [][2]dtype.DType{{dtype.I32, dtype.I32}, {dtype.I8, dtype.I32}}
	case name == "add", name == "sub", name == "mul", name == "div", name == "max", name == "min", name == "select":
		return [][2]dtype.DType{{dtype.F32, dtype.F32}, {dtype.I32, dtype.I32}}
	case isElementwise(name):
		return [][2]dtype.DType{{dtype.F32, dtype.F32}}
	case name == "fill_rng_2d":
		return [][2]dtype.DType{{dtype.F64, dtype.F32}}
	}
	return [][2]dtype.DType{{dtype.F32, dtype.F32}, {dtype.I32, dtype.I32}, {dtype.I8, dtype.I32}, {dtype.BF16, dtype.F32}}
}
