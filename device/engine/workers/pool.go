package workers

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-acap/acap/base/environment"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
)

// A pool runs the units of kernels on persistent goroutines. The caller works too, and never waits for a worker that
// has not begun. Each thread first takes chunks of units from its own part, the same part in every run, so that its
// data stays in its cache from run to run and from kernel to kernel. Then the thread takes chunks from the parts of
// other threads. A worker that the system does not schedule therefore costs nothing, and two workers that share a core
// lose at most one chunk.
type Pool struct {
	busy    sync.Mutex // held by the run that uses the workers
	workers []*worker
	current atomic.Pointer[Job]
	// saved is the time that the workers saved in recent jobs, against the caller alone; each job takes a sixteenth
	// off. late counts the recent jobs in which a thread came so late that nothing was saved. After each the caller
	// works without workers for a pause. All four are guarded by busy.
	saved time.Duration
	late  int
	pause time.Duration
	until time.Time // the end of the pause
}

type worker struct {
	parked atomic.Bool
	wake   chan struct{}
}

// Job is one phase of one kernel.
type Job struct {
	code  kernel.Code
	phase phase
	args  []kernel.Args // of each worker; the caller's is the first
	units int
	chunk int
	least int           // units that are worth a call of their own at the end of a part
	work  time.Duration // of all units on one thread, estimated
	start time.Time
	// Cancelled is closed when the run should end; nil if it never should.
	Cancelled <-chan struct{}
	parts     []part       // of each worker
	ran       atomic.Int64 // nanoseconds from the start until a thread found no chunk left
	active    atomic.Int32 // workers that may be at it
}

// phase is a part of a kernel's work that ends before the next begins.
type phase uint8

const (
	Preparation phase = iota // of [kernel.Code.RunPreparation]
	Prologue                 // of [kernel.Code.RunPrologue]
	Main
)

// part is a run of units, in a cache line of its own.
type part struct {
	next atomic.Int64
	end  int
	_    [48]byte
}

var (
	sharedPool     *Pool
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

// Shared returns the pool of all programs with at least n-1 workers.
func Shared(n int) *Pool {
	sharedPoolOnce.Do(func() { sharedPool = &Pool{} })
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

// looks is how often a thread looks before it lets other goroutines run, some microseconds. Two threads that do so at
// once may change processors, and then each finds the data of its part in the cache of the other.
const looks = 4000

// A worker that finds no work looks for it for the time of linger before it parks. To wake a parked worker takes the
// caller some 30 µs, and the worker some 100 µs until it works. The work of one goroutine between two divided kernels,
// such as sampling a token, is mostly shorter than linger.
const linger = 200 * time.Microsecond

func (p *Pool) work(w *worker, number int) {
	for {
		for last := time.Now(); time.Since(last) <= linger; {
			for range looks {
				if j := p.current.Load(); j != nil {
					p.help(j, number)
					last = time.Now()
				}
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
func (p *Pool) help(j *Job, number int) {
	j.active.Add(1)
	if p.current.Load() == j && number < len(j.args) {
		j.do(number)
	}
	j.active.Add(-1)
}

// do takes chunks until none is left, first the chunks of the thread's own part.
func (j *Job) do(number int) {
	for i := range j.parts {
		p := &j.parts[(number+i)%len(j.parts)]
		for {
			lo, hi := p.take(j.chunk, j.least)
			if lo >= hi || j.Stopped() {
				break
			}
			j.call(&j.args[number], lo, hi)
		}
	}
	j.ran.CompareAndSwap(0, int64(time.Since(j.start)))
}

// take returns the next units of a part, a chunk. Of a last chunk a thread takes half, and half of the rest, down to the
// least number that is worth a call: a thread that has run out of units takes from the other half, and does not wait for
// a whole chunk.
func (p *part) take(chunk, least int) (lo, hi int) {
	if left := p.end - int(p.next.Load()); left <= chunk {
		chunk = max((left+1)/2, least, 1)
	}
	hi = int(p.next.Add(int64(chunk)))
	return hi - chunk, min(hi, p.end)
}

// divide gives each thread its part of the units.
func (j *Job) divide() {
	n := len(j.args)
	if len(j.parts) != n {
		j.parts = make([]part, n)
	}
	for i := range j.parts {
		j.parts[i].next.Store(int64(i * j.units / n))
		j.parts[i].end = (i + 1) * j.units / n
	}
}

// Stopped reports whether the run should end.
func (j *Job) Stopped() bool { return j.Cancelled != nil && closed(j.Cancelled) }

func closed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

func (j *Job) call(args *kernel.Args, lo, hi int) {
	switch j.phase {
	case Preparation:
		j.code.RunPreparation(args, lo, hi)
	case Prologue:
		j.code.RunPrologue(args, lo, hi)
	default:
		j.code.Run(args, lo, hi)
	}
}

// patience is how long after the first thread that has run out of chunks the last one may end before it counts as late,
// besides the time of two chunks, if the workers have saved less in recent jobs. A thread that shares its core with
// other programs may be gone for milliseconds. The caller can be late as well as a worker: with two threads to run, the
// system may well move the caller to the busy core, and leave it on the free one when it is alone.
const patience = 20 * time.Microsecond

// maxLate bounds the pause after a late thread: its lateness times 2 to the power of
// late. So lateness costs a few per cent where threads are always late. The count
// falls by one after as long a time without lateness as the last pause was, so that a
// few good jobs in between do not make a busy machine seem quiet.
const maxLate = 5

// run does a job on all workers for which it has arguments, but in a pause: then only one that alone
// would take longer than the pause was given, beside which a late thread costs little.
func (p *Pool) run(j *Job) {
	j.start = time.Now()
	if j.start.Before(p.until) && j.work < p.pause {
		j.alone()
		return
	}
	j.divide()
	j.ran.Store(0)
	p.current.Store(j)
	for _, w := range p.workers[:len(j.args)-1] {
		if j.work >= wakeTime && w.parked.Load() && w.parked.CompareAndSwap(true, false) {
			w.wake <- struct{}{}
		}
	}
	j.do(0)
	p.current.Store(nil)
	for j.isActive() {
		runtime.Gosched()
	}
	p.judge(j, time.Now())
}

// isActive reports whether workers are at a job, after some looks.
func (j *Job) isActive() bool {
	for range looks {
		if j.active.Load() == 0 {
			return false
		}
	}
	return true
}

// judge looks at when the threads of a job have ended, the last one now.
func (p *Pool) judge(j *Job, now time.Time) {
	ran := time.Duration(j.ran.Load())
	chunk := ran * time.Duration(j.chunk*len(j.args)) / time.Duration(j.units)
	lateness := now.Sub(j.start) - ran
	p.saved += ran*time.Duration(len(j.args)-1) - lateness - p.saved/16
	switch {
	case lateness > patience+2*chunk && p.saved < 0:
		p.saved = 0
		p.late = min(p.late+1, maxLate)
		p.pause = lateness << p.late
		p.until = now.Add(p.pause)
	case p.late > 0 && now.Sub(p.until) > p.pause:
		p.late--
		p.until = now
	}
}

// alone does a job on the caller.
func (j *Job) alone() {
	for lo := 0; lo < j.units && !j.Stopped(); lo += j.chunk {
		j.call(&j.args[0], lo, min(lo+j.chunk, j.units))
	}
}

// Work below smallNanos is not worth being divided, and work below wakeTime is not worth waking a worker; one call of a
// kernel should not take longer than callNanos, because it cannot be preempted. A [kernel.Joiner] makes several calls
// of machine code.
const (
	smallNanos = 4_000
	wakeTime   = 8 * time.Microsecond
	callNanos  = 200_000
	// chunksEach is the number of chunks for each worker. Other workers take the chunks of a late one.
	chunksEach = 4
)

// Perform runs all units of one phase of a kernel, on as many threads as there are arguments. p is nil if that is one.
func (j *Job) Perform(p *Pool, args []kernel.Args, code kernel.Code, ph phase, units int) {
	if units == 0 { // a first phase that has nothing to do
		return
	}
	j.code, j.phase, j.units, j.args = code, ph, units, args
	if units == 1 { // as nearly all small kernels have: the rest costs as much as they do
		if !j.Stopped() {
			j.call(&j.args[0], 0, 1)
		}
		return
	}
	nanos := code.UnitNanos()
	if c, ok := code.(kernel.Overwriter); ok && ph == Main {
		nanos = c.UnitNanosOn(&args[0])
	}
	nanos = max(nanos, 0.1)
	joined, least := 1, 1
	if c, ok := code.(kernel.Joiner); ok && ph == Main {
		joined, least = c.Joined()
	}
	j.chunk = max(min(units, max(int(callNanos/nanos), joined)), 1)
	if p == nil || float64(units)*nanos < smallNanos || !p.busy.TryLock() {
		j.alone()
		return
	}
	j.work = time.Duration(nanos * float64(units))
	j.chunk = max(min(j.chunk, max(units/(chunksEach*len(args)), min(joined, units/len(args)))), 1)
	if j.least = j.chunk; joined > 1 && len(args) > 1 {
		j.least = min(j.chunk, max(least, int(float64(patience)/nanos)))
	}
	p.run(j)
	p.busy.Unlock()
}
