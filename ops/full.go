package ops

import (
	"slices"
	"strings"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
)

// tensorOptions are the keyword arguments of all constructors.
const tensorOptions = "ScalarType? dtype=None, Layout? layout=None, Device? device=None, " +
	"bool? pin_memory=None"

// The constructors: tensors of one number. Memory that ATen leaves uninitialized (empty) is zero here, so that every
// program is deterministic.
func init() {
	const kw = tensorOptions
	const format = ", MemoryFormat? memory_format=None"
	for _, o := range []struct {
		schema string
		value  float64 // unless there is an argument fill_value, value or s
	}{
		{"full(SymInt[] size, Scalar fill_value, *, " + kw + ") -> Tensor", 0},
		{"zeros(SymInt[] size, *, " + kw + ") -> Tensor", 0},
		{"ones(SymInt[] size, *, " + kw + ") -> Tensor", 1},
		{"empty.memory_format(SymInt[] size, *, " + kw + format + ") -> Tensor", 0},
		{"empty_strided(SymInt[] size, SymInt[] stride, *, " + kw + ") -> Tensor", 0},
		{"full_like(Tensor self, Scalar fill_value, *, " + kw + format + ") -> Tensor", 0},
		{"zeros_like(Tensor self, *, " + kw + format + ") -> Tensor", 0},
		{"ones_like(Tensor self, *, " + kw + format + ") -> Tensor", 1},
		{"empty_like(Tensor self, *, " + kw + format + ") -> Tensor", 0},
		{"new_full(Tensor self, SymInt[] size, Scalar fill_value, *, " + kw + ") -> Tensor", 0},
		{"new_zeros(Tensor self, SymInt[] size, *, " + kw + ") -> Tensor", 0},
		{"new_ones(Tensor self, SymInt[] size, *, " + kw + ") -> Tensor", 1},
		{"new_empty(Tensor self, SymInt[] size, *, " + kw + ") -> Tensor", 0},
		{"new_empty_strided(Tensor self, SymInt[] size, SymInt[] stride, *, " + kw + ") -> Tensor", 0},
		{"scalar_tensor(Scalar s, *, " + kw + ") -> Tensor", 0},
	} {
		registerFull(o.schema, o.value)
	}
}

func registerFull(schema string, value float64) {
	size, stride := argIndex(schema, "size"), argIndex(schema, "stride")
	fill := max(argIndex(schema, "fill_value"), argIndex(schema, "s"))
	element := argIndex(schema, "dtype")
	like := argIndex(schema, "self") == 0
	register(&Op{
		Schema: schema,
		Infer: func(c *Call) error {
			var dims []int
			d := dtype.F32
			if like {
				dims, d = c.Shape(0), c.DTypeOf(0)
			}
			if size >= 0 {
				dims = c.Ints(size)
			}
			if fill >= 0 && !like {
				d = c.Scalar(fill).DType()
				if strings.HasPrefix(schema, "scalar_tensor") {
					d = dtype.F32
				}
			}
			if err := shape.Check(dims); err != nil {
				return err
			}
			if stride >= 0 {
				if s := c.Ints(stride); len(s) != len(dims) || len(s) > 0 && slices.Min(s) < 0 {
					return c.ShapeErrorf("stride %s does not fit size %s", shape.String(s), shape.String(dims))
				}
			}
			return c.Result(c.DType(element, d), dims)
		},
		Lower: func(l *Lowering, c *Call) []*mlir.Value {
			if fill >= 0 {
				return one(l.FillScalar(c.Out[0], c.Scalar(fill)))
			}
			return one(l.Fill(c.Out[0].DType, c.Out[0].Shape, value))
		},
		Detached: true,
		Samples:  samplesOf(fullSample(schema)),
	})
}

// fullSample has a value for every argument that has no default.
func fullSample(schema string) Sample {
	s, _ := ParseSchema(schema)
	var out Sample
	for _, q := range s.Params {
		switch q.Name {
		case "self":
			out = append(out, S(2, 3))
		case "size":
			out = append(out, []int{3, 2})
		case "stride":
			out = append(out, []int{2, 1})
		case "fill_value", "s":
			out = append(out, 1.5)
		}
	}
	return out
}

// argIndex returns the index of a parameter of a schema, or -1.
func argIndex(schema, name string) int {
	s, err := ParseSchema(schema)
	if err != nil {
		panic("BUG: ops: " + err.Error())
	}
	for i, q := range s.Params {
		if q.Name == name {
			return i
		}
	}
	return -1
}
