package onnx

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// TestGroupQueryAttention: four heads share two; the cache of each entry of the batch is filled to another place, and
// queries see keys up to their own, as far back as the window.
func TestGroupQueryAttention(t *testing.T) {
	const batch, heads, shared, depth = 2, 4, 2, 4
	for _, c := range []struct {
		attributes           string
		length, cache, total int
		filled               [batch]int // places of the last tokens
		window               int
		softcap, scale       float64
		rotary, pairs        bool
		bias, sink, packed   bool
		smooth, both         bool
	}{
		{"", 3, 0, 3, [2]int{2, 2}, 0, 0, 0.5, false, false, false, false, false, false, false},
		{"", 1, 3, 4, [2]int{3, 2}, 0, 0, 0.5, false, false, false, false, false, false, false},
		{"local_window_size=2", 2, 5, 5, [2]int{4, 2}, 2, 0, 0.5, false, false, false, false, false, false, false},
		{"scale=0.25 softcap=0.5", 1, 6, 4, [2]int{3, 1}, 0, 0.5, 0.25, false, false, true, false, false, false, false},
		{"do_rotary=1", 2, 2, 4, [2]int{3, 2}, 0, 0, 0.5, true, false, false, false, true, false, false},
		{"do_rotary=1 rotary_interleaved=1", 3, 3, 3, [2]int{2, 1}, 0, 0, 0.5, true, true, false, false, true, false, false},
		{"smooth_softmax=1", 1, 1, 2, [2]int{1, 1}, 0, 0, 0.5, false, false, false, false, false, true, false},
		{"", 1, 1, 2, [2]int{1, 1}, 0, 0, 0.5, false, false, false, true, false, false, false},
		{"causal=0", 2, 2, 4, [2]int{3, 2}, 0, 0, 0.5, false, false, false, false, false, false, true},
	} {
		q := func(i int) float64 { return float64((i*5)%7)/4 - 0.5 }
		k := func(i int) float64 { return float64((i*11)%13)/8 - 0.75 }
		v := func(i int) float64 { return float64((i*3)%5) / 2 }
		pastK := func(i int) float64 { return float64((i*7)%11)/8 - 0.5 }
		pastV := func(i int) float64 { return float64((i*2)%7) / 4 }
		angle := func(place, pair int) float64 { return float64(place*(pair+1)) / 4 }
		bias := func(i int) float64 { return float64(i%3) / 2 }
		sink := func(i int) float64 { return float64(i) / 4 }
		size := max(c.cache, c.total)
		past := func(b int) int {
			if c.length == c.total {
				return 0
			}
			return c.filled[b] + 1 - c.length
		}
		// turned is number d of a head at a place, after its rotation.
		turned := func(f func(i int) float64, row, place, d int) float64 {
			if !c.rotary {
				return f(row + d)
			}
			pair, partner, second := d%2, d+2, d >= 2
			if c.pairs {
				pair, partner, second = d/2, d+1, d%2 == 1
			}
			sin, cos := math.Sincos(angle(place, pair))
			if second {
				partner = 2*d - partner
				return f(row+partner)*sin + f(row+d)*cos
			}
			return f(row+d)*cos - f(row+partner)*sin
		}
		at := func(old, now func(i int) float64, b, h, j, d int, isKey bool) float64 {
			if s := j - past(b); s >= 0 && s < c.length {
				row := ((b*c.length+s)*shared + h) * depth
				if isKey {
					return turned(now, row, j, d)
				}
				return now(row + d)
			}
			return old(((b*shared+h)*c.cache+j)*depth + d)
		}
		y := func(i int) float64 {
			d, h, s, b := i%depth, i/depth%heads, i/depth/heads%c.length, i/depth/heads/c.length
			place := past(b) + s
			sum, total := 0.0, 0.0
			last := place
			if c.both {
				last = c.filled[b]
			}
			for j := range last + 1 {
				if c.window > 0 && j <= place-c.window {
					continue
				}
				score := 0.0
				for e := range depth {
					score += turned(q, ((b*c.length+s)*heads+h)*depth, place, e) * at(pastK, k, b, h/2, j, e, true)
				}
				if score *= c.scale; c.softcap > 0 {
					score = c.softcap * math.Tanh(score/c.softcap)
				}
				if c.bias {
					score += bias((h*c.length+s)*c.total + j)
				}
				total += math.Exp(score)
				sum += math.Exp(score) * at(pastV, v, b, h/2, j, d, false)
			}
			if c.smooth {
				total++
			}
			if c.sink {
				total += math.Exp(sink(h))
			}
			return sum / total
		}
		inputs := []string{"q", "k", "v", "K", "V", "n", "t", `""`, `""`, `""`, `""`, `""`}
		text := "n = i32 2: " + fmt.Sprintf("%d %d", c.filled[0], c.filled[1]) + fmt.Sprintf("\nt = i32: %d\n", c.total)
		if c.packed {
			inputs[0], inputs[1], inputs[2] = "p", `""`, `""`
			row := (heads + 2*shared) * depth
			text += fmt.Sprintf("p = f32 2x%dx%d:", c.length, row) + list(batch*c.length*row, func(i int) float64 {
				token, d := i/row, i%row
				switch {
				case d < heads*depth:
					return q(token*heads*depth + d)
				case d < (heads+shared)*depth:
					return k(token*shared*depth + d - heads*depth)
				}
				return v(token*shared*depth + d - (heads+shared)*depth)
			}) + "\n"
		} else {
			text += fmt.Sprintf("q = f32 2x%dx16:", c.length) + list(batch*c.length*16, q) + "\n"
			for name, f := range map[string]func(int) float64{"k": k, "v": v} {
				text += fmt.Sprintf("%s = f32 2x%dx8:", name, c.length) + list(batch*c.length*8, f) + "\n"
			}
		}
		if c.cache == 0 {
			inputs[3], inputs[4] = `""`, `""`
		} else {
			for name, f := range map[string]func(int) float64{"K": pastK, "V": pastV} {
				text += fmt.Sprintf("%s = f32 2x2x%dx4:", name, c.cache) + list(batch*8*c.cache, f) + "\n"
			}
		}
		if c.rotary {
			inputs[7], inputs[8] = "c", "s"
			text += "c = f32 6x2:" + list(12, func(i int) float64 { return math.Cos(angle(i/2, i%2)) }) + "\n"
			text += "s = f32 6x2:" + list(12, func(i int) float64 { return math.Sin(angle(i/2, i%2)) }) + "\n"
		}
		if c.bias {
			inputs[10] = "b"
			text += fmt.Sprintf("b = f32 1x4x%dx%d:", c.length, c.total) + list(4*c.length*c.total, bias) + "\n"
		}
		if c.sink {
			inputs[11] = "h"
			text += "h = f32 4:" + list(4, sink) + "\n"
		}
		for inputs[len(inputs)-1] == `""` {
			inputs = inputs[:len(inputs)-1]
		}
		node := "y, a, b2 = com.microsoft.GroupQueryAttention(" + strings.Join(inputs, ", ") + ") num_heads=4 kv_num_heads=2 " + c.attributes
		check(t, text+node+fmt.Sprintf("\nwant y = f32 2x%dx16:", c.length)+list(batch*c.length*16, y))
		if slices.Equal(c.filled[:], []int{c.total - 1, c.total - 1}) && size == c.total { // the cache is full
			check(t, text+node+fmt.Sprintf("\nwant a = f32 2x2x%dx4:", size)+list(batch*8*size, func(i int) float64 {
				return at(pastK, k, i/(8*size), i/(4*size)%2, i/4%size, i%4, true)
			}))
		}
	}
	for attributes, want := range map[string]string{
		"num_heads=3 kv_num_heads=2":                              "3 heads of queries and 2 of keys",
		"num_heads=4 kv_num_heads=2 k_quant_type=\"PER_TENSOR\"":  `k_quant_type "PER_TENSOR" is not supported`,
		"num_heads=4 kv_num_heads=2 sliding_window_cache=1":       "sliding_window_cache is not supported",
		"num_heads=4 kv_num_heads=2 qk_output=3":                  "qk_output 3 is not supported",
		"num_heads=3 kv_num_heads=3":                              "3 heads for [1 1 16]",
		"num_heads=4 kv_num_heads=2 causal=0 local_window_size=4": "local_window_size 4 without causal",
	} {
		refuse(t, "q = f32 1x1x16:"+list(16, func(int) float64 { return 1 })+"\nk = f32 1x1x8:"+list(8, func(int) float64 { return 1 })+
			"\nn = i32 1: 0\nt = i32: 1\ny = com.microsoft.GroupQueryAttention(q, k, k, \"\", \"\", n, t) "+attributes, want)
	}
}

// TestPlacesOfQueries: keys are turned by the rows of the cache that position_ids names, a prompt's from the first of
// them on. The cosines and sines tell here which row it was: a key of 1 and 0 becomes the row's.
func TestPlacesOfQueries(t *testing.T) {
	const head = "q = f32 1x2x2: 1 0 1 0\nn = i32 1: 1\nt = i32: 2\nc = f32 4x1: 1 2 3 4\ns = f32 4x1: 5 6 7 8\np = i64 1: 1\no = f32 1x1x2: 1 0\nK = f32 1x1x1x2: 9 9\nf = i64 1x1: 3\nw = f32 4x2: 1 1 1 1 1 1 1 1\n"
	const attributes = " num_heads=1 kv_num_heads=1 do_rotary=1\n"
	checkEach(t, head,
		"y, a, b = com.microsoft.GroupQueryAttention(q, q, q, \"\", \"\", n, t, c, s)"+attributes+"want a = f32 1x1x2x2: 1 5 2 6",
		"y, a, b = com.microsoft.GroupQueryAttention(q, q, q, \"\", \"\", n, t, c, s, p)"+attributes+"want a = f32 1x1x2x2: 2 6 3 7",
		"y, a, b = com.microsoft.GroupQueryAttention(o, o, o, K, K, n, t, c, s)"+attributes+"want a = f32 1x1x2x2: 9 9 2 6",
		"y, a, b = com.microsoft.GroupQueryAttention(o, o, o, K, K, n, t, c, s, f)"+attributes+"want a = f32 1x1x2x2: 9 9 4 8")
	refuseEach(t, head, map[string]string{
		"y, a, b = com.microsoft.GroupQueryAttention(q, q, q, \"\", \"\", n, t, w, w)" + attributes:                           "a cache of [4 2] for heads of 2 numbers",
		"d = f32 2x2x2: 1 2 3 4 5 6 7 8\ny = com.microsoft.GroupQueryAttention(q, d, d, \"\", \"\", n, t, c, s)" + attributes: "1 heads for [2 2 2]",
		"d = f32 1x1x2: 1 2\ny = com.microsoft.GroupQueryAttention(q, d, d, \"\", \"\", n, t, c, s)" + attributes:             "1 heads for [1 1 2]",
		"d = f32 2x1x1x2: 1 2 3 4\ny = com.microsoft.GroupQueryAttention(o, o, o, d, d, n, t, c, s)" + attributes:             "a cache of [2 1 1 2] for [1 1 1 2]",
		"d = f32 1x1x1x1: 1\ny = com.microsoft.GroupQueryAttention(o, o, o, d, d, n, t, c, s)" + attributes:                   "a cache of [1 1 1 1] for [1 1 1 2]",
	})
}
