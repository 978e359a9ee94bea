package bucket

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/ops"
)

// Dim is a dimension of an argument of a program.
type Dim struct{ Argument, Dim int }

// Guess says which numbers of calls may be extents, beside those in lists of sizes. [Program.Fit] verifies what is
// guessed.
type Guess struct {
	Counts bool // numbers that may count elements, such as the divisor of a mean's gradient
	Parts  bool // ends of parts of what has no other extent: the positions 0 to n of a table
}

// Retype writes a program of the aten dialect for other extents of some dimensions of its arguments.
// Sizes of calls that are extents are replaced as far as the calls accept it. Control flow is an error, and so is a
// call that has no form for the other extents.
func Retype(module *mlir.Operation, extents map[Dim]int, guess Guess) (*mlir.Operation, error) {
	funcs := module.Funcs()
	if len(funcs) != 1 || len(funcs[0].Regions[0].Blocks) != 1 {
		return nil, fmt.Errorf("the program has control flow")
	}
	old := funcs[0]
	r := &retyper{guess: guess, values: map[*mlir.Value]*mlir.Value{}}
	var inputs []mlir.Type
	for i, a := range old.Body().Args {
		t, ok := a.Type.(mlir.TensorType)
		if !ok {
			return nil, fmt.Errorf("argument %d is no tensor", i)
		}
		t.Shape = slices.Clone(t.Shape)
		for d := range t.Shape {
			if n, changed := extents[Dim{i, d}]; changed && n != t.Shape[d] {
				r.pairs = append(r.pairs, [2]int{t.Shape[d], n})
				t.Shape[d] = n
			}
		}
		inputs = append(inputs, t)
	}
	out := mlir.NewModule()
	f := mlir.NewOp("func.func", nil, nil, slices.Clone(old.Attrs))
	out.Body().Append(f)
	r.block = f.AddRegion().AddBlock(inputs...)
	for i, a := range old.Body().Args {
		r.values[a] = r.block.Args[i]
	}
	var results []mlir.Type
	for _, op := range old.Body().Ops {
		if op.Name == "func.return" {
			end := mlir.NewOp(op.Name, r.operands(op), nil, nil)
			for _, v := range end.Operands {
				results = append(results, v.Type)
			}
			r.block.Append(end)
			break
		}
		if err := r.operation(op); err != nil {
			return nil, at(op, fmt.Sprintf("the program cannot be written for another length: %v. A constant has the length, "+
				"or a number that also means something else", err))
		}
	}
	f.Attrs = f.Attrs.With("function_type", mlir.TypeAttr{Type: mlir.FunctionType{Inputs: inputs, Results: results}})
	return out, nil
}

type retyper struct {
	block  *mlir.Block
	values map[*mlir.Value]*mlir.Value
	pairs  [][2]int // extents before and after
	guess  Guess
}

func (r *retyper) operands(op *mlir.Operation) []*mlir.Value {
	out := make([]*mlir.Value, len(op.Operands))
	for i, v := range op.Operands {
		out[i] = r.values[v]
	}
	return out
}

// operation writes a call with new numbers: the first candidates that the call accepts and that keep an argument which
// covers a whole dimension covering it, such as the end of a slice; or else the first candidates that the call accepts.
func (r *retyper) operation(op *mlir.Operation) error {
	call, err := ops.FromOperation(op, ops.OfIR)
	if err != nil {
		return err
	}
	pairs := r.pairs
	changed := false
	for _, v := range op.Operands {
		was, is := v.Type.(mlir.TensorType), r.values[v].Type.(mlir.TensorType)
		for d := range was.Shape {
			if was.Shape[d] != is.Shape[d] {
				changed = true
				if p := [2]int{was.Shape[d], is.Shape[d]}; !slices.Contains(pairs, p) {
					pairs = append([][2]int{p}, pairs...)
				}
			}
		}
	}
	guesses := guesses
	if r.guess.Parts && !changed {
		guesses = append([]func(ops.Arg, [][2]int) ops.Arg{guesses[2]}, guesses...)
	}
	if k := r.placed(op, call, pairs); k > 0 {
		guesses = append([]func(ops.Arg, [][2]int) ops.Arg{only(k)}, guesses...)
	}
	var first *ops.Call
	for _, guess := range guesses {
		c, failed := r.guessed(call, guess, pairs, changed)
		if failed != nil {
			err = failed
			continue
		}
		if first == nil {
			first = c
		}
		if r.keepsWhole(call, c) {
			first = c
			break
		}
	}
	if first == nil {
		return err
	}
	made := first.Operation(ops.ToIR)
	made.Loc = op.Loc
	r.block.Append(made)
	for i, v := range op.Results {
		r.values[v] = made.Results[i]
	}
	return nil
}

// guessed is a call with guessed numbers. The error says why there is none.
func (r *retyper) guessed(call *ops.Call, guess func(ops.Arg, [][2]int) ops.Arg, pairs [][2]int, changed bool) (*ops.Call, error) {
	args := call.Map(r.value)
	for i, p := range call.Op.Parsed().Params {
		if strings.Contains(p.Name, "dim") && p.Type == ops.TypeInt {
			continue // which dimension it is does not depend on extents
		}
		if v := args[i].Open(); v != nil {
			args[i] = ops.OpenArg(args[i].Kind, r.value(v))
			continue
		}
		args[i] = guess(args[i], pairs)
		if r.guess.Counts && p.Type == ops.TypeScalar {
			args[i] = counted(args[i], pairs)
		}
	}
	c := &ops.Call{Op: call.Op, Args: args}
	if err := c.Init(); err != nil {
		if _, open := err.(*ops.OpenError); !open {
			return nil, err
		}
		c.Out = nil
		for _, t := range call.Out {
			t.Shape = slices.Clone(t.Shape)
			for d, n := range t.Shape {
				if changed {
					t.Shape[d] = replaced(n, pairs, false)
				}
			}
			c.Out = append(c.Out, t)
		}
	}
	if !alike(call, c) {
		return nil, errors.New("another extent gives results of other ranks")
	}
	return c, nil
}

// value is the value that stands for an operand of the program in the program that is written.
func (r *retyper) value(v ops.Value) ops.Value { return ops.IRValue{V: r.values[ops.ToIR(v)]} }

// keepsWhole reports whether a slice that takes all of a dimension does so for the other extent, too.
func (r *retyper) keepsWhole(call, other *ops.Call) bool {
	if name := call.Op.Name(); name != "slice.Tensor" && name != "narrow" && name != "narrow_copy" {
		return true
	}
	was, is := call.Out[0].Shape, other.Out[0].Shape
	for d, n := range call.Shape(0) {
		if was[d] == n && is[d] != other.Shape(0)[d] {
			return false
		}
	}
	return true
}

// placed returns which of the numbers of a reshape that are an extent stands where the extent does in the operand: with
// as many elements before it. It is 0 for other calls, and where there is none.
func (r *retyper) placed(op *mlir.Operation, call *ops.Call, pairs [][2]int) int {
	name := call.Op.Name()
	if name != "view" && name != "reshape" && name != "_unsafe_view" || len(op.Operands) == 0 || call.Args[1].Kind != ops.KindInts {
		return 0
	}
	was, is := op.Operands[0].Type.(mlir.TensorType).Shape, r.values[op.Operands[0]].Type.(mlir.TensorType).Shape
	before := 1
	for d, n := range was {
		if n != is[d] {
			break
		}
		before *= n
	}
	product, k := 1, 0
	for _, n := range call.Args[1].Ints() {
		if replaced(n, pairs, false) != n {
			if product == before {
				return k
			}
			k++
		}
		product *= n // an open size, -1, gives no number of elements
	}
	return 0
}

// alike reports whether two calls have results of the same element types and ranks.
func alike(a, b *ops.Call) bool {
	if len(a.Out) != len(b.Out) {
		return false
	}
	for i := range a.Out {
		if a.Out[i].DType != b.Out[i].DType || len(a.Out[i].Shape) != len(b.Out[i].Shape) {
			return false
		}
	}
	return true
}

// guesses replace numbers of a call, the likeliest first: lists of extents, also their products,
// also single numbers, one of a list that has the number several times by chance, nothing.
var guesses = []func(a ops.Arg, pairs [][2]int) ops.Arg{
	func(a ops.Arg, pairs [][2]int) ops.Arg { return inLists(a, pairs, false) },
	func(a ops.Arg, pairs [][2]int) ops.Arg { return inLists(a, pairs, true) },
	func(a ops.Arg, pairs [][2]int) ops.Arg {
		if a.Kind == ops.KindInt {
			return ops.IntArg(replaced(a.Int(), pairs, false))
		}
		return inLists(a, pairs, false)
	},
	only(0), only(1), only(2), only(3),
	func(a ops.Arg, _ [][2]int) ops.Arg { return a },
}

// only replaces one number of a list: the number before which a given count could be replaced.
func only(skip int) func(a ops.Arg, pairs [][2]int) ops.Arg {
	return func(a ops.Arg, pairs [][2]int) ops.Arg {
		if a.Kind != ops.KindInts {
			return a
		}
		list, left := slices.Clone(a.Ints()), skip
		for i, n := range list {
			if r := replaced(n, pairs, false); r != n {
				if left == 0 {
					list[i] = r
					break
				}
				left--
			}
		}
		return ops.IntsArg(list)
	}
}

// counted replaces a number that is a multiple of an extent, or one over it.
func counted(a ops.Arg, pairs [][2]int) ops.Arg {
	multiple := func(v float64) (float64, bool) {
		for _, p := range pairs {
			if k := v / float64(p[0]); p[0] > 1 && k >= 1 && k == math.Trunc(k) && k < 1<<31 {
				return k * float64(p[1]), true
			}
		}
		return v, false
	}
	switch a.Kind {
	case ops.KindInt:
		if v, ok := multiple(float64(a.Int())); ok {
			return ops.IntArg(int(v))
		}
	case ops.KindFloat:
		if v, ok := multiple(a.Float()); ok {
			return ops.FloatArg(v)
		}
		if v, ok := multiple(math.Round(1 / a.Float())); ok && a.Float() == 1/math.Round(1/a.Float()) {
			return ops.FloatArg(1 / v)
		}
	}
	return a
}

func inLists(a ops.Arg, pairs [][2]int, products bool) ops.Arg {
	if a.Kind != ops.KindInts {
		return a
	}
	list := slices.Clone(a.Ints())
	for i, n := range list {
		list[i] = replaced(n, pairs, products)
	}
	return ops.IntsArg(list)
}

func replaced(n int, pairs [][2]int, products bool) int {
	for _, p := range pairs {
		if n == p[0] {
			return p[1]
		}
	}
	if products {
		for _, p := range pairs {
			if p[0] > 1 && n > p[0] && n%p[0] == 0 {
				return n / p[0] * p[1]
			}
		}
	}
	return n
}
