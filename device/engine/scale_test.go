package engine

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/cputime"
	"github.com/go-acap/acap/kernel/portable"
)

// TestLongPrograms compiles programs of thousands of operations, which must not
// take quadratic time or deep stacks.
func TestLongPrograms(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	n := newNet()
	x, early := n.input(4, 8), n.input(8)
	early = n.math("tanh", early)
	w, b := n.weight(8, 8), n.weight(8)
	for i := range 4000 {
		switch i % 8 {
		case 0:
			x = n.linear(x, w, b)
		case 4:
			x = n.softmax(x)
		case 6:
			x = n.add(x, early)
		default:
			x = n.math("tanh", x)
		}
	}
	start := cputime.Used()
	p, err := Compile(n.done(x), Options{ConstInputs: n.consts, Backend: portable.Compile})
	require.NoError(t, err)
	defer p.Close()
	took := cputime.Used() - start
	t.Logf("%d kernels in %v", len(p.Steps), took)
	require.Less(t, took, 10*time.Second)
	run(t, p, n.inputs...)
}
