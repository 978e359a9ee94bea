package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/inputfile"
	"github.com/go-acap/acap/device/walk"
	"github.com/go-acap/acap/mlir"
)

// designIn returns the array that a file describes in mlir-aie's dialects, verified, or nil for any other file.
func designIn(model string) (*mlir.Operation, error) {
	if filepath.Ext(model) != ".mlir" {
		return nil, nil
	}
	text, err := os.ReadFile(model)
	if err != nil || !bytes.Contains(text, []byte("aie.device")) {
		return nil, err
	}
	module, err := mlir.Parse(model, text)
	if err != nil {
		return nil, err
	}
	device := walk.Design(module)
	if device == nil {
		inside := 0
		for _, op := range module.Body().Ops {
			if op.Name == "builtin.module" && walk.Design(op) != nil {
				inside++
			}
		}
		if inside > 1 { // as acap emit -stage aie prints them
			return nil, fmt.Errorf("%s: %d modules with a design each, one for a kernel: one runs at a time, from a file of its own", model, inside)
		}
		return nil, nil
	}
	return device, mlir.Verify(module)
}

// runDesign runs the cores, the DMAs and the host of a design.
func (o *runFlags) runDesign(model string, device *mlir.Operation, inputs []*buf.Buffer) error {
	if err := o.checkReports(nil); err != nil {
		return err
	}
	start := time.Now()
	outputs, err := walk.RunDesign(context.Background(), stdout, device, inputs)
	if err != nil {
		return inputfile.Named(model, err)
	}
	return o.finish(nil, outputs, time.Since(start))
}
