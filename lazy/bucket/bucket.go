package bucket

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/ops"
)

// Program is the program of a bucket: it computes for every extent up to the bucket's, on padded inputs.
type Program struct {
	// Module computes with padded inputs. Its arguments are the arguments of the exact program, and then the numbers
	// that [Program.Fit] returns.
	Module *mlir.Operation

	own     *program
	params  []param
	results []ops.TensorType
	which   map[int]int // the parameter that is at a token
}

// param is a number that depends on an extent.
type param struct {
	float  bool
	bucket uint64 // in the bucket's program
	other  uint64 // in the witness's form
	alone  bool   // of one number; extents share what is equal
	input  *mlir.Value
}

// New makes the program of a bucket from its lowered form and the lowered form of a witness. Both are consumed. The
// error says why there is none.
func New(bucket, witness *mlir.Operation) (*Program, error) {
	a, err := read(bucket)
	if err != nil {
		return nil, err
	}
	b, err := read(witness)
	if err != nil {
		return nil, err
	}
	p := &Program{Module: bucket, own: a, which: map[int]int{}}
	if err := same(a, b, func(i int, x, y token) error {
		if x.role == isFixed {
			return at(x.op, "depends on an extent in a way that no mask mends")
		}
		k := 0
		if x.role == isNumber || x.role == isOffset { // which may be equal by chance
			k = len(p.params)
		}
		for k < len(p.params) && (p.params[k].alone || p.params[k].float != x.float || p.params[k].bucket != x.bits || p.params[k].other != y.bits) {
			k++
		}
		if k == len(p.params) {
			p.params = append(p.params, param{float: x.float, bucket: x.bits, other: y.bits,
				alone: x.role == isNumber || x.role == isOffset})
		}
		p.which[i] = k
		return nil
	}); err != nil {
		return nil, err
	}
	if len(p.params) == 0 {
		return nil, fmt.Errorf("nothing depends on the extent")
	}
	end := a.main.Body().Terminator()
	for _, v := range end.Operands {
		p.results = append(p.results, ops.OfIR(v).Type())
	}
	return p, p.mask()
}

// Results returns the types of the results.
func (p *Program) Results() []ops.TensorType { return p.results }

// same compares two programs and calls differ for every number that differs.
func same(a, b *program, differ func(i int, x, y token) error) error {
	for i := range min(len(a.tokens), len(b.tokens)) {
		x, y := a.tokens[i], b.tokens[i]
		switch {
		case x.text != y.text || x.number != y.number || x.float != y.float:
			return at(x.op, fmt.Sprintf("another extent gives other operations: %q instead of %q", y.text, x.text))
		case x.bits != y.bits:
			if err := differ(i, x, y); err != nil {
				return err
			}
		}
	}
	if len(a.tokens) != len(b.tokens) {
		return fmt.Errorf("another extent gives other operations")
	}
	return nil
}

func at(op *mlir.Operation, detail string) error {
	if op == nil {
		return fmt.Errorf("%s", detail)
	}
	name := op.Loc.Operator
	if name == "" {
		name = op.Name
	}
	if where := op.Loc.Short(); where != "" {
		return fmt.Errorf("%s at %s: %s", name, where, detail)
	}
	return fmt.Errorf("%s: %s", name, detail)
}

// Exact is a program for its extents.
type Exact struct{ p *program }

// Read reads a lowered module. More than one function, as calls on the host make, is an error.
func Read(module *mlir.Operation) (*Exact, error) {
	p, err := read(module)
	return &Exact{p}, err
}

// Structure is a hash of the program without numbers and extents: programs that one bucket serves
// have it in common.
func (e *Exact) Structure() ops.Hash {
	h := ops.Hash{Lo: 11, Hi: 13}
	for _, t := range e.p.tokens {
		if t.number {
			h = h.Mix(uint64(t.role))
		} else {
			h = h.Text(t.text)
		}
	}
	return h
}

// Fit compares a program for exact extents with the program of the bucket. It returns scalars (i64 or f64), the further
// inputs with which the bucket's program computes the same results. An error says that the two programs differ in more
// than such numbers.
func (p *Program) Fit(exact *Exact) ([]*buf.Buffer, error) {
	e, b := exact.p, p.own
	values := make([]uint64, len(p.params))
	set := make([]bool, len(p.params))
	for k := range p.params {
		values[k] = p.params[k].bucket
	}
	for _, i := range slices.Sorted(maps.Keys(p.which)) {
		k := p.which[i]
		if i >= len(e.tokens) {
			return nil, fmt.Errorf("the extent gives other operations")
		}
		v := e.tokens[i].bits
		if b.tokens[i].role == isExtent && int64(v) > int64(b.tokens[i].bits) {
			return nil, at(b.tokens[i].op, "the value is larger than the bucket's")
		}
		if set[k] && values[k] != v {
			return nil, at(e.tokens[i].op, "numbers that are equal for other extents differ")
		}
		values[k], set[k] = v, true
	}
	if err := same(b, e, func(i int, x, y token) error {
		if _, ok := p.which[i]; !ok {
			return at(y.op, "a number differs that does not depend on the extent otherwise")
		}
		return nil
	}); err != nil {
		return nil, err
	}
	inputs := make([]*buf.Buffer, len(values))
	for k, v := range values {
		if p.params[k].float {
			inputs[k] = buf.New(dtype.F64, nil)
			inputs[k].SetFloat64(0, math.Float64frombits(v))
		} else {
			inputs[k] = buf.New(dtype.I64, nil)
			inputs[k].SetInt64(0, int64(v))
		}
	}
	return inputs, nil
}
