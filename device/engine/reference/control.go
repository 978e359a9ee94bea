package reference

import (
	"fmt"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/scf"
)

// control evaluates a loop or a choice.
func (e *evaluator) control(op *mlir.Operation) error {
	var results []*buf.Buffer
	var err error
	switch op.Name {
	case "scf.for":
		results, err = e.loop(op)
	case "scf.if":
		branch := op.Regions[0]
		if e.env[op.Operands[0]].Int64(0) == 0 {
			branch = op.Regions[1]
		}
		if len(branch.Blocks) == 0 {
			return nil
		}
		results, err = e.block(branch.Blocks[0])
	default:
		return fmt.Errorf("operation is not supported")
	}
	if err != nil {
		return err
	}
	for i, r := range op.Results {
		e.env[r] = results[i]
	}
	return nil
}

func (e *evaluator) loop(op *mlir.Operation) ([]*buf.Buffer, error) {
	bound := func(i int) int64 { return e.env[op.Operands[i]].Int64(0) }
	var carried []*buf.Buffer
	for _, v := range op.Operands[3:] {
		carried = append(carried, e.env[v])
	}
	numbers, err := scf.CounterOf(op).Count(bound(0), bound(1), bound(2))
	if err != nil {
		return nil, err
	}
	args := op.Body().Args
	for i := range numbers {
		index := buf.New(dtype.I64, []int{})
		index.SetInt64(0, i)
		e.env[args[0]] = index
		for k, b := range carried {
			e.env[args[1+k]] = b
		}
		if carried, err = e.block(op.Body()); err != nil {
			return nil, err
		}
	}
	return carried, nil
}

// block evaluates the operations of a block and returns what it yields.
func (e *evaluator) block(b *mlir.Block) ([]*buf.Buffer, error) {
	end := b.Terminator()
	for _, op := range b.Ops {
		if op == end {
			break
		}
		if err := e.operation(op); err != nil {
			return nil, fmt.Errorf("%s: %w", op.Name, err)
		}
	}
	var out []*buf.Buffer
	for _, v := range end.Operands {
		out = append(out, e.env[v])
	}
	return out, nil
}
