package acap

import (
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/mlir"
)

// flag appends a unit attribute if it is set.
func flag(attrs mlir.Attrs, name string, set bool) mlir.Attrs {
	if set {
		attrs = append(attrs, mlir.Named{Name: name, Value: mlir.UnitAttr{}})
	}
	return attrs
}

// scanning are the attributes of scans, in alphabetical order.
func scanning(kind string, axis int, positions, unsigned bool) mlir.Attrs {
	return flag(flag(folding(kind, axis, false), "positions", positions), "unsigned", unsigned)
}

// folding are the attributes of scatters, in alphabetical order.
func folding(kind string, axis int, unsigned bool) mlir.Attrs {
	return flag(mlir.Attrs{{Name: "axis", Value: mlir.Int(axis)},
		{Name: "kind", Value: mlir.StringAttr(kind)}}, "unsigned", unsigned)
}

// Scan appends the running folds of x, a tensor, along an axis.
func Scan(b *mlir.Builder, kind string, x *mlir.Value, axis int, unsigned bool) *mlir.Value {
	return b.Create("acap.scan", []*mlir.Value{x}, []mlir.Type{x.Type},
		scanning(kind, axis, false, unsigned)).Result()
}

// ScanPositions appends the positions (i64) of the running extremes of x, a tensor, along
// an axis; kind is Max or Min.
func ScanPositions(b *mlir.Builder, kind string, x *mlir.Value, axis int, unsigned bool) *mlir.Value {
	t, _ := x.Type.(mlir.TensorType)
	return b.Create("acap.scan", []*mlir.Value{x}, []mlir.Type{positionsOf(t)},
		scanning(kind, axis, true, unsigned)).Result()
}

// Order says how a sort orders and which places of the sorted line it keeps: count of
// them, starting with First.
type Order struct {
	Axis                 int
	Descending, Unsigned bool
	First, Count         int
}

func (o Order) attributes() mlir.Attrs {
	attrs := flag(mlir.Attrs{{Name: "axis", Value: mlir.Int(o.Axis)}}, "descending", o.Descending)
	attrs = append(attrs, mlir.Named{Name: "first", Value: mlir.Int(o.First)})
	return flag(attrs, "unsigned", o.Unsigned)
}

// Sort appends a sort of x, a tensor, and returns the values and their positions (i64).
func Sort(b *mlir.Builder, x *mlir.Value, o Order) (values, positions *mlir.Value) {
	t, _ := x.Type.(mlir.TensorType)
	t.Shape = append([]int(nil), t.Shape...)
	t.Shape[o.Axis] = o.Count
	op := b.Create("acap.sort", []*mlir.Value{x}, []mlir.Type{t, positionsOf(t)}, o.attributes())
	return op.Results[0], op.Results[1]
}

func positionsOf(t mlir.TensorType) mlir.TensorType {
	return mlir.TensorType{Shape: t.Shape, Elem: mlir.I64}
}

// Scatter appends into with the updates folded in at index along an axis.
func Scatter(b *mlir.Builder, kind string, updates, index, into *mlir.Value, axis int,
	unsigned bool) *mlir.Value {
	return b.Create("acap.scatter", []*mlir.Value{updates, index, into}, []mlir.Type{into.Type},
		folding(kind, axis, unsigned)).Result()
}

// Random appends random bits (i32) of a shape; key and counter are tensor<i64>.
func Random(b *mlir.Builder, key, counter *mlir.Value, dims []int) *mlir.Value {
	return b.Create("acap.rng", []*mlir.Value{key, counter},
		[]mlir.Type{mlir.TensorType{Shape: dims, Elem: mlir.I32}}, nil).Result()
}

// unpacking are the attributes of an unpack, in alphabetical order.
func unpacking(format string, rounds bool) mlir.Attrs {
	return flag(mlir.Attrs{{Name: "format", Value: mlir.StringAttr(format)}}, "rounds", rounds)
}

// Unpack appends the values of blocks of a format in x, a tensor of bytes (i8) whose rows are whole blocks.
func Unpack(b *mlir.Builder, x *mlir.Value, f dtype.Format, rounds bool) *mlir.Value {
	t, _ := x.Type.(mlir.TensorType)
	return b.Create("acap.unpack", []*mlir.Value{x}, []mlir.Type{unpacked(t, f)}, unpacking(f.String(), rounds)).Result()
}

// unpacked is the type of the values of blocks in a tensor of bytes.
func unpacked(t mlir.TensorType, f dtype.Format) mlir.TensorType {
	out := mlir.TensorType{Shape: slices.Clone(t.Shape), Elem: mlir.F32}
	if last := len(out.Shape) - 1; last >= 0 && f.Bytes() > 0 {
		out.Shape[last] = out.Shape[last] / f.Bytes() * f.Block()
	}
	return out
}
