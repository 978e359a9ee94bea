package reference

import (
	"fmt"
	"strings"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/linalg"
)

// evaluator holds the values that have been computed.
type evaluator struct{ env map[*mlir.Value]*buf.Buffer }

// Run evaluates a func.func of one block on tensors. An operation that is not evaluated is an error with its place.
func Run(f *mlir.Operation, inputs []*buf.Buffer) ([]*buf.Buffer, error) {
	e := &evaluator{env: map[*mlir.Value]*buf.Buffer{}}
	body := f.Body()
	if body == nil || len(inputs) != len(body.Args) {
		return nil, fmt.Errorf("reference: %d inputs for the function", len(inputs))
	}
	for i, a := range body.Args {
		e.env[a] = inputs[i]
	}
	for _, op := range body.Ops {
		if op.Name == "func.return" {
			var out []*buf.Buffer
			for _, v := range op.Operands {
				out = append(out, e.env[v].Clone())
			}
			return out, nil
		}
		if err := e.operation(op); err != nil {
			return nil, op.Errorf("%w", err)
		}
	}
	return nil, fmt.Errorf("reference: the function does not return")
}

// Operation evaluates one operation; env has the values that the operation and its regions use, in row-major order. An
// operation that is not evaluated is an error.
func Operation(op *mlir.Operation, env map[*mlir.Value]*buf.Buffer) ([]*buf.Buffer, error) {
	e := &evaluator{env: env}
	if err := e.operation(op); err != nil {
		return nil, err
	}
	var out []*buf.Buffer
	for _, r := range op.Results {
		out = append(out, e.env[r])
	}
	return out, nil
}

func newBuffer(t mlir.Type) (*buf.Buffer, error) {
	d, dims := mlir.DTypeOf(elem(t)), []int{}
	if tt, ok := t.(mlir.TensorType); ok {
		dims = tt.Shape
	}
	if n, ok := mlir.NumElements(dims); !ok || n > 1<<32 || !d.Valid() || d.IsComplex() {
		return nil, fmt.Errorf("value of type %s", t)
	}
	return buf.New(d, dims), nil
}

func (e *evaluator) operation(op *mlir.Operation) error {
	for _, v := range op.Operands {
		if e.env[v] == nil {
			return fmt.Errorf("an operand has no value")
		}
	}
	if strings.HasPrefix(op.Name, "scf.") {
		return e.control(op)
	}
	var results []*buf.Buffer
	for _, r := range op.Results {
		b, err := newBuffer(r.Type)
		if err != nil {
			return err
		}
		results = append(results, b)
		e.env[r] = b
	}
	switch {
	case op.Name == "arith.constant":
		return constant(op, results[0])
	case strings.HasPrefix(op.Name, "linalg."):
		return e.structured(op, results)
	case strings.HasPrefix(op.Name, "tensor."):
		return e.tensorOp(op, results)
	case strings.HasPrefix(op.Name, "acap."):
		return e.ordered(op, results)
	}
	return e.elementwise(op, results)
}

func constant(op *mlir.Operation, out *buf.Buffer) error {
	var data []byte
	switch a := op.Attrs.Get("value").(type) {
	case mlir.DenseAttr:
		data = a.Data
	case mlir.ResourceAttr:
		data = a.Data
	case mlir.IntegerAttr:
		store(out, 0, intOf(out.DType, a.Value))
		return nil
	case mlir.FloatAttr:
		store(out, 0, floatOf(out.DType, a.Value))
		return nil
	}
	if len(data) == 0 && out.Len() > 0 {
		return fmt.Errorf("constant without data")
	}
	for i := 0; i < len(out.Bytes()); i += len(data) {
		copy(out.Bytes()[i:], data)
	}
	return nil
}

// elementwise evaluates arith and math on whole tensors and on scalars.
func (e *evaluator) elementwise(op *mlir.Operation, results []*buf.Buffer) error {
	if len(results) == 0 {
		return fmt.Errorf("operation is not supported")
	}
	x := make([]number, len(op.Operands))
	for i := range results[0].Len() {
		for k, v := range op.Operands {
			b := e.env[v]
			x[k] = load(b, i%max(b.Len(), 1), mlir.DTypeOf(elem(v.Type)))
		}
		y, ok := scalarOp(op, x)
		if !ok {
			return fmt.Errorf("operation is not supported")
		}
		for k := range results {
			store(results[k], i, y[k])
		}
	}
	return nil
}

// structured evaluates a linalg operation at every point of its loops, in order.
func (e *evaluator) structured(op *mlir.Operation, results []*buf.Buffer) error {
	if op.Name == "linalg.fill" {
		for i := range results[0].Len() {
			store(results[0], i, load(e.env[op.Operands[0]], 0, results[0].DType))
		}
		return nil
	}
	maps := linalg.IndexingMaps(op)
	if len(maps) != len(op.Operands) || len(maps) == 0 {
		return fmt.Errorf("no indexing maps")
	}
	ins := len(op.Operands) - len(results)
	extents := make([]int, maps[0].Dims)
	for i, m := range maps {
		dims := e.env[op.Operands[i]].Shape
		for k, x := range m.Results {
			if x.Kind == mlir.AffineDim {
				extents[x.Value] = dims[k]
			}
		}
	}
	for i := range results {
		copy(results[i].Bytes(), e.env[op.Operands[ins+i]].Bytes())
	}
	body, err := e.payload(op)
	if err != nil {
		return err
	}
	args := make([]number, len(maps))
	return shape.Points(extents, func(point []int) error {
		at := make([]int, len(maps))
		for i, v := range op.Operands {
			b := e.env[v]
			if i >= ins {
				b = results[i-ins]
			}
			strides := shape.Strides(b.Shape)
			for k, x := range maps[i].Results {
				index := affine(x, point, maps[i].Dims)
				if index < 0 || index >= b.Shape[k] {
					return fmt.Errorf("index %d of operand %d", index, i)
				}
				at[i] += index * strides[k]
			}
			args[i] = number{}
			if b.Len() > 0 && !(i < ins && strings.HasPrefix(op.Name, "linalg.pooling") && i == 1) {
				args[i] = load(b, at[i], mlir.DTypeOf(elem(v.Type)))
			}
		}
		y, err := body(point, args)
		if err != nil {
			return err
		}
		for i := range results {
			store(results[i], at[ins+i], y[i])
		}
		return nil
	})
}

// pointFunc computes the outputs at a point from the elements of the operands.
type pointFunc func(point []int, args []number) ([]number, error)

// payload returns the body of an operation; a matrix product may leave it out.
func (e *evaluator) payload(op *mlir.Operation) (pointFunc, error) {
	if body := op.Body(); body != nil {
		b, err := e.compile(body)
		if err != nil {
			return nil, err
		}
		return func(point []int, args []number) ([]number, error) {
			b.point = point
			return b.run(args)
		}, nil
	}
	if len(op.Operands) != 3 || strings.Contains(op.Name, "pooling") {
		return nil, fmt.Errorf("operation without a body")
	}
	cast := op.Attrs.Get("cast")
	unsigned := cast != nil && strings.Contains(cast.String(), "unsigned")
	return func(_ []int, x []number) ([]number, error) {
		d := x[2].d
		a, b := x[0].as(d, unsigned), x[1].as(d, unsigned)
		if d.IsFloat() {
			return []number{floatOf(d, x[2].f+float64(a.f*b.f))}, nil
		}
		return []number{intOf(d, x[2].i+a.i*b.i)}, nil
	}, nil
}
