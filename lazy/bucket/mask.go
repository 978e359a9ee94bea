package bucket

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-acap/acap/mlir"
)

// masker rewrites the bucket's program.
type masker struct {
	p       *Program
	main    *mlir.Block
	out     []*mlir.Operation           // of main, so far
	extents map[*mlir.Value][]int       // the parameters of a value's dimensions, or -1; nil if all are -1
	numbers map[*mlir.Operation]int     // the parameters of constants
	offsets map[*mlir.Operation][]int   // the parameters of slices' offsets, or -1
	now     map[*mlir.Value]*mlir.Value // what stands for replaced values
	loc     mlir.Location
}

// mask turns what depends on the extent into inputs, and masks what padding would change.
func (p *Program) mask() error {
	m := &masker{p: p, main: p.own.main.Body(), extents: map[*mlir.Value][]int{}, numbers: map[*mlir.Operation]int{},
		offsets: map[*mlir.Operation][]int{}, now: map[*mlir.Value]*mlir.Value{}}
	list := func(n int) []int {
		out := make([]int, n)
		for i := range out {
			out[i] = -1
		}
		return out
	}
	for i, k := range p.which {
		switch t := p.own.tokens[i]; t.role {
		case isExtent:
			if m.extents[t.value] == nil {
				m.extents[t.value] = list(len(t.value.Type.(mlir.TensorType).Shape))
			}
			m.extents[t.value][t.dim] = k
		case isNumber:
			m.numbers[t.op] = k
		case isOffset:
			if m.offsets[t.op] == nil {
				offsets, _ := mlir.IntList(t.op.Attrs.Get("static_offsets"))
				m.offsets[t.op] = list(len(offsets))
			}
			m.offsets[t.op][t.dim] = k
		}
	}
	var inputs []mlir.Type
	for k := range p.params {
		t := mlir.TensorType{Elem: mlir.I64}
		if p.params[k].float {
			t.Elem = mlir.F64
		}
		p.params[k].input = m.main.AddArg(t)
	}
	for _, a := range m.main.Args {
		inputs = append(inputs, a.Type)
	}
	ops := m.main.Ops
	for _, op := range ops {
		m.loc = op.Loc
		op.Walk(func(inner *mlir.Operation) { inner.ReplaceUses(m.now) }) // bodies read values of outside
		if err := m.operation(op); err != nil {
			return err
		}
	}
	m.main.Ops = m.out
	f := p.own.main
	t, _ := f.Attrs.Get("function_type").(mlir.TypeAttr)
	signature, _ := t.Type.(mlir.FunctionType)
	signature.Inputs = inputs
	f.Attrs = f.Attrs.With("function_type", mlir.TypeAttr{Type: signature})
	if marks, ok := f.Attrs.Get("arg_attrs").(mlir.ArrayAttr); ok {
		for range p.params {
			marks = append(marks[:len(marks):len(marks)], mlir.DictAttr{})
		}
		f.Attrs = f.Attrs.With("arg_attrs", marks)
	}
	return nil
}

// keep appends an operation to the program.
func (m *masker) keep(op *mlir.Operation) *mlir.Operation {
	op.Block = m.main
	if op.Loc.IsUnknown() {
		op.Loc = m.loc
	}
	m.out = append(m.out, op)
	return op
}

// replace lets a value stand for the result of an operation that goes.
func (m *masker) replace(op *mlir.Operation, v *mlir.Value) {
	m.now[op.Result()] = v
	m.extents[v] = m.extents[op.Result()]
}

// padded reports whether a value has padding.
func (m *masker) padded(v *mlir.Value) bool { return m.extents[v] != nil }

// extent is the parameter of a dimension of a value, or -1.
func (m *masker) extent(v *mlir.Value, d int) int {
	if e := m.extents[v]; e != nil {
		return e[d]
	}
	return -1
}

func shapeOf(v *mlir.Value) []int {
	t, _ := v.Type.(mlir.TensorType)
	return t.Shape
}

func (m *masker) operation(op *mlir.Operation) error {
	some := slices.ContainsFunc(op.Operands, m.padded) || slices.ContainsFunc(op.Results, m.padded)
	switch {
	case op.Name == "linalg.generic":
		return m.generic(op)
	case op.Name == "arith.constant":
		m.keep(op)
		return nil
	case m.takesNumber(op):
		if op.Name != "linalg.fill" {
			return at(op, "takes a number that depends on the extent")
		}
		return m.fill(op)
	case !some && m.offsets[op] == nil:
		m.keep(op)
		return nil
	}
	switch op.Name {
	case "tensor.empty", "linalg.fill", "linalg.transpose", "tensor.bitcast", "acap.after", "func.return":
		m.keep(op)
		return nil
	case "linalg.matmul":
		return m.product(op, 1, 0)
	case "linalg.batch_matmul":
		return m.product(op, 2, 1)
	case "tensor.expand_shape":
		return m.reshape(op, op.Result(), op.Operands[0])
	case "tensor.collapse_shape":
		return m.reshape(op, op.Operands[0], op.Result())
	case "tensor.extract_slice":
		return m.extractSlice(op)
	case "tensor.insert_slice":
		return m.insertSlice(op)
	case "tensor.pad":
		return m.pad(op)
	case "acap.scan":
		m.keep(op) // runs from the front
		return nil
	case "acap.sort":
		axis, _ := op.Attrs.Get("axis").(mlir.IntegerAttr)
		if m.extent(op.Operands[0], int(axis.Value)) >= 0 {
			return at(op, "sorts along a padded dimension")
		}
		m.keep(op)
		return nil
	case "acap.scatter":
		return m.scatter(op)
	case "acap.unpack":
		if m.extent(op.Operands[0], len(shapeOf(op.Operands[0]))-1) >= 0 {
			return at(op, "unpacks blocks along a padded dimension")
		}
		m.keep(op)
		return nil
	case "acap.rng":
		if !m.outermost(op.Result()) {
			return at(op, "random numbers are counted along a padded dimension")
		}
		m.keep(op)
		return nil
	}
	if strings.HasPrefix(op.Name, "linalg.conv") {
		if m.onlyFirst(op.Operands[0]) && !m.padded(op.Operands[1]) && m.onlyFirst(op.Result()) {
			m.keep(op)
			return nil
		}
		return at(op, "a window moves along a padded dimension")
	}
	return at(op, fmt.Sprintf("nothing is known of padding in %s", op.Name))
}

// takesNumber reports whether an operand is a constant that depends on the extent.
func (m *masker) takesNumber(op *mlir.Operation) bool {
	return slices.ContainsFunc(op.Operands, func(v *mlir.Value) bool {
		_, ok := m.numbers[v.Def]
		return ok
	})
}

// outermost reports whether padding is in the first dimension that has more than one element.
func (m *masker) outermost(v *mlir.Value) bool {
	outer := true
	for d, n := range shapeOf(v) {
		if k := m.extent(v, d); k >= 0 && !outer {
			return false
		} else if k >= 0 || n != 1 {
			outer = false
		}
	}
	return true
}

// onlyFirst reports whether no dimension but the first is padded.
func (m *masker) onlyFirst(v *mlir.Value) bool {
	for d := range shapeOf(v) {
		if d > 0 && m.extent(v, d) >= 0 {
			return false
		}
	}
	return true
}

// reshape keeps what is valid in front. Elements stay where they are if the padded dimensions of the longer shape are
// each the outermost of their group; otherwise they move.
func (m *masker) reshape(op *mlir.Operation, long, short *mlir.Value) error {
	groups, _ := op.Attrs.Get("reassociation").(mlir.ArrayAttr)
	inFront := true
	for i, g := range groups {
		dims, _ := mlir.IntList(g)
		outer := true
		some := false
		for _, d := range dims {
			if m.extent(long, d) >= 0 {
				inFront = inFront && outer
				some = true
			}
			if shapeOf(long)[d] != 1 || m.extent(long, d) >= 0 {
				outer = false
			}
		}
		if some != (m.extent(short, i) >= 0) {
			return at(op, "merges or splits a padded dimension with another")
		}
	}
	if inFront {
		m.keep(op)
		return nil
	}
	m.replace(op, m.moved(op, groups, long, short))
	return nil
}

// moved is the result of a reshape whose elements move. An element of the result is the element of the operand that has
// as many valid elements before it.
func (m *masker) moved(op *mlir.Operation, groups mlir.ArrayAttr, long, short *mlir.Value) *mlir.Value {
	from := op.Operands[0]
	return m.pointwise(op.Result().Type.(mlir.TensorType), nil, func(b *body, at, _ []*mlir.Value) *mlir.Value {
		places := make([]*mlir.Value, len(shapeOf(from)))
		for i, g := range groups {
			dims, _ := mlir.IntList(g)
			if from == short {
				places[i] = b.clamp(b.before(m, long, dims, at), shapeOf(short)[i])
				continue
			}
			left := at[i]
			for k := len(dims) - 1; k > 0; k-- {
				n := b.op("arith.maxsi", mlir.I64, nil, b.extentOf(m, long, dims[k]), b.int(1))
				places[dims[k]] = b.op("arith.remsi", mlir.I64, nil, left, n)
				left = b.op("arith.divsi", mlir.I64, nil, left, n)
			}
			places[dims[0]] = b.clamp(left, shapeOf(long)[dims[0]])
		}
		return b.read(from, places)
	})
}

// before counts the elements of some dimensions of a value that are before a place.
func (b *body) before(m *masker, v *mlir.Value, dims []int, at []*mlir.Value) *mlir.Value {
	count := at[dims[0]]
	for _, d := range dims[1:] {
		count = b.op("arith.addi", mlir.I64, nil, b.op("arith.muli", mlir.I64, nil, count, b.extentOf(m, v, d)), at[d])
	}
	return count
}
