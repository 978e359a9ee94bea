package modelbench

import (
	"context"
	"time"

	"github.com/go-acap/acap/base/inputfile"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/kerneltime"
)

// kernels times each kernel of the program, in runs of about the given seconds.
func (m *Model) kernels(seconds float64) (figures []KernelFigures, err error) {
	module, err := m.module()
	if err != nil {
		return nil, err
	}
	config := device.Config{}
	if dev, ok := m.dev.(device.Backed); ok {
		config = dev.Config()
	}
	exe, times, err := kerneltime.Compile(context.Background(), module, config)
	if err != nil {
		return nil, inputfile.Named(m.figures.Model, err)
	}
	defer exe.Close()
	results, err := exe.Run(context.Background(), m.inputs) // packs constant operands
	if err != nil {
		return nil, inputfile.Named(m.figures.Model, err)
	}
	times.Reset()
	runs := 0
	for start := time.Now(); runs == 0 || time.Since(start).Seconds() < seconds; runs++ {
		if err := exe.RunInto(context.Background(), m.inputs, results); err != nil {
			return nil, inputfile.Named(m.figures.Model, err)
		}
	}
	list := times.List()
	all := 0.
	for _, k := range list {
		all += k.Time.Seconds()
	}
	for _, k := range list {
		a, took := k.Account, k.Time.Seconds()
		figures = append(figures, KernelFigures{Name: k.Name, What: a.What, Runs: float64(k.Runs) / float64(runs),
			Seconds: took / float64(runs), Share: took / all, FLOPS: float64(k.Runs) * float64(2*a.MACs+a.Work) / took,
			Bytes: float64(k.Runs) * float64(a.BytesIn+a.BytesOut) / took})
	}
	return figures, nil
}
