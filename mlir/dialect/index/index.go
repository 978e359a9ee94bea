package index

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/assembly"
)

var binary = []string{"add", "sub", "mul", "divs", "divu", "ceildivs", "ceildivu", "floordivs", "rems", "remu",
	"maxs", "maxu", "mins", "minu", "shl", "shrs", "shru", "and", "or", "xor"}

var commutative = map[string]bool{"add": true, "mul": true, "maxs": true, "maxu": true, "mins": true,
	"minu": true, "and": true, "or": true, "xor": true}

// knownPredicate checks the word of a comparison.
func knownPredicate(op *mlir.Operation) error {
	text := op.Attrs.Get("pred").String()
	words := strings.FieldsFunc(text, func(c rune) bool { return strings.ContainsRune("#<> ", c) })
	if len(words) > 0 && slices.Contains(predicates, words[len(words)-1]) {
		return nil
	}
	return fmt.Errorf("has the unknown predicate %s, expected one of %s", text, strings.Join(predicates, ", "))
}

// converts checks that one side is an index and the other an integer.
func converts(op *mlir.Operation) error {
	from, to := op.Operands[0].Type, op.Results[0].Type
	if mlir.SameType(from, mlir.Index) == mlir.SameType(to, mlir.Index) {
		return fmt.Errorf("cannot convert %s to %s", from, to)
	}
	return nil
}

var predicates = []string{"eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"}

func init() {
	ops := []assembly.Op{
		{Name: "index.casts", Traits: mlir.Pure, Operands: "input is index | int", Results: "output is index | int", Verify: converts,
			Format: "$input attr-dict `:` type($input) `to` type($output)"},
		{Name: "index.castu", Traits: mlir.Pure, Operands: "input is index | int", Results: "output is index | int", Verify: converts,
			Format: "$input attr-dict `:` type($input) `to` type($output)"},
		{Name: "index.cmp", Traits: mlir.Pure, Operands: "lhs: index, rhs: index", Results: "result: i1",
			Attrs: "pred: word(index<cmp_predicate>)", Verify: knownPredicate,
			Format: "$pred `(` $lhs `,` $rhs `)` attr-dict"},
		{Name: "index.sizeof", Traits: mlir.Pure, Results: "result: index", Format: "attr-dict"},
	}
	for _, name := range binary {
		traits := mlir.Pure
		if commutative[name] {
			traits |= mlir.Commutative
		}
		ops = append(ops, assembly.Op{Name: "index." + name, Traits: traits,
			Operands: "lhs: index, rhs: index", Results: "result: index", Format: "$lhs `,` $rhs attr-dict"})
	}
	const constant = mlir.Pure | mlir.ConstantLike
	number := assembly.Op{Name: "index.constant", Traits: constant, Results: "result: index",
		Attrs: "value: index", Format: "attr-dict $value"}.Def()
	number.ResultName = func(op *mlir.Operation, _ int) string {
		v, _ := op.Attrs.Get("value").(mlir.IntegerAttr)
		return "idx" + strconv.FormatInt(v.Value, 10)
	}
	truth := assembly.Op{Name: "index.bool.constant", Traits: constant, Results: "result: i1",
		Attrs: "value: bool", Format: "attr-dict $value"}.Def()
	truth.ResultName = func(op *mlir.Operation, _ int) string {
		v, _ := op.Attrs.Get("value").(mlir.IntegerAttr)
		return strconv.FormatBool(v.Value != 0)
	}
	assembly.Register("index", ops, number, truth)
}
