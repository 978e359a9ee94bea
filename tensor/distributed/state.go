package distributed

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/data"
	"github.com/go-acap/acap/tensor/safetensors"
)

// Loader makes a loader read this rank's part of every batch, and returns it. Its batch size is the size of the whole
// batch, so that a program is the same on any number of ranks, and its position can be resumed on any.
func (g *Group) Loader(l *data.Loader) *data.Loader {
	l.Rank, l.Ranks = g.Rank(), g.Size()
	return l
}

// union joins the tensors that ranks have by name. Where several have one, the last rank's counts.
func (g *Group) union(mine map[string]*tensor.Tensor) (map[string]*tensor.Tensor, error) {
	var list []safetensors.Tensor
	for _, name := range slices.Sorted(maps.Keys(mine)) {
		b, err := mine[name].Buffer(context.Background())
		if err != nil {
			return nil, fmt.Errorf("tensor %q: %w", name, err)
		}
		list = append(list, safetensors.Tensor{Name: name, Data: b})
	}
	var file bytes.Buffer
	if err := safetensors.Write(&file, list, nil); err != nil {
		return nil, err
	}
	files, err := g.gatherBytes(file.Bytes())
	if err != nil {
		return nil, err
	}
	all := map[string]*tensor.Tensor{}
	for rank, data := range files {
		f, err := safetensors.Read(data, fmt.Sprintf("state of rank %d", rank))
		if err != nil {
			return nil, err
		}
		buffers, err := f.All()
		if err != nil {
			return nil, err
		}
		for name, b := range buffers {
			all[name] = tensor.FromBuffer(b)
			if own := mine[name]; own != nil {
				all[name] = own
			}
		}
	}
	return all, nil
}

// gatherBytes collects pieces of any length.
func (g *Group) gatherBytes(mine []byte) ([][]byte, error) {
	lengths, err := g.allGather(dtype.I64, binary.LittleEndian.AppendUint64(nil, uint64(len(mine))))
	if err != nil {
		return nil, err
	}
	longest := 0
	sizes := make([]int, g.Size())
	for i := range sizes {
		sizes[i] = int(binary.LittleEndian.Uint64(lengths[8*i:]))
		longest = max(longest, sizes[i])
	}
	padded := make([]byte, longest)
	copy(padded, mine)
	all, err := g.allGather(dtype.U8, padded)
	if err != nil {
		return nil, err
	}
	pieces := make([][]byte, g.Size())
	for i := range pieces {
		pieces[i] = all[i*longest : i*longest+sizes[i]]
	}
	return pieces, nil
}
