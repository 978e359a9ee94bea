package nn

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/inputfile"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/host"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/safetensors"
)

// Stateful is an object with a state that a later run needs to go on exactly: an optimiser, scaler or plateau of
// package optim, or a loader of package data.
type Stateful interface {
	State() map[string]*tensor.Tensor
	LoadState(state map[string]*tensor.Tensor) error
}

// Parts are what a checkpoint holds, by names without dots: models, and what is
// [Stateful].
type Parts map[string]any

// checksumKey is where the metadata of a file have the checksum of its tensors.
const checksumKey = "checksum"

// ErrChecksum says that a checkpoint does not hold what was written.
var ErrChecksum = errors.New("the checksum is wrong: the file is damaged")

// Save writes what a later run needs to go on exactly to a .safetensors file, which it
// creates or replaces whole: the tensors of the parts, such as "model.0.weight", and the
// state of the random generators of the host and of the devices that models lie on. Values that are not computed yet
// are computed.
//
// A program's own settings, such as a learning rate or a schedule, are not in the file: the
// later run makes its parts as the first did, and loads. Parts that have no state are an error, and so are a tensor
// that cannot be computed and a file that cannot be written; the old file then stays.
func Save(path string, parts Parts) error {
	state, err := parts.state()
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	names := slices.Sorted(maps.Keys(state))
	all := make([]*tensor.Tensor, len(names))
	for i, name := range names {
		all[i] = state[name]
	}
	ctx := context.Background()
	if err := tensor.Sync(ctx, all...); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	list := make([]safetensors.Tensor, len(names))
	for i, name := range names {
		b, err := all[i].Buffer(ctx)
		if err != nil {
			return fmt.Errorf("%s: tensor %q: %w", path, name, err)
		}
		list[i] = safetensors.Tensor{Name: name, Data: b}
	}
	metadata := map[string]string{"format": "pt"}
	metadata[checksumKey] = checksum(list, metadata)
	return safetensors.WriteFile(path, list, metadata)
}

// Load reads what [Save] wrote into parts that were made as those were. Parts that the file
// has beside them are left out: a model alone can be read from the checkpoint of a run.
// A file that is damaged ([ErrChecksum]), lacks a part, or does not fit the models changes
// nothing, and a part that does not fit an optimiser changes no model.
func Load(path string, parts Parts) error {
	if err := parts.load(path); err != nil {
		return inputfile.Named(path, err)
	}
	return nil
}

func (p Parts) load(path string) error {
	state, err := readChecked(path)
	if err != nil {
		return err
	}
	of := map[string]map[string]*tensor.Tensor{}
	for name, t := range state {
		part, rest, _ := strings.Cut(name, ".")
		if of[part] == nil {
			of[part] = map[string]*tensor.Tensor{}
		}
		of[part][rest] = t
	}
	names := slices.Sorted(maps.Keys(p))
	for _, name := range names {
		if err := p.check(name); err != nil {
			return err
		}
		if of[name] == nil {
			return fmt.Errorf("there is no part %q", name)
		}
		if _, ok := p[name].(Stateful); !ok {
			if err := checkState(p[name], of[name]); err != nil {
				return fmt.Errorf("part %q: %w", name, err)
			}
		}
	}
	for _, name := range names {
		if s, ok := p[name].(Stateful); ok {
			if err := s.LoadState(of[name]); err != nil {
				return fmt.Errorf("part %q: %w", name, err)
			}
		}
	}
	for _, name := range names { // models come last: they are known to fit
		if _, ok := p[name].(Stateful); !ok {
			if err := LoadStateDict(p[name], of[name]); err != nil {
				return fmt.Errorf("part %q: %w", name, err)
			}
		}
	}
	return p.loadRandom(of[randomPart])
}

// randomPart is the name of the part with the random generators.
const randomPart = "random"

func (p Parts) check(name string) error {
	if name == "" || strings.Contains(name, ".") || name == randomPart {
		return fmt.Errorf("%q is no name of a part: it is empty, has a dot, or is %q", name, randomPart)
	}
	if isNil(p[name]) {
		return fmt.Errorf("part %q is nil", name)
	}
	return nil
}

// state returns the tensors of all parts, and the state of the random generators.
func (p Parts) state() (map[string]*tensor.Tensor, error) {
	all := map[string]*tensor.Tensor{}
	for _, name := range slices.Sorted(maps.Keys(p)) {
		part := p[name]
		if err := p.check(name); err != nil {
			return nil, err
		}
		s, ok := part.(Stateful)
		own := map[string]*tensor.Tensor(nil)
		if ok {
			own = s.State()
		} else if own = StateDict(part); len(own) == 0 {
			return nil, fmt.Errorf("part %q: %T has no tensors and no state", name, part)
		}
		for k, t := range own {
			all[name+"."+k] = t
		}
	}
	for name, d := range p.devices() {
		seed, offset := tensor.RandomState(d)
		all[randomPart+"."+name] = tensor.Of([]int64{int64(seed), int64(offset)})
	}
	return all, nil
}

// devices returns the host and the devices that models lie on, by name.
func (p Parts) devices() map[string]device.Device {
	all := map[string]device.Device{host.Device().Name(): host.Device()}
	for _, part := range p {
		if _, ok := part.(Stateful); ok {
			continue
		}
		for _, t := range StateDict(part) {
			all[t.Device().Name()] = t.Device()
		}
	}
	return all
}

func (p Parts) loadRandom(state map[string]*tensor.Tensor) error {
	devices := p.devices()
	for _, name := range slices.Sorted(maps.Keys(devices)) {
		t := state[name]
		if t == nil {
			continue // the run was on other devices
		}
		if t.DType() != dtype.I64 || t.NumElements() != 2 {
			return fmt.Errorf("the state of the random generator of %s is %#v", name, t)
		}
		s := t.Int64s()
		tensor.SetRandomState(devices[name], uint64(s[0]), uint64(s[1]))
	}
	return nil
}

// readChecked reads the tensors of a file and compares their checksum with that in it.
func readChecked(path string) (map[string]*tensor.Tensor, error) {
	f, err := safetensors.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	list := make([]safetensors.Tensor, 0, len(f.Tensors()))
	state := map[string]*tensor.Tensor{}
	for _, name := range f.Names() {
		b, err := f.Tensor(name)
		if err != nil {
			return nil, err
		}
		list = append(list, safetensors.Tensor{Name: name, Data: b})
		state[name] = tensor.FromBuffer(b)
	}
	switch want := f.Metadata[checksumKey]; {
	case want == "":
		return nil, fmt.Errorf("the file has no checksum: nn.Save did not write it")
	case want != checksum(list, f.Metadata):
		return nil, ErrChecksum
	}
	return state, nil
}

// checksum is SHA-256 over the other metadata and the names, types, shapes and elements of
// tensors, in their order. Texts and elements follow their lengths, so that nothing can move between them.
func checksum(list []safetensors.Tensor, metadata map[string]string) string {
	h := sha256.New()
	part := func(b []byte) {
		h.Write(binary.LittleEndian.AppendUint64(nil, uint64(len(b))))
		h.Write(b)
	}
	for _, key := range slices.Sorted(maps.Keys(metadata)) {
		if key != checksumKey {
			part([]byte(key))
			part([]byte(metadata[key]))
		}
	}
	for _, t := range list {
		part([]byte(t.Name))
		part([]byte(fmt.Sprint(t.Data.DType, t.Data.Shape)))
		part(t.Data.Bytes())
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}
