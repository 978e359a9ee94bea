package expand

import (
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/arith"
	"github.com/go-acap/acap/mlir/dialect/tensor"
)

// random computes for every element its block of Philox4x32-10 and takes its word.
func (e *expansion) random() []*mlir.Value {
	t := typeOf(e.op.Results[0])
	number := func(v *mlir.Value) *mlir.Value { return tensor.Extract(&e.Builder, v) }
	key, counter := number(e.op.Operands[0]), number(e.op.Operands[1])
	out := tensor.Empty(&e.Builder, t)
	return loops(&e.Builder, t.Shape, []*mlir.Value{out},
		func(b *mlir.Builder, at, out []*mlir.Value) []*mlir.Value {
			p := philox{b}
			linear := arith.Index(b, 0)
			for d, i := range at {
				linear = arith.AddI(b, arith.MulI(b, linear, arith.Index(b, t.Shape[d])), i)
			}
			element := arith.IndexCast(b, linear, mlir.I64)
			words := p.block(counter, arith.DivUI(b, element, p.number(4)), key)
			word := arith.RemUI(b, element, p.number(4))
			v := words[3]
			for k := 2; k >= 0; k-- {
				v = arith.Select(b, arith.CmpI(b, arith.EQ, word, p.number(int64(k))), words[k], v)
			}
			return []*mlir.Value{tensor.Insert(b, arith.TruncI(b, v, mlir.I32), out[0], at...)}
		})
}

// philox writes the arithmetic of the generator on words of 32 bits in i64.
type philox struct{ b *mlir.Builder }

func (p philox) number(v int64) *mlir.Value {
	return arith.Constant(p.b, mlir.IntegerAttr{Value: v, Type: mlir.I64})
}

func (p philox) low(v *mlir.Value) *mlir.Value {
	return arith.AndI(p.b, v, p.number(0xffffffff))
}

func (p philox) high(v *mlir.Value) *mlir.Value { return arith.ShRUI(p.b, v, p.number(32)) }

// block returns the four words for a counter of 128 bits and a key of 64.
func (p philox) block(low, high, key *mlir.Value) [4]*mlir.Value {
	b := p.b
	c := [4]*mlir.Value{p.low(low), p.high(low), p.low(high), p.high(high)}
	k0, k1 := p.low(key), p.high(key)
	for range kernel.PhiloxRounds {
		x, y := arith.MulI(b, c[0], p.number(kernel.PhiloxM0)), arith.MulI(b, c[2], p.number(kernel.PhiloxM1))
		mix := func(product, word, key *mlir.Value) *mlir.Value {
			return arith.XorI(b, arith.XorI(b, p.high(product), word), key)
		}
		c = [4]*mlir.Value{mix(y, c[1], k0), p.low(y), mix(x, c[3], k1), p.low(x)}
		k0 = p.low(arith.AddI(b, k0, p.number(kernel.PhiloxW0)))
		k1 = p.low(arith.AddI(b, k1, p.number(kernel.PhiloxW1)))
	}
	return c
}
