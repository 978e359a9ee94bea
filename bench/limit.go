package main

import (
	"runtime"
	"sync"

	"github.com/go-acap/acap/device/kernel/x86/peak"
	"github.com/go-acap/acap/tensor/buf"
	"github.com/go-acap/acap/tensor/dtype"
)

// limit is what the machine can do, measured in this run.
type limit struct{ gflops, gbps float64 }

// measureLimits measures the multiply-add peak and the memory bandwidth for each
// number of threads.
func measureLimits(threads []int) map[int]*limit {
	out := map[int]*limit{}
	for _, t := range threads {
		runtime.GOMAXPROCS(max(t, runtime.GOMAXPROCS(0)))
		out[t] = &limit{gflops: parallelRate(t, multiplyAdd),
			gbps: parallelRate(t, copyTraffic)}
	}
	return out
}

// parallelRate is the sum over threads of work per second, in units of 10⁹.
func parallelRate(threads int, loop func() (f func(), work float64)) float64 {
	rates := make([]float64, threads)
	var wait sync.WaitGroup
	for i := range rates {
		wait.Add(1)
		go func() {
			defer wait.Done()
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			f, work := loop()
			_, least := sample(f, budget()/2)
			rates[i] = work / least / 1e9
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

// copyTraffic copies more than any cache holds; the traffic is a read and a write
// of every byte.
func copyTraffic() (func(), float64) {
	const n = 64 << 20
	from, to := buf.New(dtype.U8, []int{n}), buf.New(dtype.U8, []int{n})
	for i := range n {
		from.Bytes()[i] = byte(i) // a page that was never written is no memory yet
	}
	return func() { copy(to.Bytes(), from.Bytes()) }, 2 * n
}

// share compares a measurement with the limit that its case runs against.
func (l *limit) share(b *benchmark, m *measurement) {
	switch {
	case m.GFLOPS > 0 && l.gflops > 0:
		m.Share = m.GFLOPS / l.gflops
	case m.GBPS > 0 && l.gbps > 0:
		m.Share = m.GBPS / l.gbps
	}
}
