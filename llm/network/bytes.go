package network

import "github.com/go-acap/acap/llm/cache"

// WeightBytes is the memory of the weights that are read for each token, as they are held.
func (m *Network) WeightBytes() int64 {
	total := int64(0)
	for name, w := range m.loaded {
		if name == "token_embd.weight" && m.has("output.weight") {
			continue
		}
		size := int64(w.DType().Size())
		for _, n := range w.Shape() {
			size *= int64(n)
		}
		total += size
	}
	return total
}

// CacheBytes is the memory of the keys and values, or of the state, that a token reads behind the given number of
// tokens, with its own.
func (m *Network) CacheBytes(tokens int) int64 {
	total := int64(0)
	for i := range m.Layers {
		for _, row := range cache.RowsOf(&m.Description, i, m.cached) {
			places := tokens + 1 - row.Span.First(tokens)
			if row.Span.State {
				places = 1
			}
			total += int64(places*row.Heads) * row.Bytes(row.Width)
		}
	}
	return total
}
