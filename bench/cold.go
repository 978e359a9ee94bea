package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/store"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/nn"
)

// coldModels are started in processes of their own, with a cache on disk that is empty (cold_*) or that a
// process before has filled (cold_*_stored). A start is the time that a program waits whose weights are in memory:
// recording the model, compiling it, bringing weights into the kernels' form, and the first run.
var coldModels = map[string]struct {
	model func() nn.Module
	dims  []int
}{
	"resnet18": {resnet18, []int{1, 3, 224, 224}},
	"gpt2_12":  {gpt2, []int{1, tokens, width}},
}

func colds() []benchmark {
	var list []benchmark
	for _, name := range []string{"resnet18", "gpt2_12"} {
		list = append(list,
			benchmark{name: "cold_" + name, once: true, build: starts(name, false)},
			benchmark{name: "cold_" + name + "_stored", once: true, build: starts(name, true)})
	}
	return append(list, benchmark{name: "cold_resnet18_pt", once: true, build: startsFile("resnet18", false)},
		benchmark{name: "cold_resnet18_acap", once: true, build: startsFile("resnet18", true)})
}

func starts(name string, stored bool) func(device.Device) work {
	return func(device.Device) work {
		var folder string
		renew := func() {
			check(os.RemoveAll(folder))
			var err error
			folder, err = os.MkdirTemp("", "acap-cold-")
			check(err)
		}
		renew()
		if stored {
			start(name, store.Variable+"="+folder)
		}
		return work{
			prepare: func() {
				if !stored {
					renew()
				}
			},
			timed: func() (float64, float64) { return start(name, store.Variable+"="+folder) },
			close: func() { check(os.RemoveAll(folder)) },
		}
	}
}

// started is what the process of a start prints.
type started struct{ Seconds, Bytes float64 }

// start runs a model in a process of its own and returns the seconds of its start, and the bytes by which the
// process grew, if they count.
func start(name string, environment ...string) (seconds, bytes float64) {
	self, err := os.Executable()
	check(err)
	c := exec.Command(self, "start", name)
	c.Env = append(os.Environ(), environment...)
	c.Stderr = os.Stderr
	out, err := c.Output()
	check(err)
	var s started
	check(json.Unmarshal(out, &s))
	return s.Seconds, s.Bytes
}

// startHere is what the process does.
func startHere(name string) error {
	if filepath.Ext(name) != "" {
		return startFile(name)
	}
	m, ok := coldModels[name]
	if !ok {
		return fmt.Errorf("no model %q", name)
	}
	tensor.Seed(1)
	module, dev := m.model(), acap.Device()
	nn.Eval(module)
	nn.To(module, dev)
	nn.Freeze(module)
	x := tensor.Randn(m.dims...).To(dev)
	begin := clock()
	check(tensor.Sync(context.Background(), module.Forward(x)))
	return json.NewEncoder(os.Stdout).Encode(started{Seconds: (clock() - begin).Seconds()})
}
