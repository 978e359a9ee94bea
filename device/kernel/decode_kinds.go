package kernel

import "strconv"

func (d *decoder) contraction(it *item, name string) *Contraction {
	c := &Contraction{Name: name, Batch: d.ints(it, "batch", -1), M: d.int(it, "m"), N: d.int(it, "n"),
		K: d.int(it, "k"), Acc: d.dtype(it, it.attrs["acc"])}
	for _, sub := range it.block {
		switch word(sub) {
		case "a":
			c.A = d.matrix(sub)
		case "b":
			c.B = d.matrix(sub)
		default:
			d.epilogue(sub, &c.Epilogue)
		}
	}
	d.present(it, map[string]Port{"a": c.A.Port, "b": c.B.Port})
	return c
}

// present checks that operands were given.
func (d *decoder) present(it *item, ports map[string]Port) {
	for name, p := range ports {
		if !p.DType.Valid() {
			d.fail(it, "operand %s is missing", name)
		}
	}
}

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
		d.fail(it, "unexpected %q", word(it))
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
	for _, sub := range it.block {
		switch word(sub) {
		case "x":
			c.X = d.image(sub)
		case "filter":
			c.Filter = d.image(sub)
		default:
			d.epilogue(sub, &c.Epilogue)
		}
	}
	d.present(it, map[string]Port{"x": c.X.Port, "filter": c.Filter.Port})
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
		Causal: d.int(it, "causal") != 0, Acc: d.dtype(it, it.attrs["acc"])}
	operands := map[string]*Matrix{"q": &a.Q, "k": &a.K, "v": &a.V, "o": &a.O}
	for _, sub := range it.block {
		m, ok := operands[word(sub)]
		switch {
		case ok:
			*m = d.matrix(sub)
		case word(sub) == "mask":
			mask := d.matrix(sub)
			a.Mask, a.MaskIsBool = &mask, d.int(sub, "bool") != 0
		default:
			d.fail(sub, "unexpected %q", word(sub))
		}
	}
	d.present(it, map[string]Port{"q": a.Q.Port, "k": a.K.Port, "v": a.V.Port, "o": a.O.Port})
	return a
}
