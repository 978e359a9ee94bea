package main

import (
	"math"
	"math/bits"
	"runtime"
	"sync"

	"github.com/go-acap/acap/device/kernel/x86/peak"
	"github.com/go-acap/acap/tensor/buf"
	"github.com/go-acap/acap/tensor/dtype"
)

// limits is what the machine can do, measured when first asked for: arithmetic by
// the number of threads, and the bandwidth of copies by threads and by bytes, since
// it is the level of the memory that holds a case's data that bounds it.
type limits struct {
	gflops map[int]float64
	gbps   map[[2]int]float64
}

// flops is the multiply-add peak in GFLOP/s, 0 where no code can be generated.
func (l *limits) flops(threads int) float64 {
	if v, ok := l.gflops[threads]; ok {
		return v
	}
	if l.gflops == nil {
		l.gflops = map[int]float64{}
	}
	l.gflops[threads] = parallelRate(threads, multiplyAdd)
	return l.gflops[threads]
}

// bandwidth is that of copies, in GB/s, for as much traffic as a case has, up to a
// power of two.
func (l *limits) bandwidth(threads int, traffic float64) float64 {
	key := [2]int{threads, bits.Len(uint(math.Ceil(traffic)) - 1)}
	if v, ok := l.gbps[key]; ok {
		return v
	}
	if l.gbps == nil {
		l.gbps = map[[2]int]float64{}
	}
	l.gbps[key] = parallelRate(threads, func() (func(), float64) { return copies(1 << key[1] / threads / 2) })
	return l.gbps[key]
}

// parallelRate is the sum over threads of work per second, in units of 10⁹.
func parallelRate(threads int, loop func() (f func(), work float64)) float64 {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(threads))
	rates := make([]float64, threads)
	var wait sync.WaitGroup
	for i := range rates {
		wait.Add(1)
		go func() {
			defer wait.Done()
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			f, amount := loop()
			steps, _ := work{step: f}.sample(budget() / 2)
			rates[i] = amount / steps.least() / 1e9
		}()
	}
	wait.Wait()
	sum := 0.0
	for _, r := range rates {
		sum += r
	}
	return sum
}

// multiplyAdd is the loop of independent multiply-adds; it does nothing where no
// code can be generated.
func multiplyAdd() (func(), float64) {
	l, err := peak.MultiplyAdd()
	if err != nil {
		return func() {}, 0
	}
	return l.Run, l.Work
}

// copies copies n bytes; the traffic is a read and a write of each.
func copies(n int) (func(), float64) {
	from, to := buf.New(dtype.U8, []int{n}), buf.New(dtype.U8, []int{n})
	for i := range n {
		from.Bytes()[i] = byte(i) // a page that was never written is no memory yet
	}
	return func() { copy(to.Bytes(), from.Bytes()) }, 2 * float64(n)
}

// share compares a measurement with the limit that its case runs against.
func (l *limits) share(b *benchmark, m *measurement) {
	limit, rate := 0.0, 0.0
	switch {
	case m.Error != "":
	case b.flops > 0:
		limit, rate = l.flops(m.Threads), m.GFLOPS
	case b.bytes > 0:
		limit, rate = l.bandwidth(m.Threads, b.bytes), m.GBPS
	}
	if limit > 0 {
		m.Share = rate / limit
	}
}
