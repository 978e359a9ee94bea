package main

import (
	"flag"
	"os"

	"github.com/pkg/profile"

	"github.com/go-acap/acap/cmd/acap/commandline"
)

// profiling are the flags that profile the command itself.
type profiling struct{ cpu, mem string }

func (p *profiling) flags(f *flag.FlagSet) {
	f.StringVar(&p.cpu, "cpuprofile", "", "write cpu.pprof to this `folder`")
	f.StringVar(&p.mem, "memprofile", "", "write mem.pprof to this `folder`")
}

// start begins the profile that is asked for, and returns a function that ends the profile and writes the file. An
// interrupt calls the function, too. The library writes one profile in a process.
func (p *profiling) start() (stop func(), err error) {
	mode, path := profile.CPUProfile, p.cpu
	switch {
	case p.cpu != "" && p.mem != "":
		return nil, commandline.Errorf("-cpuprofile and -memprofile: a run writes one profile; leave one of them out")
	case p.mem != "":
		mode, path = profile.MemProfile, p.mem
	case p.cpu == "":
		return func() {}, nil
	}
	if err := os.MkdirAll(path, 0o777); err != nil { // the library ends the process
		return nil, err
	}
	stop = profile.Start(mode, profile.ProfilePath(path), profile.Quiet, profile.NoShutdownHook).Stop
	onInterrupt(stop)
	return stop, nil
}
