package safetensors

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-acap/acap/base/atomicfile"
	"github.com/go-acap/acap/base/buf"
)

// Tensor is a tensor under a name.
type Tensor struct {
	Name string
	Data *buf.Buffer
}

// WriteFile writes tensors and texts to the file at path, which it creates or replaces whole; see [Write] for errors.
func WriteFile(path string, tensors []Tensor, metadata map[string]string) error {
	return atomicfile.Write(path, func(w io.Writer) error { return Write(w, tensors, metadata) })
}

// Write writes a file. Tensors whose size is a multiple of [buf.Alignment] come first, in their order, so that these
// tensors and the first tensor behind them are aligned and can be used in mapped memory. Two tensors of one name are an
// error, and so is a type that the format does not have.
func Write(w io.Writer, tensors []Tensor, metadata map[string]string) error {
	list := arranged(tensors)
	head, err := encode(list, metadata)
	if err != nil {
		return err
	}
	if _, err := w.Write(head); err != nil {
		return err
	}
	for _, t := range list {
		if _, err := w.Write(t.Data.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

func arranged(tensors []Tensor) []Tensor {
	list := slices.Clone(tensors)
	slices.SortStableFunc(list, func(a, b Tensor) int {
		odd := func(t Tensor) int { return min(len(t.Data.Bytes())%buf.Alignment, 1) }
		return odd(a) - odd(b)
	})
	return list
}

// entry is a tensor in the header.
type entry struct {
	Type  string   `json:"dtype"`
	Shape []int    `json:"shape"`
	Place [2]int64 `json:"data_offsets"`
}

// encode writes the length of the header and the header, with spaces up to a multiple of
// [buf.Alignment].
func encode(tensors []Tensor, metadata map[string]string) ([]byte, error) {
	entries := map[string]any{}
	if len(metadata) > 0 {
		entries[metadataKey] = metadata
	}
	var at int64
	for _, t := range tensors {
		name, err := typeOf(t.Data.DType)
		if err != nil {
			return nil, fmt.Errorf("tensor %q: %w", t.Name, err)
		}
		if _, twice := entries[t.Name]; twice || t.Name == metadataKey {
			return nil, fmt.Errorf("two entries are named %q", t.Name)
		}
		end := at + int64(len(t.Data.Bytes()))
		entries[t.Name] = entry{name, append([]int{}, t.Data.Shape...), [2]int64{at, end}}
		at = end
	}
	text, err := marshal(entries)
	if err != nil {
		return nil, err
	}
	text = append(text, bytes.Repeat([]byte{' '}, -(8+len(text))&(buf.Alignment-1))...)
	if len(text) > maxHeader {
		return nil, fmt.Errorf("a header of %d bytes; there may be %d", len(text), maxHeader)
	}
	return append(binary.LittleEndian.AppendUint64(nil, uint64(len(text))), text...), nil
}

// marshal writes JSON with names as they are.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSpace(b.Bytes()), err
}

// WriteSharded writes tensors to files with at most most bytes of elements each, beside an index at path, whose name
// ends in ".safetensors.index.json". A tensor is in one shard, however large it is. Every file is written whole or not
// at all, the index last; it returns the names of the shards. Two tensors of one name are an error, and so is another
// ending of the path.
func WriteSharded(path string, tensors []Tensor, metadata map[string]string, most int64) ([]string, error) {
	base, ok := strings.CutSuffix(filepath.Base(path), ".safetensors"+indexSuffix)
	if !ok {
		return nil, fmt.Errorf("%s: the name of an index ends in .safetensors%s", path, indexSuffix)
	}
	var shards [][]Tensor
	var total, room int64
	for _, t := range tensors {
		size := int64(len(t.Data.Bytes()))
		if len(shards) == 0 || size > room {
			shards, room = append(shards, nil), most
		}
		last := len(shards) - 1
		shards[last] = append(shards[last], t)
		room -= size
		total += size
	}
	var names []string
	weights := map[string]string{}
	for i, list := range shards {
		name := fmt.Sprintf("%s-%05d-of-%05d.safetensors", base, i+1, len(shards))
		for _, t := range list {
			if _, twice := weights[t.Name]; twice {
				return nil, fmt.Errorf("two entries are named %q", t.Name)
			}
			weights[t.Name] = name
		}
		if err := WriteFile(filepath.Join(filepath.Dir(path), name), list, metadata); err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	index, err := marshal(map[string]any{"metadata": map[string]any{"total_size": total}, "weight_map": weights})
	if err != nil {
		return nil, err
	}
	return names, atomicfile.Write(path, func(w io.Writer) error {
		_, err := w.Write(append(index, '\n'))
		return err
	})
}
