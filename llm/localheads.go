package llm

// localWidth is the width of heads in layers with a window, 0 where it is that of other layers.
func (d *Description) localWidth() int {
	if d.LocalHeads == nil {
		return 0
	}
	return d.LocalHeads.Width
}

// local reports whether a layer has the heads of layers with a window.
func (d *Description) local(layer int) bool { return d.LocalHeads != nil && d.Windowed(layer) }

// kvHeads is the number of heads of keys and values of a layer.
func (d *Description) kvHeads(layer int) int {
	if d.local(layer) {
		return d.LocalHeads.KVHeads
	}
	return d.KVHeads
}

// headWidth is the width of a layer's queries and keys.
func (d *Description) headWidth(layer int) int {
	if d.local(layer) {
		return d.LocalHeads.Width
	}
	return d.HeadWidth
}

// valueWidth is the width of a layer's values.
func (d *Description) valueWidth(layer int) int {
	if d.local(layer) {
		return d.LocalHeads.Width
	}
	return d.ValueWidth
}

// keyed reports whether the values of a layer are what its keys are made of.
func (d *Description) keyed(layer int) bool { return d.KeyValues && !d.Windowed(layer) }

// source is the layer whose keys and values a layer reads: itself, or the last one of its kind in front of those that share; -1 if there is none.
func (d *Description) source(layer int) int {
	first := d.Layers - d.Sharing
	if layer < first {
		return layer
	}
	for i := first - 1; i >= 0; i-- {
		if d.Windowed(i) == d.Windowed(layer) {
			return i
		}
	}
	return -1
}

// hidden is the width of the gated part of a layer.
func (d *Description) hidden(layer int) int {
	if d.LayerHidden != nil {
		return d.LayerHidden[layer]
	}
	return d.Hidden
}
