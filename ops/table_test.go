package ops

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTable: every operator of the table parses, has samples, and its samples have types; none hides a registered one.
func TestTable(t *testing.T) {
	for _, op := range Table() {
		checkTabled(t, op)
	}
}

func checkTabled(t *testing.T, op *Op) {
	require.Nil(t, registered().byName[op.Name()], "%s is registered, too", op.Name())
	require.NotEmpty(t, op.Samples(), op.Name())
	for i, s := range op.Samples() {
		defer func() {
			if p := recover(); p != nil {
				t.Errorf("%s, sample %d: %v", op.Name(), i, p)
			}
		}()
		c, err := op.NewCall(s.Args(rand.New(rand.NewPCG(uint64(i), 1)))...)
		if err != nil {
			t.Errorf("%s, sample %d: %v", op.Name(), i, err)
			continue
		}
		if n := len(op.Parsed().Returns); n != len(c.Out) && !op.Parsed().Returns[0].List {
			t.Errorf("%s, sample %d: %d results of %d", op.Name(), i, len(c.Out), n)
		}
	}
}
