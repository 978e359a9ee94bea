package tileexact_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/longtest"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/machine/machinetest"
	"github.com/go-acap/acap/device/acap/mapper"
	"github.com/go-acap/acap/device/acap/tileexact"
	"github.com/go-acap/acap/device/acap/workload"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/native"
)

// reductions gives, for each row, what every kind of reduction of a type comes to.
func reductions(rows, cols int, d dtype.DType) *kernel.Nest {
	n := &kernel.Nest{Name: fmt.Sprintf("reductions %d x %d %v", rows, cols, d), Outer: []int{rows}, Inner: []int{cols},
		Access: []kernel.Access{along(rows, cols, d, false)}}
	body, end := kernel.NewBody(), kernel.NewBody()
	x := body.Load(0, d)
	column := body.Emit(kernel.Instr{Op: kernel.Index, Type: dtype.I64, Port: 1})
	var list []kernel.Reduction
	for kind := kernel.ReduceSum; kind <= kernel.ReduceArgMin; kind++ {
		r := kernel.Reduction{Kind: kind, Value: x, Type: d}
		switch {
		case kind.IsArg():
			r.Arg, r.Type = column, dtype.I64
		case d == dtype.Bool && (kind < kernel.ReduceAnd || kind > kernel.ReduceXor):
			continue
		case d.IsFloat() && (kind <= kernel.ReduceProd || kind >= kernel.ReduceAnd): // rounded otherwise piece by piece
			continue
		default:
			r.Init = kind.Identity(d)
		}
		end.Store(len(n.Access), end.Emit(kernel.Instr{Op: kernel.Acc, Type: r.Type, Imm: uint64(len(list))}))
		n.Access = append(n.Access, perRow(rows, r.Type, true))
		list = append(list, r)
	}
	n.Stages = []kernel.Stage{{Body: body.Body(), Reduce: list}, {Once: true, Body: end.Body()}}
	return n
}

// inPieces maps rows in pieces of 512 columns.
func inPieces(m *machine.Machine, w *workload.Kernel) (*mapper.Choice, error) {
	found, err := mapper.Map(m, w)
	if err != nil {
		return nil, err
	}
	g := found.Mapping
	g.Tile, g.TK, g.Depth = 1, 512, 2
	return found.With(g)
}

// TestRowValues: what a row in pieces comes to has the native bits, for every type and reduction, where the value is
// narrower than the word that brings it as well. A long run has rows that no core holds.
func TestRowValues(t *testing.T) {
	r := rand.New(rand.NewPCG(37, 2))
	for i, name := range longtest.Some(1, arrays...) {
		for j, d := range dtype.All() {
			if d != d.Signless() || d.IsComplex() || d == dtype.F64 {
				continue // no type of kernels, or none that arrays compute in
			}
			k := reductions(1+(i+j)%3, longtest.Sample(1100, 1100, 70_000)+r.IntN(9), d)
			v := check(t, &tileexact.Checker{Machine: machinetest.Preset(t, name), Native: native.Compile, Map: inPieces}, k, r)
			require.NoError(t, v.Err, "%s: %s", k.Name, v.Mapping)
			require.Empty(t, v.Skipped, k.Name)
			require.Zero(t, v.Differ, "%s: %s", k.Name, v.Mapping)
			require.Contains(t, v.Mapping, "tile 1 x512", k.Name)
		}
	}
}
