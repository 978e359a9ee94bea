package engine

import (
	"os"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-acap/acap/device/kernel"
)

// A pool runs the units of kernels on persistent goroutines. The caller works,
// too, and never waits for a worker that has not begun: units are handed out in
// chunks from a counter, so a worker that the system does not schedule costs
// nothing, and two workers that share a core lose no more than one chunk.
type pool struct {
	busy    sync.Mutex // held by the run that uses the workers
	workers []*worker
	current atomic.Pointer[job]
	// late counts the recent jobs for whose workers the caller had to wait; then it
	// works without them until a while later. Both are guarded by busy.
	late  int
	until time.Time
}

type worker struct {
	parked atomic.Bool
	wake   chan struct{}
}

// job is one phase of one kernel.
type job struct {
	code     kernel.Code
	prologue bool
	args     []kernel.Args // of each worker; the caller's is the first
	units    int
	chunk    int
	next     atomic.Int64
	active   atomic.Int32
}

var (
	sharedPool     *pool
	sharedPoolOnce sync.Once
)

// Threads is the number of threads that programs use unless their options say
// otherwise: ACAP_THREADS if it is set to a positive number, else GOMAXPROCS.
func Threads() int {
	if n, err := strconv.Atoi(os.Getenv("ACAP_THREADS")); err == nil && n > 0 {
		return min(n, 1024)
	}
	return runtime.GOMAXPROCS(0)
}

// workersFor returns the pool of all programs with at least n-1 workers.
func workersFor(n int) *pool {
	sharedPoolOnce.Do(func() { sharedPool = &pool{} })
	p := sharedPool
	p.busy.Lock()
	defer p.busy.Unlock()
	for len(p.workers) < n-1 {
		w := &worker{wake: make(chan struct{}, 1)}
		p.workers = append(p.workers, w)
		go p.work(w, len(p.workers))
	}
	return p
}

// spins bounds how often an idle worker looks for work before it parks. With some
// 0.1 µs for each, it looks about as long as it takes to wake a parked worker.
const spins = 1000

func (p *pool) work(w *worker, number int) {
	for {
		for range spins {
			if j := p.current.Load(); j != nil {
				p.help(j, number)
			}
			runtime.Gosched()
		}
		w.parked.Store(true)
		if p.current.Load() != nil && w.parked.CompareAndSwap(true, false) {
			continue
		}
		<-w.wake
	}
}

// help joins a job that is still current.
func (p *pool) help(j *job, number int) {
	j.active.Add(1)
	if p.current.Load() == j && number < len(j.args) {
		j.do(number)
	}
	j.active.Add(-1)
}

// do takes chunks until none is left.
func (j *job) do(number int) {
	args := &j.args[number]
	for {
		hi := int(j.next.Add(int64(j.chunk)))
		lo := hi - j.chunk
		if lo >= j.units {
			return
		}
		j.call(args, lo, min(hi, j.units))
	}
}

func (j *job) call(args *kernel.Args, lo, hi int) {
	if j.prologue {
		j.code.(kernel.Prologue).RunPrologue(args, lo, hi)
		return
	}
	j.code.Run(args, lo, hi)
}

// patience is how long a caller that has run out of chunks waits for workers
// before it calls them late, besides the time of two chunks: a worker that shares
// its core with other programs may be gone for milliseconds.
const patience = 20 * time.Microsecond

// maxLate bounds the time without workers after one that was late: its lateness
// times 2 to maxLate. So waiting costs a few per cent where workers are always late.
const maxLate = 4

// run does a job on all workers for which it has arguments.
func (p *pool) run(j *job) {
	start := time.Now()
	if start.Before(p.until) {
		j.alone()
		return
	}
	j.next.Store(0)
	p.current.Store(j)
	for _, w := range p.workers[:len(j.args)-1] {
		if w.parked.Load() && w.parked.CompareAndSwap(true, false) {
			w.wake <- struct{}{}
		}
	}
	j.do(0)
	p.current.Store(nil)
	if j.active.Load() == 0 {
		p.late = max(p.late-1, 0)
		return
	}
	done := time.Now()
	for j.active.Load() != 0 {
		runtime.Gosched()
	}
	chunk := done.Sub(start) * time.Duration(j.chunk*len(j.args)) / time.Duration(j.units)
	if lateness := time.Since(done); lateness > patience+2*chunk {
		p.late = min(p.late+1, maxLate)
		p.until = done.Add(lateness + lateness<<p.late)
	} else {
		p.late = max(p.late-1, 0)
	}
}

// alone does a job on the caller.
func (j *job) alone() {
	for lo := 0; lo < j.units; lo += j.chunk {
		j.call(&j.args[0], lo, min(lo+j.chunk, j.units))
	}
}
