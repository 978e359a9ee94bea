package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/peakmemory"
	"github.com/go-acap/acap/cmd/acap/modelfile"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/artifact"
	"github.com/go-acap/acap/device/host"
	"github.com/go-acap/acap/ops"
)

// startsFile starts a model from a file: what PyTorch wrote, or the artifact that is made of it. A start is
// everything from opening the file to the first result; the bytes are those by which the process grew.
func startsFile(name string, compiled bool) func(device.Device) work {
	return func(device.Device) work {
		folder, err := os.MkdirTemp("", "acap-cold-")
		check(err)
		made := false
		defer func() {
			if !made { // there is no PyTorch, for instance
				check(os.RemoveAll(folder))
			}
		}()
		path := filepath.Join(folder, name+".pt")
		check(traced(name, path))
		if compiled {
			module, err := modelfile.Load(path, inputOf(name))
			check(err)
			path = filepath.Join(folder, name+".acap")
			check(artifact.Write(context.Background(), path, module, artifact.Options{}))
		}
		made = true
		return work{
			timed: func() (float64, float64) { return start(path) },
			close: func() { check(os.RemoveAll(folder)) },
		}
	}
}

// errNoPyTorch keeps cases from being measured that need a file of PyTorch's.
var errNoPyTorch = errors.New("there is no Python with PyTorch here to write the model")

// traced has PyTorch write a model as TorchScript.
func traced(name, path string) error {
	peers, err := scripts()
	if err != nil {
		return err
	}
	for _, p := range peers {
		if p, ok := p.(program); ok && p.name == "torch" {
			c := exec.Command(p.command[0], append(p.command[1:], "file:"+name, "1")...)
			c.Stdin = strings.NewReader(p.input)
			data, err := c.Output()
			if err != nil {
				return err
			}
			return os.WriteFile(path, data, 0o644)
		}
	}
	return errNoPyTorch
}

func inputOf(name string) []ops.TensorType {
	return []ops.TensorType{{DType: dtype.F32, Shape: coldModels[name].dims}}
}

// startFile loads a file and runs its model once.
func startFile(path string) error {
	name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	in := inputOf(name)
	x := buf.New(in[0].DType, in[0].Shape)
	ctx := context.Background()
	before, err := peakmemory.Bytes()
	if err != nil {
		return err
	}
	begin := clock()
	var exe device.Executable
	if filepath.Ext(path) == ".acap" {
		f, err := artifact.Open(path)
		if err != nil {
			return err
		}
		if exe, _, err = f.Load(ctx, host.Device()); err != nil {
			return err
		}
	} else {
		module, err := modelfile.Load(path, in)
		if err != nil {
			return err
		}
		if exe, err = host.Device().Compile(ctx, module); err != nil {
			return err
		}
	}
	if _, err := exe.Run(ctx, []*buf.Buffer{x}); err != nil {
		return err
	}
	s := started{Seconds: (clock() - begin).Seconds()}
	after, err := peakmemory.Bytes()
	if err != nil {
		return err
	}
	s.Bytes = float64(after - before)
	return json.NewEncoder(os.Stdout).Encode(s)
}
