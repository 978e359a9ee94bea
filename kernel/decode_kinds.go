package kernel

import (
	"slices"
	"strconv"
)

func (d *decoder) contraction(it *item, name string) *Contraction {
	c := &Contraction{Name: name, Batch: d.ints(it, "batch", -1), M: d.int(it, "m"), N: d.int(it, "n"),
		K: d.int(it, "k"), Acc: d.dtype(it, it.attrs["acc"])}
	if it.attrs["rounded"] != "" {
		c.Rounded = d.int(it, "rounded") != 0
	}
	d.operands(it, func(sub *item) { d.epilogue(sub, &c.Epilogue) },
		operand{"a", func(sub *item) { c.A = d.matrix(sub) }},
		operand{"b", func(sub *item) { c.B = d.matrix(sub) }})
	return c
}

// operand is what a kernel has to have in its block, after this word.
type operand struct {
	word string
	read func(sub *item)
}

// operands reads a block: each of the operands once, in any order, and what else there is.
func (d *decoder) operands(it *item, other func(sub *item), list ...operand) {
	given := make([]bool, len(list))
	for _, sub := range it.block {
		switch i := slices.IndexFunc(list, func(o operand) bool { return o.word == word(sub) }); {
		case i < 0:
			other(sub)
		case given[i]:
			d.fail(sub, "operand %s is given twice", list[i].word)
		default:
			list[i].read(sub)
			given[i] = true
		}
	}
	for i, o := range list {
		if !given[i] {
			d.fail(it, "operand %s is missing", o.word)
		}
	}
}

// unexpected refuses what a block does not have.
func (d *decoder) unexpected(sub *item) { d.fail(sub, "unexpected %q", word(sub)) }

func (d *decoder) matrix(it *item) Matrix {
	return Matrix{Port: d.port(it), Offset: d.int(it, "offset"), Batch: d.ints(it, "batch", -1),
		Row: d.int(it, "row"), Col: d.int(it, "col")}
}

func (d *decoder) epilogue(it *item, e *Epilogue) {
	switch word(it) {
	case "port":
		e.Access = append(e.Access, d.access(it, false))
	case "epilogue":
		for _, sub := range it.block {
			e.Body = append(e.Body, d.instr(sub, len(e.Body)))
		}
	default:
		d.unexpected(it)
	}
}

func (d *decoder) convolution(it *item, name string) *Convolution {
	input, output := d.ints(it, "input", 4), d.ints(it, "output", 3)
	filter := d.ints(it, "filter", 2)
	c := &Convolution{Name: name, N: input[0], C: input[1], H: input[2], W: input[3],
		K: output[0], P: output[1], Q: output[2], R: filter[0], S: filter[1],
		Stride: [2]int(d.ints(it, "stride", 2)), Dilation: [2]int(d.ints(it, "dilation", 2)),
		Pad: [2]int(d.ints(it, "pad", 2)), Groups: d.int(it, "groups"),
		Acc: d.dtype(it, it.attrs["acc"])}
	d.operands(it, func(sub *item) { d.epilogue(sub, &c.Epilogue) },
		operand{"x", func(sub *item) { c.X = d.image(sub) }},
		operand{"filter", func(sub *item) { c.Filter = d.image(sub) }})
	return c
}

func (d *decoder) image(it *item) Image {
	return Image{Port: d.port(it), Offset: d.int(it, "offset"), Strides: [4]int(d.ints(it, "strides", 4))}
}

func (d *decoder) attention(it *item, name string) *Attention {
	scale, err := strconv.ParseFloat(it.attrs["scale"], 64)
	if err != nil {
		d.fail(it, "scale: bad number %q", it.attrs["scale"])
	}
	a := &Attention{Name: name, Batch: d.ints(it, "batch", -1), Queries: d.int(it, "queries"),
		Keys: d.int(it, "keys"), Dim: d.int(it, "dim"), VDim: d.int(it, "vdim"), Scale: scale,
		Causal: d.int(it, "causal") != 0, Safe: d.int(it, "safe") != 0, Acc: d.dtype(it, it.attrs["acc"])}
	d.operands(it, func(sub *item) {
		if word(sub) != "mask" {
			d.unexpected(sub)
		}
		mask := d.matrix(sub)
		a.Mask, a.MaskIsBool = &mask, d.int(sub, "bool") != 0
	}, operand{"q", func(sub *item) { a.Q = d.matrix(sub) }}, operand{"k", func(sub *item) { a.K = d.matrix(sub) }},
		operand{"v", func(sub *item) { a.V = d.matrix(sub) }}, operand{"o", func(sub *item) { a.O = d.matrix(sub) }})
	return a
}
