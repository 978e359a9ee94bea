package architecture

import (
	"slices"
)

// Recurrence says how layers without keys and values of all tokens compute: a token changes a matrix of each head, and
// reads the matrix. The state of a sequence in a layer is these matrices, and the rows that the convolution in front of
// them reads again.
//
// The matrix S, the key k, the query q, the value v and the decay a of a head make S' = a S + k u and y = q S'. In
// Mamba-2 (Dao and Gu, 2024, equation 16) u is v by its step. With the delta rule (Yang, Kautz and Hatamizadeh, 2024,
// equation 10) u is beta (v - a k S), what the key does not say yet.
type Recurrence struct {
	Delta           bool // the gated delta rule; otherwise Mamba-2
	Keys, Heads     int  // heads of keys and queries, which heads of values share
	KeyWidth, Width int  // of a head of keys, and of values
	Taps            int  // tokens that the convolution sees
	// Turns says that head i of values takes the key head i modulo the number of key heads, as GGUF has them for Qwen
	// 3.5; otherwise neighbours share a key head.
	Turns      bool
	NormGroups int // parts of a row that the norm behind Mamba-2 norms apart
	Layers     []bool
}

// Recurs reports whether a layer keeps a state.
func (d *Description) Recurs(layer int) bool {
	return d.Recurrence != nil && layer < len(d.Recurrence.Layers) && d.Recurrence.Layers[layer]
}

// Stateful reports whether a layer keeps a state of each sequence in the place of keys and values.
func (d *Description) Stateful() bool {
	return d.Recurrence != nil && slices.Contains(d.Recurrence.Layers, true)
}

// between has all layers keep a state but every so manieth.
func (r *Recurrence) between(every int) {
	for i := range r.Layers {
		r.Layers[i] = every > 0 && (i+1)%every != 0
	}
}

// Inner is the width of the values of all heads.
func (r *Recurrence) Inner() int { return r.Heads * r.Width }

// Channels returns the number of elements of a row that are convolved: queries, keys and values.
func (r *Recurrence) Channels() int { return 2*r.Keys*r.KeyWidth + r.Inner() }
