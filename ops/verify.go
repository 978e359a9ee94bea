package ops

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/aten"
)

func init() { aten.SetVerifier(verifyOperation, hasEffects) }

// verifyOperation checks an operation of the aten dialect against its schema and
// the result types that follow from its operands. Names that are not in the set
// pass: an operator of another spelling or version is an error where it must run.
func verifyOperation(op *mlir.Operation) error {
	if Lookup(op.Name) == nil || Spelled2019(op) {
		return nil
	}
	for i, v := range op.Operands {
		t := (IRValue{v}).Type()
		if !t.DType.Valid() {
			return fmt.Errorf("operand %d is of type %v, which is no tensor", i, v.Type)
		}
		if slices.Contains(t.Shape, mlir.Dynamic) {
			return fmt.Errorf("operand %d is of type %v with an open extent: operators of aten need numbers, which acap run has from -input or -shape", i, v.Type)
		}
	}
	if err := attributesKnown(op); err != nil {
		return err
	}
	c, err := FromOperation(op, OfIR)
	if err == ErrDataDependent {
		return nil
	}
	if err != nil {
		return err
	}
	if len(op.Results) != len(c.Out) {
		return fmt.Errorf("%d results instead of %d", len(op.Results), len(c.Out))
	}
	for i, r := range op.Results {
		want, got := c.Out[i], (IRValue{r}).Type()
		if got.DType != want.DType || !shape.Equal(got.Shape, want.Shape) {
			return fmt.Errorf("result %d is %v, its operands give %v", i, r.Type,
				mlir.Tensor(want.DType, want.Shape))
		}
	}
	return nil
}

// besideArguments are the attributes of operations that are no arguments: how many operands and results each name
// has, here and in definitions of IRDL, which operands are numbers, and the layer.
var besideArguments = map[string]bool{segmentSizes: true, "operand_segment_sizes": true, "result_segment_sizes": true,
	openNames: true, "layer_name": true}

// attributesKnown refuses an attribute that is no argument of the operator. Names with a dot belong to other dialects.
func attributesKnown(op *mlir.Operation) error {
	o := Lookup(op.Name)
	for _, a := range op.Attrs {
		if !besideArguments[a.Name] && !strings.Contains(a.Name, ".") && o.param(a.Name) < 0 {
			return o.NoParamError(a.Name)
		}
	}
	return nil
}

// Spelled2019 reports whether an operation of the aten dialect has the form that
// PyTorch/ACAP printed in 2019: it takes numbers as results of aten.constant, says
// which operands make up lists ("segments") or which overload is meant ("overload"), or
// its name lacks the overload.
func Spelled2019(op *mlir.Operation) bool {
	if op.Name == "aten.constant" {
		return false
	}
	for _, v := range op.Operands {
		if v.Def != nil && v.Def.Name == "aten.constant" {
			return true
		}
	}
	return op.Attrs.Get("segments") != nil || op.Attrs.Get("overload") != nil || Lookup(op.Name) == nil
}

// hasEffects reports the operators that write an operand.
func hasEffects(name string) bool {
	op := Lookup(name)
	return op != nil && op.IsInplace()
}
