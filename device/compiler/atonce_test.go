package compiler_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/parallel"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/compiler"
)

// apart is a chain of groups for a device that supports mul and add: they differ by their constants, but for those
// whose numbers are given, which are alike.
func apart(groups int, alike ...int) string {
	var b strings.Builder
	b.WriteString("func.func @main(%x0: tensor<2x3xf32>) -> tensor<2x3xf32> {\n")
	for i := range groups {
		by := i + 2
		if slices.Contains(alike, i) {
			by = 1000
		}
		fmt.Fprintf(&b, `  %%a%d = "aten.mul.Scalar"(%%x%d) {other = %d : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %%b%d = "aten.add.Scalar"(%%a%d) {other = %d : i64, alpha = 1 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %%x%d = "aten.tanh"(%%b%d) : (tensor<2x3xf32>) -> tensor<2x3xf32>
`, i, i, by, i, i, by, i+1, i)
	}
	fmt.Fprintf(&b, "  return %%x%d : tensor<2x3xf32>\n}", groups)
	return b.String()
}

// gathering is a back end that notes how many groups compile at the same time, and what becomes of them.
type gathering struct {
	*other
	wait   int                             // how many groups each wait until as many compile
	err    func(*device.GroupSource) error // of a group
	now    int
	most   int
	begun  int
	opened atomic.Int64
	closed atomic.Int64
	lock   sync.Mutex
}

func gather(wait int) *gathering {
	return &gathering{other: &other{supports: []string{"mul", "add"}}, wait: wait}
}

func (g *gathering) CompileGroup(ctx context.Context, s *device.GroupSource) (device.GroupProgram, error) {
	g.lock.Lock()
	g.now++
	g.begun++
	g.most = max(g.most, g.now)
	for end := time.Now().Add(time.Minute); g.most < g.wait && time.Now().Before(end); {
		g.lock.Unlock()
		time.Sleep(time.Millisecond)
		g.lock.Lock()
	}
	g.lock.Unlock()
	defer func() { g.lock.Lock(); g.now--; g.lock.Unlock() }()
	if g.err != nil {
		if err := g.err(s); err != nil {
			return nil, err
		}
	}
	p, err := g.other.CompileGroup(ctx, s)
	if err == nil {
		g.opened.Add(1)
	}
	return noted{p, &g.closed}, err
}

// noted counts the programs that are closed.
type noted struct {
	device.GroupProgram
	closed *atomic.Int64
}

func (n noted) Close() { n.closed.Add(1); n.GroupProgram.Close() }

// TestGroupsOfOthersAtOnce: groups of a device that is not the engine compile at once, as many as the variable says;
// their order, their results and the time of each do not depend on how many.
func TestGroupsOfOthersAtOnce(t *testing.T) {
	compiler.ForgetFailures()
	text := apart(6)
	var names [][]string
	for _, most := range []int{1, 2, 4} {
		t.Setenv(parallel.Variable, fmt.Sprint(most))
		b := gather(most) // no group is done before most groups are begun
		exe := compileFor(t, text, b, device.Config{})
		require.Equal(t, most, b.most)
		require.EqualValues(t, 6, b.tried.Load())
		same(t, text, exe)
		var list []string
		for _, g := range exe.Division() {
			list = append(list, g.Name, g.Device, strings.Join(g.Ops, " "), g.Problem)
		}
		names = append(names, list)
		times := 0
		for _, took := range exe.CompileTimes() {
			if took.Phase == "compile" {
				times++
				require.Positive(t, took.Took)
			}
		}
		require.Equal(t, 6, times)
	}
	require.Equal(t, names[0], names[1])
	require.Equal(t, names[0], names[2])
}

// TestFailuresAtOnce: the first error in the order of the program is the error, whichever is first in time; what
// compiled beside it is closed, and of groups that are alike one fails for all.
func TestFailuresAtOnce(t *testing.T) {
	t.Setenv(parallel.Variable, "3")
	strict := device.Config{}.WithStrict(true)
	compiler.ForgetFailures()
	t.Cleanup(compiler.ForgetFailures)
	b := gather(3)
	b.err = func(s *device.GroupSource) error {
		switch {
		case strings.HasSuffix(s.Name, "_1"):
			time.Sleep(20 * time.Millisecond)
			return errors.New("the second fails late")
		case strings.HasSuffix(s.Name, "_2"):
			return errors.New("the third fails at once")
		}
		return nil
	}
	_, err := compiler.CompileFor(context.Background(), parse(t, apart(6)), b, strict)
	require.ErrorContains(t, err, "the second fails late")
	require.EqualValues(t, 4, b.opened.Load())
	require.Equal(t, b.opened.Load(), b.closed.Load())

	compiler.ForgetFailures()
	exe := compileFor(t, apart(6), b, device.Config{})
	require.Len(t, exe.Warnings(), 2)
	require.Contains(t, exe.Warnings()[0], "the second fails late")
	require.Contains(t, exe.Warnings()[1], "the third fails at once")
	same(t, apart(6), exe)

	compiler.ForgetFailures()
	text := apart(6, 1, 3, 5)
	b = gather(3)
	b.err = func(s *device.GroupSource) error {
		if strings.Contains(s.Func.String(), "1000") {
			return errors.New("no room")
		}
		return nil
	}
	exe = compileFor(t, text, b, device.Config{})
	require.Equal(t, 4, b.begun, "three that do not fail, and one of those that do")
	require.Len(t, exe.Warnings(), 1, "once for all that are alike")
	same(t, text, exe)

	compiler.ForgetFailures()
	b = gather(1)
	compileFor(t, text, b, device.Config{})
	require.EqualValues(t, 6, b.opened.Load(), "those that are alike and compile")

	var calls atomic.Int64
	b = gather(1)
	b.err = func(*device.GroupSource) error {
		calls.Add(1)
		for end := time.Now().Add(time.Minute); calls.Load() == 2 && time.Now().Before(end); {
			time.Sleep(time.Millisecond)
		}
		return nil
	}
	compileFor(t, apart(4, 0, 1, 2, 3), b, device.Config{})
	require.GreaterOrEqual(t, b.most, 2, "after the first those that are alike compile at once")
}

// TestCancelledAtOnce: after a context has ended no group is begun.
func TestCancelledAtOnce(t *testing.T) {
	const most = 2
	t.Setenv(parallel.Variable, fmt.Sprint(most))
	compiler.ForgetFailures()
	ctx, cancel := context.WithCancel(context.Background())
	b := gather(most)
	b.err = func(*device.GroupSource) error {
		cancel()
		return nil
	}
	_, err := compiler.CompileFor(ctx, parse(t, apart(8)), b, device.Config{})
	require.ErrorIs(t, err, context.Canceled)
	require.LessOrEqual(t, b.begun, most)
	require.Equal(t, b.opened.Load(), b.closed.Load())
}
