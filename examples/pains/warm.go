package main

import (
	"fmt"
	"io"
	"os"

	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/store"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/tensor"
)

// warm computes the same on two devices that know nothing of each other but a folder.
func warm(w io.Writer, dev *acap.Array) error {
	dir, err := os.MkdirTemp("", "acap-cache-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	defer os.Setenv(store.Variable, os.Getenv(store.Variable))
	os.Setenv(store.Variable, dir) // as ACAP_CACHE=DIR does for a process

	for i, d := range []*acap.Array{dev, newDevice()} {
		hits, misses, _ := store.Default().Stats()
		x := tensor.Ones(64, 64).To(d)
		if _, err := lazy.Explain(x.MatMul(x).Tanh()); err != nil { // compiles, and maps onto the array
			return err
		}
		h, m, _ := store.Default().Stats()
		fmt.Fprintf(w, "device %d: %d mappings found on disk, %d searched for\n", i+1, h-hits, m-misses)
	}
	return nil
}
