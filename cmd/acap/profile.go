package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"sync"

	"github.com/go-acap/acap/base/atomicfile"
	"github.com/go-acap/acap/cmd/acap/printable"
)

// profiling are the flags that profile the command itself.
type profiling struct{ cpu, mem string }

func (p *profiling) flags(f *flag.FlagSet) {
	f.StringVar(&p.cpu, "cpuprofile", "", "write cpu.pprof to this `folder`")
	f.StringVar(&p.mem, "memprofile", "", "write mem.pprof to this `folder`")
}

// start begins the profiles that are asked for, and returns what ends and writes them. An interrupt ends them, too.
func (p *profiling) start() (stop func(), err error) {
	var ends []func() error
	if p.mem != "" {
		if err := os.MkdirAll(p.mem, 0o777); err != nil {
			return nil, err
		}
		runtime.MemProfileRate = 4096 // bytes from one sample to the next
		ends = append(ends, func() error {
			return atomicfile.Write(filepath.Join(p.mem, "mem.pprof"), func(w io.Writer) error { return pprof.Lookup("heap").WriteTo(w, 0) })
		})
	}
	if p.cpu != "" {
		if err := os.MkdirAll(p.cpu, 0o777); err != nil {
			return nil, err
		}
		var profile bytes.Buffer
		if err := pprof.StartCPUProfile(&profile); err != nil {
			return nil, err
		}
		ends = append(ends, func() error {
			pprof.StopCPUProfile()
			return atomicfile.WriteBytes(filepath.Join(p.cpu, "cpu.pprof"), profile.Bytes())
		})
	}
	stop = sync.OnceFunc(func() {
		for _, end := range ends {
			if err := end(); err != nil {
				fmt.Fprintln(printable.Messages, "acap:", err)
			}
		}
	})
	onInterrupt(stop)
	return stop, nil
}
