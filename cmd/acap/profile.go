package main

import (
	"flag"

	"github.com/pkg/profile"
)

// profiling are the flags that profile the command itself.
type profiling struct{ cpu, mem string }

func (p *profiling) flags(f *flag.FlagSet) {
	f.StringVar(&p.cpu, "cpuprofile", "", "write cpu.pprof to this `folder`")
	f.StringVar(&p.mem, "memprofile", "", "write mem.pprof to this `folder`")
}

// start begins profiling, if asked, and returns what ends it. An interrupt ends it, too.
func (p *profiling) start() (stop func()) {
	mode, path := profile.CPUProfile, p.cpu
	if path == "" {
		mode, path = profile.MemProfile, p.mem
	}
	if path == "" {
		return func() {}
	}
	stop = profile.Start(mode, profile.ProfilePath(path), profile.Quiet, profile.NoShutdownHook).Stop
	onInterrupt(stop)
	return stop
}
