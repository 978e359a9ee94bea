package artifact

import (
	"bytes"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/acap/machine"
)

const (
	mappingSection = "mapping/"
	machineSection = "machine/" // the description of a machine that is no preset
)

// array adds the mappings of a program for an array, and what the array is if its name does not say so.
func (b *builder) array(h *header, a *acap.Array, mappings []byte) error {
	name := a.Machine().Name
	h.Machines[name] = a.Identity()
	b.add(mappingSection+name, mappings)
	if preset, err := acap.Open(name); err == nil && preset.Identity() == a.Identity() {
		return nil
	}
	var text bytes.Buffer
	if err := a.Describe(&text); err != nil {
		return err
	}
	b.add(machineSection+name, text.Bytes())
	return nil
}

// arrays opens arrays by the names of presets or of files, and adds others, each once.
func arrays(names []string, others []*acap.Array) ([]*acap.Array, error) {
	var all []*acap.Array
	for _, name := range names {
		a, err := acap.Open(name)
		if err != nil {
			return nil, err
		}
		all = append(all, a)
	}
	var list []*acap.Array
	known := map[string]string{}
	for _, a := range append(all, others...) {
		name := a.Machine().Name
		switch identity, again := known[name]; {
		case !again:
			known[name] = a.Identity()
			list = append(list, a)
		case identity != a.Identity():
			return nil, fmt.Errorf("two machines are called %q", name)
		}
	}
	return list, nil
}

// OwnDevice returns the device that the program was made for. A device that this program does not have is an error, and
// so is a machine in the file that is none.
func (f *File) OwnDevice() (device.Device, error) {
	if name, ok := strings.CutPrefix(f.Device, acapPrefix); ok && f.Machines[name] != "" {
		return f.array(name)
	}
	dev, err := device.Open(f.Device)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.path, err)
	}
	return dev, nil
}

// Arrays returns the arrays whose mappings are in the file, first the one that the program was made for. A machine in
// the file that is none is an error.
func (f *File) Arrays() ([]*acap.Array, error) {
	var list []*acap.Array
	for _, name := range slices.Sorted(maps.Keys(f.Machines)) {
		a, err := f.array(name)
		switch {
		case err != nil:
			return nil, err
		case f.Device == acapPrefix+name:
			list = slices.Insert(list, 0, a)
		default:
			list = append(list, a)
		}
	}
	return list, nil
}

// described has one array for each machine description that was read from a file. Two models with the same description
// get the same array, so their tensors may be operands of one operation.
var described sync.Map

// array returns the array of a machine of the file.
func (f *File) array(name string) (*acap.Array, error) {
	text := f.section(machineSection + name)
	if text == nil {
		if strings.EqualFold(filepath.Ext(name), ".json") {
			return nil, fmt.Errorf("%s: %w", f.path, malformed("machine %q is not described", name))
		}
		a, err := acap.Open(name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.path, err)
		}
		return a, nil
	}
	m, err := machine.Read(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.path, err)
	}
	a := acap.New(m)
	known, _ := described.LoadOrStore(a.Identity(), a)
	return known.(*acap.Array), nil
}

const acapPrefix = "acap:" // of the names of arrays
