package program

import "slices"

// patternDims is how many sizes and strides a transfer of the host has. The outermost repeats or iterates.
const patternDims = 4

// wordsCounted is how many words, or steps of outer dimensions, a transfer counts in a dimension.
const wordsCounted = 1023

// wordsStepped is the longest stride of a transfer, in words.
const wordsStepped = 1 << 20

// repeats bounds how often a transfer goes through its inner dimensions, as tasks of a queue do.
const repeats = 64

// memcpy is a transfer of the host in the form of mlir-aie: where it begins, and its sizes and strides, in elements.
// The last stride is 1.
type memcpy struct {
	offset int
	dims   [patternDims]Dim
}

// memcpys lists the transfers that move elements of the given bytes in the order of dims, one after the other. A
// dimension that is longer than a transfer counts is factored. One piece may be of any length, also where a transfer
// repeats it or steps from piece to piece. An order that one transfer does not express becomes a transfer for every
// index of the outermost dimension.
func memcpys(offset int, dims []Dim, bytes int) []memcpy {
	if len(dims) == 0 || dims[len(dims)-1].Stride != 1 {
		dims = append(slices.Clone(dims), Dim{1, 1})
	}
	var all []memcpy
	outer, inner, ok := expressed(dims, bytes)
	if !ok {
		if split, ok := factored(dims, bytes, wordsCounted); ok {
			dims = split
		}
		for i := range dims[0].Size {
			all = append(all, memcpys(offset+i*dims[0].Stride, dims[1:], bytes)...)
		}
		return all
	}
	for at := 0; at < outer.Size; at += repeats {
		m := memcpy{offset: offset + at*outer.Stride, dims: [patternDims]Dim{{1, 0}, {1, 0}, {1, 0}, {1, 0}}}
		m.dims[0] = Dim{min(repeats, outer.Size-at), outer.Stride}
		copy(m.dims[patternDims-len(inner):], inner)
		all = append(all, m)
	}
	return all
}

// expressed returns the dimension that a transfer iterates and the dimensions inside it. It is not ok if neither one
// transfer nor one transfer for some iterations each moves the elements. Only the dimension that iterates may step
// nowhere.
func expressed(dims []Dim, bytes int) (outer Dim, inner []Dim, ok bool) {
	once, again := Dim{1, 0}, dims[0]
	if len(dims) == 1 {
		return once, dims, true
	}
	steps := func(outer Dim, inner []Dim) bool {
		refused := func(d Dim) bool { return d.Size > 1 && (d.Stride == 0 || d.Stride*bytes/word > wordsStepped) }
		return len(inner) < patternDims && !slices.ContainsFunc(inner, refused) && (outer.Stride == 0 || !refused(outer))
	}
	if split, ok := factored(dims, bytes, wordsCounted); ok {
		if steps(once, split) {
			return once, split, true
		}
		if len(split) == patternDims && steps(split[0], split[1:]) {
			return split[0], split[1:], true
		}
	}
	if len(dims) == 2 {
		return again, dims[1:], steps(again, dims[1:])
	}
	inner, ok = factored(dims[1:], bytes, wordsCounted)
	return again, inner, ok && steps(again, inner)
}

// factored splits the dimensions that are longer than the most words or steps that a descriptor counts into two, and
// reports whether all have such factors. Parts of a run are whole words.
func factored(dims []Dim, bytes, most int) (split []Dim, ok bool) {
	for i, d := range dims {
		unit, words := 1, 1 // elements of a unit, words of a unit
		if i == len(dims)-1 && d.Stride == 1 {
			unit, words = max(1, word/bytes), max(1, bytes/word)
		}
		n, k := d.Size/unit, 1
		for k < n && (n%k != 0 || n/k*words > most) {
			k++
		}
		if k == 1 {
			split = append(split, d)
			continue
		}
		if k > most || d.Size%unit != 0 {
			return nil, false
		}
		size := n / k * unit
		split = append(split, Dim{k, d.Stride * size}, Dim{size, d.Stride})
	}
	return split, true
}
