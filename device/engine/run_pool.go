package engine

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-acap/acap/base/environment"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
)

// A pool runs the units of kernels on persistent goroutines. The caller works,
// too, and never waits for a worker that has not begun. Units are handed out in
// chunks, to each thread from a part of its own, always the same one, so that what
// it reads and writes stays in its cache from run to run and from kernel to kernel;
// then from the parts of others, so a worker that the system does not schedule costs
// nothing, and two workers that share a core lose no more than one chunk.
type pool struct {
	busy    sync.Mutex // held by the run that uses the workers
	workers []*worker
	current atomic.Pointer[job]
	// late counts the recent jobs of which one thread came late. After each the caller
	// works without workers for a pause. All three are guarded by busy.
	late  int
	pause time.Duration
	until time.Time // the end of the pause
}

type worker struct {
	parked atomic.Bool
	wake   chan struct{}
}

// job is one phase of one kernel.
type job struct {
	code  kernel.Code
	phase phase
	args  []kernel.Args // of each worker; the caller's is the first
	units int
	chunk int
	work  time.Duration // of all units on one thread, estimated
	start time.Time
	// cancelled is closed when the run should end; nil if it never should.
	cancelled <-chan struct{}
	parts     []part       // of each worker
	ran       atomic.Int64 // nanoseconds from the start until a thread found no chunk left
	active    atomic.Int32 // workers that may be at it
}

// phase is a part of a kernel's work that ends before the next begins.
type phase uint8

const (
	preparation phase = iota // of a [kernel.Preparation]
	prologue                 // of a [kernel.Prologue]
	main
)

// part is a run of units, in a cache line of its own.
type part struct {
	next atomic.Int64
	end  int
	_    [48]byte
}

var (
	sharedPool     *pool
	sharedPoolOnce sync.Once
)

// Threads is the number of threads that programs use unless their options say
// otherwise: ACAP_THREADS if it is set, else the cores of ACAP_PROCESSOR, else GOMAXPROCS.
// Its error is of type [*environment.Error].
func Threads() (int, error) {
	cores := cpu.Detect().Cores
	if cores == 0 {
		cores = runtime.GOMAXPROCS(0)
	}
	return environment.Int("ACAP_THREADS", "a number of threads", 1, 1024, cores)
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

// do takes chunks until none is left, those of the thread's own part first.
func (j *job) do(number int) {
	for i := range j.parts {
		p := &j.parts[(number+i)%len(j.parts)]
		for {
			hi := int(p.next.Add(int64(j.chunk)))
			lo := hi - j.chunk
			if lo >= p.end || j.stopped() {
				break
			}
			j.call(&j.args[number], lo, min(hi, p.end))
		}
	}
	j.ran.CompareAndSwap(0, int64(time.Since(j.start)))
}

// divide gives each thread its part of the units.
func (j *job) divide() {
	n := len(j.args)
	if len(j.parts) != n {
		j.parts = make([]part, n)
	}
	for i := range j.parts {
		j.parts[i].next.Store(int64(i * j.units / n))
		j.parts[i].end = (i + 1) * j.units / n
	}
}

// stopped reports whether the run should end.
func (j *job) stopped() bool { return j.cancelled != nil && closed(j.cancelled) }

func closed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

func (j *job) call(args *kernel.Args, lo, hi int) {
	switch j.phase {
	case preparation:
		j.code.(kernel.Preparation).RunPreparation(args, lo, hi)
	case prologue:
		j.code.(kernel.Prologue).RunPrologue(args, lo, hi)
	default:
		j.code.Run(args, lo, hi)
	}
}

// patience is how long after the first thread that has run out of chunks the last one
// may end before it counts as late, besides the time of two chunks. A thread that
// shares its core with other programs may be gone for milliseconds. The caller can be
// late as well as a worker: with two threads to run, the system may well move the
// caller to the busy core, and leave it on the free one when it is alone.
const patience = 20 * time.Microsecond

// maxLate bounds the pause after a late thread: its lateness times 2 to the power of
// late. So lateness costs a few per cent where threads are always late. The count
// falls by one after as long a time without lateness as the last pause was, so that a
// few good jobs in between do not make a busy machine seem quiet.
const maxLate = 5

// run does a job on all workers for which it has arguments, but in a pause: then only one that alone
// would take longer than the pause was given, beside which a late thread costs little.
func (p *pool) run(j *job) {
	j.start = time.Now()
	if j.start.Before(p.until) && j.work < p.pause {
		j.alone()
		return
	}
	j.divide()
	j.ran.Store(0)
	p.current.Store(j)
	for _, w := range p.workers[:len(j.args)-1] {
		if w.parked.Load() && w.parked.CompareAndSwap(true, false) {
			w.wake <- struct{}{}
		}
	}
	j.do(0)
	p.current.Store(nil)
	for j.active.Load() != 0 {
		runtime.Gosched()
	}
	p.judge(j, time.Now())
}

// judge looks at when the threads of a job have ended, the last one now.
func (p *pool) judge(j *job, now time.Time) {
	ran := time.Duration(j.ran.Load())
	chunk := ran * time.Duration(j.chunk*len(j.args)) / time.Duration(j.units)
	lateness := now.Sub(j.start) - ran
	switch {
	case lateness > patience+2*chunk:
		p.late = min(p.late+1, maxLate)
		p.pause = lateness << p.late
		p.until = now.Add(p.pause)
	case p.late > 0 && now.Sub(p.until) > p.pause:
		p.late--
		p.until = now
	}
}

// alone does a job on the caller.
func (j *job) alone() {
	for lo := 0; lo < j.units && !j.stopped(); lo += j.chunk {
		j.call(&j.args[0], lo, min(lo+j.chunk, j.units))
	}
}
