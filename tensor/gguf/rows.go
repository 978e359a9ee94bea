package gguf

import (
	"fmt"
	"strings"

	"github.com/go-acap/acap/base/buf"
)

// interleaved are the architectures in whose files the rows of queries and keys are in another order than in PyTorch's
// models: a rotary embedding turns pairs of rows, which PyTorch has half a head apart and a file side by side.
var interleaved = map[string]bool{"llama": true, "arcee": true, "arctic": true, "baichuan": true, "bailingmoe": true, "deci": true, "deepseek": true,
	"eagle3": true, "granite": true, "granite_swa": true, "granitehybrid": true, "granitemoe": true, "internlm2": true, "llada": true,
	"llama-embed": true, "minicpm": true, "mistral3": true, "nanbeige": true, "olmo": true, "smollm3": true, "xverse": true}

// unknownOrder are those in whose files more than these rows is in another order.
var unknownOrder = map[string]string{
	"chameleon":     "its norms of queries and keys are in another order, too",
	"graniteswitch": "its queries, keys and values are one matrix",
}

// State returns all tensors by name, with the rows of queries and keys in the order of PyTorch's models, for which
// architectures such as llama have another one. [File.Tensor] and [File.All] give what is in the file.
func (f *File) State() (map[string]*buf.Buffer, error) {
	all, err := f.All()
	if err != nil {
		return nil, err
	}
	architecture, _ := f.Metadata["general.architecture"].(string)
	if why := unknownOrder[architecture]; why != "" {
		return nil, fmt.Errorf("%s: rows of the architecture %q cannot be brought into the order of PyTorch: %s; package gguf reads them as they are",
			f.name, architecture, why)
	}
	if !interleaved[architecture] {
		return all, nil
	}
	for name, b := range all {
		key, ok := rotary(name)
		if !ok {
			continue
		}
		heads, err := f.heads(architecture, key)
		if err != nil {
			return nil, fmt.Errorf("%s: tensor %q: %w", f.name, name, err)
		}
		if all[name], err = halves(b, heads); err != nil {
			return nil, fmt.Errorf("%s: tensor %q: %w", f.name, name, err)
		}
	}
	return all, nil
}

// rotary reports whether the name is that of a weight or bias of queries or, then key is true, of keys.
func rotary(name string) (key, ok bool) {
	kind := strings.TrimSuffix(strings.TrimSuffix(name, ".weight"), ".bias")
	key = strings.HasSuffix(kind, ".attn_k")
	return key, kind != name && (key || strings.HasSuffix(kind, ".attn_q"))
}

// heads is how many heads the metadata give to queries or keys.
func (f *File) heads(architecture string, key bool) (int, error) {
	count := func(name string) (uint64, bool) {
		n, ok := f.Metadata[architecture+".attention."+name].(uint64)
		if i, signed := f.Metadata[architecture+".attention."+name].(int64); signed && i > 0 {
			n, ok = uint64(i), true
		}
		return n, ok && n > 0 && n < 1<<31
	}
	heads, ok := count("head_count")
	if !ok {
		return 0, fmt.Errorf("the file does not say in %s.attention.head_count, as one number, how many heads there are", architecture)
	}
	if !key {
		return int(heads), nil
	}
	if _, given := f.Metadata[architecture+".attention.head_count_kv"]; !given && f.lists[architecture+".attention.head_count_kv"].data == nil {
		return int(heads), nil
	}
	keys, ok := count("head_count_kv")
	if !ok {
		return 0, fmt.Errorf("the file does not say in %s.attention.head_count_kv, as one number, how many heads of keys there are", architecture)
	}
	return int(keys), nil
}

// halves brings rows of heads from pairs side by side to pairs half a head apart.
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
