package stablehlo

import (
	"fmt"
	"slices"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/linalg"
	"github.com/go-acap/acap/translate/passes/lowering"
	"github.com/go-acap/acap/translate/passes/simplify"
)

// Export rewrites a module in the aten or the linalg form in place. Its error names the first
// operation that StableHLO cannot say.
func Export(module *mlir.Operation) error {
	for _, pass := range []func(*mlir.Operation) error{lowering.Decompose, lowering.ToLinalg, simplify.DCE} {
		if err := pass(module); err != nil {
			return err
		}
	}
	for _, f := range module.Funcs() {
		if f.Body() == nil {
			continue
		}
		if err := function(f); err != nil {
			return err
		}
	}
	return simplify.DCE(module)
}

// Error says that an operation has no form in StableHLO.
type Error struct {
	Where, Name, Reason string
}

func (e *Error) Error() string {
	text := "stablehlo: " + e.Name + ": " + e.Reason
	if e.Where != "" {
		return e.Where + ": " + text
	}
	return text
}

// writer appends operations to the new body of a function.
type writer struct {
	b      *mlir.Builder
	values map[*mlir.Value]*mlir.Value // tensors; numbers as tensors without dimensions
	op     *mlir.Operation
}

func (w *writer) fail(format string, args ...any) {
	where := ""
	if !w.op.Loc.IsUnknown() {
		where = w.op.Loc.Short()
	}
	panic(&Error{where, w.op.Name, fmt.Sprintf(format, args...)})
}

func function(f *mlir.Operation) (err error) {
	body := f.Body()
	w := &writer{b: mlir.At(&mlir.Block{Region: body.Region}), values: map[*mlir.Value]*mlir.Value{}, op: f}
	defer func() {
		switch p := recover().(type) {
		case nil:
		case *Error:
			err = p
		default:
			panic(p)
		}
	}()
	if len(f.Regions[0].Blocks) != 1 {
		w.fail("a function of several blocks")
	}
	for _, arg := range body.Args {
		w.values[arg] = arg
	}
	for _, op := range body.Ops {
		w.op, w.b.Loc = op, op.Loc
		w.operation(op)
	}
	body.Ops = w.b.Block.Ops
	for _, op := range body.Ops {
		op.Block = body
	}
	return nil
}

func (w *writer) operation(op *mlir.Operation) {
	if ownMaps := op.Attrs.Get("indexing_maps"); ownMaps != nil || mixed(op) {
		w.generic(op)
		return
	}
	switch op.Name {
	case "func.return":
		last := mlir.NewOp("func.return", w.in(op), nil, nil)
		last.Loc = op.Loc
		w.b.Insert(last)
	case "arith.constant":
		w.set(op, w.constant(op.Attrs.Get("value")))
	case "tensor.empty": // made where it is read
	case "linalg.fill":
		w.set(op, w.broadcast(w.value(op.Operands[0]), shapeOf(op.Result().Type), nil))
	case "tensor.expand_shape", "tensor.collapse_shape", "tensor.reshape":
		w.set(op, w.reshape(w.value(op.Operands[0]), shapeOf(op.Result().Type)))
	case "tensor.cast":
		w.set(op, w.value(op.Operands[0]))
	case "tensor.bitcast":
		w.set(op, w.create("bitcast_convert", op.Result().Type, nil, w.value(op.Operands[0])))
	case "linalg.transpose":
		perm, _ := mlir.IntList(op.Attrs.Get("permutation"))
		w.set(op, w.transpose(w.value(op.Operands[0]), perm))
	case "tensor.extract_slice":
		w.extractSlice(op)
	case "tensor.insert_slice":
		w.insertSlice(op)
	case "tensor.pad":
		w.pad(op)
	case "tensor.extract":
		w.set(op, w.gather(w.value(op.Operands[0]), w.in(op)[1:], []int{}))
	case "linalg.matmul", "linalg.batch_matmul":
		w.matmul(op)
	case "linalg.conv_1d_ncw_fcw", "linalg.conv_2d_nchw_fchw", "linalg.conv_3d_ncdhw_fcdhw":
		w.convolution(op)
	case "aten.linalg_solve_triangular":
		w.triangularSolve(op)
	case "acap.after":
		in := w.in(op)
		types := []mlir.Type{in[0].Type, in[1].Type}
		w.set(op, w.b.Create("stablehlo.optimization_barrier", in, types, nil).Results[0])
	case "acap.scan":
		w.scan(op)
	case "acap.sort":
		w.sort(op)
	case "acap.scatter":
		w.scatter(op)
	default:
		if linalg.IsStructured(op) {
			w.generic(op)
			return
		}
		if len(op.Regions) == 0 && len(op.Results) == 1 && elementwise(op) {
			w.set(op, w.apply(op, w.in(op), shapeOf(op.Results[0].Type)))
			return
		}
		if !w.specialFunction(op) {
			w.fail("has no form in StableHLO here")
		}
	}
}

// mixed reports whether a structured operation computes on elements of several types.
func mixed(op *mlir.Operation) bool {
	if !linalg.IsStructured(op) || op.Name == "linalg.fill" {
		return false
	}
	elem := elemOf(op.Operands[0].Type)
	return slices.ContainsFunc(op.Operands, func(v *mlir.Value) bool { return !mlir.SameType(elemOf(v.Type), elem) })
}

func (w *writer) in(op *mlir.Operation) []*mlir.Value {
	out := make([]*mlir.Value, len(op.Operands))
	for i, v := range op.Operands {
		out[i] = w.value(v)
	}
	return out
}

// value returns the new form of a value. A tensor of unspecified contents is zeros.
func (w *writer) value(v *mlir.Value) *mlir.Value {
	if n := w.values[v]; n != nil {
		return n
	}
	if v.Def != nil && v.Def.Name == "tensor.empty" {
		t := v.Type.(mlir.TensorType)
		n := w.broadcast(w.number(0, t.Elem), t.Shape, nil)
		w.values[v] = n
		return n
	}
	w.fail("uses a value that is not known here")
	return nil
}

func (w *writer) set(op *mlir.Operation, v *mlir.Value) {
	w.values[op.Result()] = v
}

// create appends an operation of the dialect, or of chlo if the name says so.
func (w *writer) create(name string, t mlir.Type, attrs mlir.Attrs, operands ...*mlir.Value) *mlir.Value {
	if !slices.Contains([]byte(name), '.') {
		name = "stablehlo." + name
	}
	return w.b.Create(name, operands, []mlir.Type{t}, attrs).Result()
}

// elemOf is the element type that a value has as a tensor; an index is an i64.
func elemOf(t mlir.Type) mlir.Type {
	switch t := t.(type) {
	case mlir.TensorType:
		return elemOf(t.Elem)
	case mlir.IndexType:
		return mlir.I64
	}
	return t
}

func shapeOf(t mlir.Type) []int {
	if t, ok := t.(mlir.TensorType); ok {
		return t.Shape
	}
	return []int{}
}

func tensor(elem mlir.Type, dims []int) mlir.TensorType {
	return mlir.TensorType{Shape: dims, Elem: elem}
}

// constant appends a constant; a number becomes a tensor without dimensions.
func (w *writer) constant(a mlir.Attribute) *mlir.Value {
	t := mlir.TypeOf(a)
	switch a := a.(type) {
	case mlir.IntegerAttr:
		return w.literal(mlir.DenseInts(tensor(elemOf(t), []int{}), []int64{a.Value}))
	case mlir.FloatAttr:
		return w.literal(mlir.DenseFloats(tensor(t, []int{}), []float64{a.Value}))
	case mlir.DenseAttr, mlir.ResourceAttr:
		return w.literal(a)
	}
	w.fail("a constant of type %v", t)
	return nil
}

func (w *writer) literal(a mlir.Attribute) *mlir.Value {
	return w.create("constant", mlir.TypeOf(a), mlir.Attrs{{Name: "value", Value: a}})
}

// number is a constant without dimensions.
func (w *writer) number(v float64, elem mlir.Type) *mlir.Value {
	if _, ok := elem.(mlir.FloatType); ok {
		return w.literal(mlir.DenseFloats(tensor(elem, []int{}), []float64{v}))
	}
	return w.literal(mlir.DenseInts(tensor(elemOf(elem), []int{}), []int64{int64(v)}))
}
