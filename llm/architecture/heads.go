package architecture

// LocalWidth is the width of heads in layers with a window; 0 means the width in other layers.
func (d *Description) LocalWidth() int {
	if d.LocalHeads == nil {
		return 0
	}
	return d.LocalHeads.Width
}

// local reports whether a layer has the heads of layers with a window.
func (d *Description) local(layer int) bool { return d.LocalHeads != nil && d.Windowed(layer) }

// KVHeadsAt is the number of heads of keys and values of a layer.
func (d *Description) KVHeadsAt(layer int) int {
	if d.local(layer) {
		return d.LocalHeads.KVHeads
	}
	return d.KVHeads
}

// HeadWidthAt is the width of a layer's queries and keys.
func (d *Description) HeadWidthAt(layer int) int {
	if d.local(layer) {
		return d.LocalHeads.Width
	}
	return d.HeadWidth
}

// ValueWidthAt is the width of a layer's values.
func (d *Description) ValueWidthAt(layer int) int {
	if d.local(layer) {
		return d.LocalHeads.Width
	}
	return d.ValueWidth
}

// ValuesAreKeys reports whether the values of a layer are what its keys are made of.
func (d *Description) ValuesAreKeys(layer int) bool { return d.KeyValues && !d.Windowed(layer) }

// KVSource is the layer whose keys and values a layer reads: itself, or the last one of its kind in front of those that
// share; -1 if there is none.
func (d *Description) KVSource(layer int) int {
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
