package ops

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/mlir"
)

// The conversions of element types. Devices and layouts do not change what is
// computed: moving between devices is the business of tensors.
func init() {
	const options = "Layout? layout=None, Device? device=None, bool? pin_memory=None, "
	x, like := S(2, 3), T{DType: dtype.F64, Shape: []int{1}}
	for _, o := range []struct {
		schema string
		arg    int // the dtype, or the tensor that has it; -1 for none
		sample Sample
	}{
		{"_to_copy(Tensor self, *, ScalarType? dtype=None, " + options +
			"bool non_blocking=False, MemoryFormat? memory_format=None) -> Tensor", 1, Sample{x, dtype.F64}},
		{"to.dtype_layout(Tensor(a) self, *, ScalarType? dtype=None, " + options +
			"bool non_blocking=False, bool copy=False, MemoryFormat? memory_format=None) -> Tensor(a)", 1, Sample{x, dtype.I32}},
		{"to.device(Tensor(a) self, Device device, ScalarType dtype, bool non_blocking=False, " +
			"bool copy=False, MemoryFormat? memory_format=None) -> Tensor(a)", 2, Sample{x, nil, dtype.F16}},
		{"to.dtype(Tensor(a) self, ScalarType dtype, bool non_blocking=False, bool copy=False, " +
			"MemoryFormat? memory_format=None) -> Tensor(a)", 1, Sample{x, dtype.BF16}},
		{"to.prim_dtype(Tensor(a) self, int? dtype=None, bool non_blocking=False, " +
			"bool copy=False) -> Tensor(a)", 1, Sample{x, 7}},
		{"to.prim_device(Tensor(a) self, Device? device, int? dtype=None, bool non_blocking=False, " +
			"bool copy=False) -> Tensor(a)", 2, Sample{x, nil, 7}},
		{"to.other(Tensor(a) self, Tensor other, bool non_blocking=False, bool copy=False, " +
			"MemoryFormat? memory_format=None) -> Tensor(a)", 1, Sample{x, like}},
		{"type_as(Tensor self, Tensor other) -> Tensor", 1, Sample{x, like}},
	} {
		registerCast(o.schema, func(c *Call) dtype.DType {
			if t := c.Tensor(o.arg); t != nil {
				return t.Type().DType
			}
			return c.DType(o.arg, c.DTypeOf(0))
		}, o.sample)
	}
	for name, d := range map[string]dtype.DType{
		"Float": dtype.F32, "Double": dtype.F64, "Half": dtype.F16, "Byte": dtype.U8, "Char": dtype.I8,
		"Short": dtype.I16, "Int": dtype.I32, "Long": dtype.I64,
	} {
		registerCast("_cast_"+name+"(Tensor self, bool non_blocking=False) -> Tensor",
			func(*Call) dtype.DType { return d }, Sample{SIn(0, 20, 2, 3)})
	}
}

func registerCast(schema string, to func(c *Call) dtype.DType, samples ...Sample) {
	register(&Op{
		Schema: schema,
		Infer:  func(c *Call) error { return c.Result(to(c), c.Shape(0)) },
		Lower: func(l *Lowering, c *Call) []*mlir.Value {
			return one(l.Cast(l.In(c, 0), c.Out[0].DType))
		},
		Grad:    func(g *Gradient) { g.Set(0, g.Grad(0)) },
		Samples: samplesOf(samples...),
	})
}
