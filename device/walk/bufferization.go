package walk

import "github.com/go-acap/acap/mlir"

// Tensors are memory that nothing else writes: what becomes memory of a tensor, or a tensor of memory, is copied.
func init() {
	copied := func(m *machine, op *mlir.Operation) []value { return one(m.copyOf(op, op.Operands[0])) }
	register(map[string]handler{
		"bufferization.to_buffer": copied,
		"bufferization.to_memref": copied,
		"bufferization.to_tensor": copied,
		"bufferization.clone":     copied,
		"bufferization.alloc_tensor": func(m *machine, op *mlir.Operation) []value {
			if groups := m.groups(op); len(groups) > 1 && len(groups[1]) > 0 {
				return one(m.copyOf(op, groups[1][0]))
			}
			return one(m.make(op, op.Results[0].Type, m.extents(op.Results[0].Type, m.groups(op)[0])))
		},
		"bufferization.materialize_in_destination": func(m *machine, op *mlir.Operation) []value {
			if len(op.Results) > 0 {
				return one(m.copyOf(op, op.Operands[0]))
			}
			check(op, m.array(op.Operands[1]).fill(m.array(op.Operands[0])))
			return nil
		},
		"bufferization.dealloc_tensor": func(*machine, *mlir.Operation) []value { return nil },
	})
}

// copyOf returns a copy of an array.
func (m *machine) copyOf(op *mlir.Operation, v *mlir.Value) *array {
	a, err := m.array(v).copy()
	check(op, err)
	return a
}
