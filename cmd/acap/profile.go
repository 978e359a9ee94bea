package main

import (
	"flag"

	"github.com/pkg/profile"
)

// profiling are the flags that profile the command itself.
type profiling struct{ cpu, mem string }

func (p *profiling) flags(f *flag.FlagSet) {
	f.StringVar(&p.cpu, "cpuprofile", "", "write cpu.pprof to this `directory`")
	f.StringVar(&p.mem, "memprofile", "", "write mem.pprof to this `directory`")
}

// start begins profiling, if asked, and returns what ends it.
func (p *profiling) start() (stop func()) {
	switch {
	case p.cpu != "":
		return profile.Start(profile.CPUProfile, profile.ProfilePath(p.cpu), profile.Quiet).Stop
	case p.mem != "":
		return profile.Start(profile.MemProfile, profile.ProfilePath(p.mem), profile.Quiet).Stop
	}
	return func() {}
}
