package gguf

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/go-acap/acap/base/buf"
)

// interleaved are the architectures whose files have the rows of queries and keys in another order than PyTorch's
// models. A rotary embedding turns pairs of rows: in a file the rows of a pair lie side by side, in PyTorch half a head
// apart.
var interleaved = map[string]bool{"llama": true, "arcee": true, "arctic": true, "baichuan": true, "bailingmoe": true, "deci": true, "deepseek": true,
	"eagle3": true, "granite": true, "granite_swa": true, "granitehybrid": true, "granitemoe": true, "internlm2": true, "llada": true,
	"llama-embed": true, "minicpm": true, "mistral3": true, "nanbeige": true, "olmo": true, "smollm3": true, "xverse": true, pixtral: true}

// pixtral stands for the architecture of files whose pictures are encoded as Pixtral's. It is the prefix of their
// metadata.
const pixtral = "clip.vision"

// unknownOrder are the architectures whose files have other rows in another order, too, with the reason.
var unknownOrder = map[string]string{
	"bloom":         together,
	"chameleon":     "its norms of queries and keys are in another order, too",
	"falcon":        together,
	"gptneox":       together,
	"graniteswitch": "its queries, keys and values are one matrix",
	"plamo":         "its heads of queries, and the columns of its outputs, are in another order",
}

const together = "PyTorch has one matrix with the queries, keys and values of the first head, then of the next head; the file has the queries of all heads, then all keys, then all values"

// architecture returns the name that decides the order of rows, and the reason if the order is not known.
func (f *File) architecture() (name, unknown string) {
	text := func(key string) string { s, _ := f.Metadata[key].(string); return s }
	name = text("general.architecture")
	switch name {
	case "clip":
		for _, key := range []string{"clip.projector_type", "clip.vision.projector_type"} {
			if kind := text(key); kind == "pixtral" || kind == "lightonocr" {
				name = pixtral
			}
		}
	case "glm4", "glm4moe":
		if sections := name + ".rope.dimension_sections"; f.lists[sections].data != nil {
			return name, "its rows of queries and keys are in another order where " + sections + " says how pictures are turned"
		}
	}
	return name, unknownOrder[name]
}

// State returns all tensors by name, with the rows of queries and keys in the order of PyTorch's models, for which
// architectures such as llama have another one. An architecture whose order is not known is an error. [File.Tensor] and
// [File.All] give the rows as the file has them.
func (f *File) State() (map[string]*buf.Buffer, error) {
	all, err := f.All()
	if err != nil {
		return nil, err
	}
	architecture, why := f.architecture()
	if why != "" {
		return nil, fmt.Errorf("%s: rows of the architecture %q cannot be brought into the order of PyTorch: %s; package gguf reads them as they are",
			f.name, architecture, why)
	}
	if !interleaved[architecture] {
		return all, nil
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		key, ok := rotary(name)
		if !ok {
			continue
		}
		heads, err := f.heads(architecture, name, key)
		if err != nil {
			return nil, fmt.Errorf("%s: tensor %q: %w", f.name, name, err)
		}
		if all[name], err = halves(all[name], heads); err != nil {
			return nil, fmt.Errorf("%s: tensor %q: %w", f.name, name, err)
		}
	}
	return all, nil
}

// Interleaved reports whether files of an architecture have the rows of queries and keys in another order than
// PyTorch's models: see [File.State].
func Interleaved(architecture string) bool { return interleaved[architecture] }

// rotary reports whether the name is the name of a weight or bias of queries or, then key is true, of keys, or of an
// adapter's matrix whose rows are added to the rows of such a weight.
func rotary(name string) (key, ok bool) {
	name = strings.TrimSuffix(name, ".lora_b")
	kind := strings.TrimSuffix(strings.TrimSuffix(name, ".weight"), ".bias")
	key = strings.HasSuffix(kind, ".attn_k")
	return key, kind != name && (key || strings.HasSuffix(kind, ".attn_q"))
}

// heads is how many heads the metadata give to the queries or keys of a tensor: one number for all blocks, or one for
// each.
func (f *File) heads(architecture, tensor string, key bool) (int, error) {
	name := architecture + ".attention.head_count"
	if keys := name + "_kv"; key && (f.Metadata[keys] != nil || f.lists[keys].data != nil) {
		name = keys
	}
	var n float64
	switch v := f.Metadata[name].(type) {
	case uint64:
		n = float64(v)
	case int64:
		n = float64(v)
	default:
		var block int
		if each := f.Numbers(name); each != nil {
			if _, err := fmt.Sscanf(tensor, "blk.%d.", &block); err == nil && block >= 0 && block < len(each) {
				n = each[block]
			}
		}
	}
	if n < 1 || n >= 1<<31 || n != math.Trunc(n) {
		return 0, fmt.Errorf("the file does not say in %s how many heads there are, so that the order of rows in PyTorch is not known; "+
			"package gguf reads them as they are", name)
	}
	return int(n), nil
}

// halves changes the order of the rows of each head: pairs lie side by side before and half a head apart after.
func halves(b *buf.Buffer, heads int) (*buf.Buffer, error) {
	if len(b.Shape) == 0 || b.Shape[0]%(2*heads) != 0 {
		return nil, fmt.Errorf("%v are no pairs of rows of %d heads", b.Shape, heads)
	}
	out := buf.New(b.DType, b.Shape)
	from, to, head := b.Bytes(), out.Bytes(), b.Shape[0]/heads
	if b.Shape[0] == 0 {
		return out, nil
	}
	row := len(from) / b.Shape[0]
	for at := range b.Shape[0] { // of the result
		h, i := at/head, at%head
		source := h*head + 2*(i%(head/2)) + i/(head/2)
		copy(to[at*row:(at+1)*row], from[source*row:])
	}
	return out, nil
}
