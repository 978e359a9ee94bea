package affine

import (
	"fmt"
	"slices"

	"github.com/go-acap/acap/mlir"
)

// basisAttr names the basis of an index: numbers, of which the dynamic ones are operands.
const basisAttr = "static_basis"

// Basis returns the numbers that divide the index of an affine.delinearize_index, the largest part first, and what
// dynamic ones are. An outer bound, which divides nothing, is left out: there is one result more than there are numbers.
func Basis(op *mlir.Operation, dynamic []int) (basis []int, err error) {
	list, _ := mlir.IntList(op.Attrs.Get(basisAttr))
	for _, n := range list {
		if n == mlir.DynamicStride {
			n, dynamic = dynamic[0], dynamic[1:]
		}
		if n <= 0 {
			return nil, fmt.Errorf("a basis of %d", n)
		}
		basis = append(basis, n)
	}
	return basis[len(basis)-(len(op.Results)-1):], nil
}

// delinearized checks that there is an index for each number of the basis, or one more.
func delinearized(op *mlir.Operation) error {
	list, ok := mlir.IntList(op.Attrs.Get(basisAttr))
	if !ok || len(op.Operands) == 0 {
		return fmt.Errorf("needs an index and its %s", basisAttr)
	}
	dynamic := 0
	for _, n := range list {
		if n == mlir.DynamicStride {
			dynamic++
		} else if n <= 0 {
			return fmt.Errorf("no basis element may be statically non-positive")
		}
	}
	if dynamic != len(op.Operands)-1 {
		return fmt.Errorf("has %d operands for %d dynamic numbers of the basis", len(op.Operands)-1, dynamic)
	}
	if n := len(op.Results); n == 0 || n != len(list) && n != len(list)+1 {
		return fmt.Errorf("gives an index for each number of the basis, or one more, not %d for %d", n, len(list))
	}
	return checkTypes(append(slices.Clone(op.Operands), op.Results...))
}

// parseDelinearize reads %i into (%a, 4) : index, index.
func parseDelinearize(p *mlir.Parser, op *mlir.Operation) {
	refs := []mlir.Ref{p.Operand()}
	p.Expect("into")
	basis, dynamic := p.DynamicIndexList("(", ")")
	p.ResolveIndices(op, append(refs, dynamic...))
	op.Attrs = append(p.AttrDict(), mlir.Named{Name: basisAttr, Value: basis})
	p.Expect(":")
	op.SetResults(p.TypeList()...)
}

func printDelinearize(p *mlir.Printer, op *mlir.Operation) {
	p.Text(" ")
	p.Value(op.Operands[0])
	p.DynamicIndexList(" into (", ")", op.Attrs.Get(basisAttr), op.Operands[1:])
	p.OptionalAttrs(op.Attrs, basisAttr)
	p.Text(" : ")
	p.TypesOf(op.Results)
}
