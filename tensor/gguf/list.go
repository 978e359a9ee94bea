package gguf

// list is a list of the metadata where the file has it.
type list struct {
	kind  uint32
	count uint64
	data  []byte // of all its entries
}

// Has reports whether the metadata has an entry of any type.
func (f *File) Has(key string) bool {
	_, list := f.lists[key]
	return list || f.Metadata[key] != nil
}

// Texts returns a list of texts of the metadata, such as tokenizer.ggml.tokens. It is nil if the file has no such list,
// or is closed. Texts are as in the file, which may not be UTF-8.
func (f *File) Texts(key string) []string {
	l, ok := f.lists[key]
	if !ok || l.kind != typeString || f.data == nil {
		return nil
	}
	out := make([]string, 0, min(l.count, uint64(len(l.data)/8)))
	r := &reader{data: l.data}
	for range l.count {
		out = append(out, string(r.take(r.u64())))
	}
	if r.err != nil {
		return nil
	}
	return out
}

// Numbers returns a list of numbers or truths of the metadata, such as tokenizer.ggml.scores; a truth is 0 or 1. It is
// nil if the file has no such list, or is closed. Integers beyond 2^53 lose their last bits.
func (f *File) Numbers(key string) []float64 {
	l, ok := f.lists[key]
	if !ok || l.kind == typeString || l.kind == typeArray || f.data == nil {
		return nil
	}
	out := make([]float64, 0, l.count)
	r := &reader{data: l.data}
	for range l.count {
		switch v := r.value(l.kind, 0).(type) {
		case uint64:
			out = append(out, float64(v))
		case int64:
			out = append(out, float64(v))
		case float64:
			out = append(out, v)
		case bool:
			if v {
				out = append(out, 1)
			} else {
				out = append(out, 0)
			}
		}
	}
	return out
}
