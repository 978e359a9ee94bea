package report

import "github.com/go-acap/acap/device/acap/schedule"

// Array is the seconds from the first byte of the kernel's launch to the last, without calls of the host and what the
// launch itself takes.
func (k *Kernel) Array() float64 { return k.Timing.Seconds - k.Timing.Launch }

// PeakShare is the multiply-accumulates, or operations of lanes, of the machine's peak while the array works.
func (k *Kernel) PeakShare() float64 { return k.Timing.PeakShare * k.faster() }

// faster returns the ratio of the kernel's time with a call of the host to the array's time alone.
func (k *Kernel) faster() float64 { return k.Timing.Seconds / k.Array() }

// Adds returns the cost that each kernel adds to a run, or in a pipeline to one sample: the start of its launch, the
// array's work, and the host's call with the first kernel of a program. Outside pipelines they add up to the cost of
// [Report.Total]. Kernels that are done once for the model add to that; one that the machine cannot run adds nothing.
func (r *Report) Adds() []schedule.Cost {
	costs := make([]schedule.Cost, len(r.Kernels))
	at := make(map[*Kernel]int)
	for i := range r.Kernels {
		at[&r.Kernels[i]] = i
	}
	for _, once := range []bool{true, false} {
		for n, p := range r.parts(once) {
			if n == 0 && !once {
				p.Written = r.Written
			}
			host, each := p.Costs(p.machine)
			if n == 0 || p.kernels[0].Stage == nil {
				each[0].Add(host, 1)
			}
			for i, k := range p.kernels {
				costs[at[k]] = each[i]
			}
		}
	}
	return costs
}
