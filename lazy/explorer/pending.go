package explorer

import (
	"fmt"
	"os"

	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/lazy/bundle"
)

// Pending makes an explorer of the program that computes pending values, as a barrier would run
// it. Nothing runs, unless the times on this machine are asked for. No values and values
// of two devices are an error, and so is a program without calls.
func Pending(name string, values ...lazy.Value) (*Explorer, error) {
	if len(values) == 0 {
		return nil, fmt.Errorf("explorer: no values")
	}
	file, err := os.CreateTemp("", "acap-view-*")
	if err != nil {
		return nil, err
	}
	defer os.Remove(file.Name())
	file.Close()
	if err := lazy.Record(file.Name(), values...); err != nil {
		return nil, err
	}
	b, err := bundle.Read(file.Name())
	if err != nil {
		return nil, err
	}
	r, _ := values[0].Trace()
	return New(Program{Name: name, Module: b.Program, Inputs: b.Inputs, Device: r.Device(), Source: SourceTree(".")})
}
