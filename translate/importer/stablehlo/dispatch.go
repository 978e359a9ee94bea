package stablehlo

import (
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/arith"
)

// rules lower the operations that are not elementwise.
var rules map[string]func(c *block, op *mlir.Operation)

func init() {
	rules = map[string]func(c *block, op *mlir.Operation){
		"stablehlo.constant":             func(c *block, op *mlir.Operation) { c.set(op, c.constant(op.Attrs.Get("value"))) },
		"chlo.constant":                  func(c *block, op *mlir.Operation) { c.set(op, c.constant(op.Attrs.Get("value"))) },
		"stablehlo.optimization_barrier": func(c *block, op *mlir.Operation) { c.set(op, c.in(op)...) },
		"sdy.sharding_constraint":        func(c *block, op *mlir.Operation) { c.set(op, c.in(op)...) }, // here is one device
		"sdy.reshard":                    func(c *block, op *mlir.Operation) { c.set(op, c.in(op)...) },
		"stablehlo.complex":              (*block).join,
		"stablehlo.real":                 func(c *block, op *mlir.Operation) { c.partOf(op, 0) },
		"stablehlo.imag":                 func(c *block, op *mlir.Operation) { c.partOf(op, 1) },
		"stablehlo.fft":                  (*block).fft,
		"interpreter.probe":              func(c *block, op *mlir.Operation) { c.set(op, c.in(op)...) },
		"stablehlo.custom_call":          (*block).customCall,
		"stablehlo.rng": func(c *block, op *mlir.Operation) {
			c.fail("draws numbers from nowhere; have the program take a state and draw by rng_bit_generator, as JAX does")
		},
		"stablehlo.infeed":             (*block).exchange,
		"stablehlo.outfeed":            (*block).exchange,
		"stablehlo.send":               (*block).exchange,
		"stablehlo.recv":               (*block).exchange,
		"stablehlo.torch_index_select": (*block).indexSelect,

		"stablehlo.broadcast":                (*block).broadcast,
		"stablehlo.broadcast_in_dim":         (*block).broadcastInDim,
		"stablehlo.dynamic_broadcast_in_dim": (*block).broadcastInDim,
		"stablehlo.reshape":                  (*block).reshape,
		"stablehlo.dynamic_reshape":          (*block).reshape,
		"stablehlo.transpose":                (*block).transpose,
		"stablehlo.slice":                    (*block).slice,
		"stablehlo.reverse":                  (*block).reverse,
		"stablehlo.concatenate":              (*block).concatenate,
		"stablehlo.pad":                      (*block).pad,
		"stablehlo.dynamic_pad":              (*block).dynamicPad,
		"stablehlo.iota":                     (*block).iota,
		"stablehlo.dynamic_iota":             (*block).iota,
		"stablehlo.dynamic_slice":            (*block).dynamicSlice,
		"stablehlo.dynamic_update_slice":     (*block).dynamicUpdateSlice,
		"stablehlo.get_dimension_size":       (*block).dimensionSize,
		"stablehlo.bitcast_convert":          (*block).bitcastConvert,

		"stablehlo.dot_general": (*block).dotGeneral,
		"stablehlo.dot":         (*block).dot,
		"stablehlo.convolution": (*block).convolution,
		"stablehlo.dynamic_conv": func(c *block, op *mlir.Operation) {
			c.convolution(c.withConstants(op, "", "", "padding"))
		},
		"stablehlo.real_dynamic_slice": func(c *block, op *mlir.Operation) {
			c.slice(c.withConstants(op, "", "start_indices", "limit_indices", "strides"))
		},
		"stablehlo.dynamic_gather": func(c *block, op *mlir.Operation) {
			c.gather(c.withConstants(op, "", "", "slice_sizes"))
		},

		"stablehlo.reduce":             (*block).reduce,
		"stablehlo.reduce_window":      (*block).reduceWindow,
		"stablehlo.select_and_scatter": (*block).selectAndScatter,
		"stablehlo.map":                (*block).mapped,
		"stablehlo.gather":             (*block).gather,
		"stablehlo.scatter":            (*block).scatter,
		"stablehlo.sort":               (*block).sort,
		"chlo.top_k":                   (*block).topK,

		"stablehlo.while": (*block).while,
		"stablehlo.if":    (*block).conditional,
		"stablehlo.case":  (*block).choice,

		"stablehlo.triangular_solve":     (*block).triangularSolve,
		"stablehlo.cholesky":             (*block).cholesky,
		"stablehlo.batch_norm_inference": (*block).batchNormInference,
		"stablehlo.batch_norm_training":  (*block).batchNormTraining,
		"stablehlo.batch_norm_grad":      (*block).batchNormGradient,
	}
}

// exchange refuses an operation that takes values from a host, or gives it some, while the program runs.
func (c *block) exchange(*mlir.Operation) {
	c.fail("exchanges values with a host or another program while this one runs; make the values that it takes arguments of the " +
		"function, and the values that it gives results")
}

func (c *block) lower(op *mlir.Operation) {
	switch {
	case rules[op.Name] != nil:
		rules[op.Name](c, op)
	case special[op.Name] != "":
		c.special(op)
	default:
		c.elementwise(op)
	}
}

// widenedElements are integers of 2 or 4 bits as ones of 8.
func widenedElements(d mlir.DenseAttr, t mlir.TensorType) mlir.DenseAttr {
	width := mlir.BitWidth(t.Elem)
	values := make([]int64, d.Len())
	for i := range values {
		values[i] = d.IntAt(i) << (64 - width) >> (64 - width)
		if isUnsigned(t.Elem) {
			values[i] &= 1<<width - 1
		}
	}
	return mlir.DenseInts(mlir.TensorType{Shape: t.Shape, Elem: mlir.I8}, values)
}

// constant appends a constant of signless elements.
func (c *block) constant(a mlir.Attribute) *mlir.Value {
	switch d := a.(type) {
	case mlir.DenseAttr:
		t := d.Type.(mlir.TensorType)
		if values, ok := d.Float(); ok && isTiny(t.Elem) {
			return arith.Constant(c.b, mlir.DenseFloats(mlir.TensorType{Shape: t.Shape, Elem: mlir.F32}, values))
		}
		if isNarrow(t.Elem) {
			return arith.Constant(c.b, widenedElements(d, t))
		}
		t.Elem, t.Encoding = signlessElem(t.Elem), nil
		d.Type = t
		return arith.Constant(c.b, d)
	case mlir.ResourceAttr:
		t := d.Type.(mlir.TensorType)
		t.Elem, t.Encoding = signlessElem(t.Elem), nil
		d.Type = t
		return arith.Constant(c.b, d)
	}
	c.fail("a constant that is no dense elements")
	return nil
}
