package workers

import (
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
)

// TestThreads: programs use as many threads as the environment says, or else as there are cores.
func TestThreads(t *testing.T) {
	t.Setenv("ACAP_THREADS", "")
	cores := cpu.Detect().Cores
	if cores == 0 {
		cores = runtime.GOMAXPROCS(0)
	}
	n, err := Threads()
	require.NoError(t, err)
	require.Equal(t, cores, n)
	for text, want := range map[string]int{"1": 1, "7": 7, "1024": 1024} {
		t.Setenv("ACAP_THREADS", text)
		n, err = Threads()
		require.NoError(t, err)
		require.Equal(t, want, n)
	}
	for _, text := range []string{"0", "1025", "-1", "many"} {
		t.Setenv("ACAP_THREADS", text)
		_, err = Threads()
		require.ErrorContains(t, err, "ACAP_THREADS")
	}
}

// judged tells the pool of a job on two threads that ran in eight chunks for a time,
// with one thread late by another, and ended now.
func (p *Pool) judged(ran, lateness time.Duration, now time.Time) {
	j := &Job{args: make([]kernel.Args, 2), units: 8, chunk: 1, start: now.Add(-ran - lateness)}
	j.ran.Store(int64(ran))
	p.judge(j, now)
}

func TestPausesGrowWithLateness(t *testing.T) {
	p, now := &Pool{}, time.Now()
	p.judged(time.Millisecond, time.Millisecond/2, now)
	require.Zero(t, p.late, "two chunks are no lateness")
	last := time.Duration(0)
	for range maxLate + 2 {
		p.judged(time.Millisecond, 4*time.Millisecond, now)
		pause := p.until.Sub(now)
		require.GreaterOrEqual(t, pause, last)
		last, now = pause, p.until
		p.judged(time.Millisecond, 0, now.Add(time.Millisecond)) // one good job changes nothing
	}
	require.Equal(t, 4*time.Millisecond<<maxLate, last, "a few per cent are lost")
}

// TestSavedTime: a thread that is late now and then by less than the workers save makes no pause. A thread that is late
// by more makes a pause.
func TestSavedTime(t *testing.T) {
	for lateness, pauses := range map[time.Duration]bool{60 * time.Microsecond: false, 4 * time.Millisecond: true} {
		p := &Pool{}
		for job := range 1000 {
			late := time.Duration(0)
			if job%100 == 99 {
				late = lateness
			}
			p.judged(20*time.Microsecond, late, time.Now())
		}
		require.Equal(t, pauses, p.late > 0, lateness)
	}
}

func TestPausesEnd(t *testing.T) {
	p, now := &Pool{}, time.Now()
	for range 3 {
		p.judged(time.Millisecond, 4*time.Millisecond, now)
	}
	require.Equal(t, 3, p.late)
	for late := 2; late >= 0; late-- {
		p.judged(time.Millisecond, 0, p.until.Add(p.pause))
		require.Equal(t, late+1, p.late)
		p.judged(time.Millisecond, 0, p.until.Add(p.pause+1))
		require.Equal(t, late, p.late)
	}
	p.judged(10*time.Microsecond, 15*time.Microsecond, time.Now())
	require.Zero(t, p.late, "a moment is no lateness")
}

// TestLinger: a worker that has done a job is there for the next one a moment later, and parks when no job comes.
func TestLinger(t *testing.T) {
	p := Shared(2)
	p.busy.Lock()
	defer p.busy.Unlock()
	defer func(late int, until time.Time) { p.late, p.until = late, until }(p.late, p.until)
	there := 0
	for range 50 {
		p.late, p.until = 0, time.Time{}
		m := &meeting{threads: 2, seen: map[*kernel.Args]bool{}, all: make(chan struct{}), patient: time.Minute}
		p.run(&Job{code: m, phase: Main, args: make([]kernel.Args, 2), units: 2, chunk: 1, work: wakeTime})
		for start := time.Now(); time.Since(start) < linger*3/4; {
		}
		if !p.workers[0].parked.Load() {
			there++
		}
	}
	require.NotZero(t, there)
	require.Eventually(t, func() bool { return p.workers[0].parked.Load() }, time.Minute, time.Millisecond)
	p.late, p.until = 0, time.Time{}
	p.run(&Job{code: &sleeper{slow: -1, done: make([]int32, 2)}, phase: Main, args: make([]kernel.Args, 2), units: 2, chunk: 1, work: wakeTime - 1})
	require.True(t, p.workers[0].parked.Load(), "little work wakes nobody")
}

// sleeper is a kernel with one unit that takes long.
type sleeper struct {
	kernel.Code
	slow int
	done []int32
}

func (s *sleeper) Run(_ *kernel.Args, lo, hi int) {
	for u := lo; u < hi; u++ {
		s.done[u]++
		if u == s.slow {
			time.Sleep(5 * time.Millisecond)
		}
	}
}

// calls notes how many units each call has.
type calls struct {
	kernel.Code
	units []int
}

func (c *calls) Run(_ *kernel.Args, lo, hi int) { c.units = append(c.units, hi-lo) }

// TestLastChunks: a last chunk of a part is taken in halves that are worth a call, the other chunks as they are.
func TestLastChunks(t *testing.T) {
	for least, want := range map[int][]int{0: {8, 8, 4, 2, 1, 1}, 1: {8, 8, 4, 2, 1, 1}, 3: {8, 8, 4, 3, 1}, 8: {8, 8, 8}} {
		c := &calls{}
		j := &Job{code: c, phase: Main, args: make([]kernel.Args, 2), units: 48, chunk: 8, least: least}
		j.divide()
		j.do(0)
		require.Equal(t, append(want, want...), c.units, least)
	}
}

// Every unit runs once, whichever thread has the slow one, with and without workers.
func TestSlowUnit(t *testing.T) {
	p := Shared(2)
	p.busy.Lock()
	defer p.busy.Unlock()
	defer func(late int, until time.Time) { p.late, p.until = late, until }(p.late, p.until)
	for _, slow := range []int{0, 63} {
		p.late, p.until = 0, time.Time{}
		s := &sleeper{slow: slow, done: make([]int32, 64)}
		j := &Job{code: s, phase: Main, args: make([]kernel.Args, 2), units: 64, chunk: 1, work: wakeTime}
		p.run(j)
		for range 2 { // the second is without workers if a thread was late
			for u, n := range s.done {
				require.Equal(t, s.done[0], n, u)
			}
			p.run(j)
		}
	}
	require.Nil(t, p.current.Load())
}

// meeting is a kernel whose units wait until a number of threads are at it.
type meeting struct {
	kernel.Code
	threads int
	mu      sync.Mutex
	seen    map[*kernel.Args]bool
	all     chan struct{}
	patient time.Duration // how long a thread that is alone waits for the others
}

func (m *meeting) Run(args *kernel.Args, _, _ int) {
	m.mu.Lock()
	if m.seen[args] = true; len(m.seen) == m.threads {
		m.threads = 0
		close(m.all)
	}
	m.mu.Unlock()
	select {
	case <-m.all:
	case <-time.After(m.patient):
	}
}

// TestLargeJobInPause: a pause is for jobs that a late thread would make much slower, not for long ones.
func TestLargeJobInPause(t *testing.T) {
	p := Shared(3)
	p.busy.Lock()
	defer p.busy.Unlock()
	defer func(late int, pause time.Duration, until time.Time) {
		p.late, p.pause, p.until = late, pause, until
	}(p.late, p.pause, p.until)
	threads := func(work, patient time.Duration) int {
		p.late, p.pause, p.until = 1, time.Second, time.Now().Add(time.Hour)
		m := &meeting{threads: 3, seen: map[*kernel.Args]bool{}, all: make(chan struct{}), patient: patient}
		p.run(&Job{code: m, phase: Main, args: make([]kernel.Args, 3), units: 30, chunk: 1, work: work})
		return len(m.seen)
	}
	require.Equal(t, 1, threads(time.Millisecond, time.Millisecond))
	require.Equal(t, 3, threads(2*time.Second, time.Minute))
}

// joined is a kernel that does several units at once in less time.
type joined struct {
	kernel.Code
	most  int
	nanos float64
	mu    sync.Mutex
	runs  []int // units of each call
}

func (c *joined) UnitNanos() float64         { return c.nanos }
func (c *joined) Joined() (units, least int) { return c.most, 1 }
func (c *joined) Run(_ *kernel.Args, lo, hi int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.runs = append(c.runs, hi-lo)
}

// TestJoinedUnits: a call has as many units as the code does at once, but each thread has its part of them, and long
// ones are shared in halves.
func TestJoinedUnits(t *testing.T) {
	const long, short = 2 * callNanos, float64(patience) / 8 // which is not worth a call of its own
	p := Shared(4)
	defer func(late int, until time.Time) { p.late, p.until = late, until }(p.late, p.until)
	for _, c := range []struct {
		threads, most int
		nanos         float64
		want          []int
	}{{1, 1, long, []int{1, 1, 1, 1, 1, 1, 1, 1}}, {1, 3, long, []int{3, 3, 2}}, {1, 64, long, []int{8}},
		{2, 64, short, []int{4, 4}}, {2, 2, short, []int{2, 2, 2, 2}}, {4, 64, short, []int{2, 2, 2, 2}}} {
		p.late, p.until = 0, time.Time{}
		code, j := &joined{most: c.most, nanos: c.nanos}, &Job{}
		j.Perform(p, make([]kernel.Args, c.threads), code, Main, 8)
		require.Equal(t, c.want, code.runs, "%d threads, %d at once", c.threads, c.most)
	}
	p.late, p.until = 0, time.Time{}
	code := &joined{most: 64, nanos: long}
	new(Job).Perform(p, make([]kernel.Args, 2), code, Main, 8)
	require.Equal(t, 2, slices.Max(code.runs), "a thread leaves half of its part to a thread that ends earlier")
}
