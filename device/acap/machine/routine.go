package machine

// nominalRoutines is the cost of kernel bodies that nobody measured: what an
// element and its parts take on one core.
func nominalRoutines() map[string]Routine {
	cost := func(v float64) Routine {
		return Routine{Element: assumed(v, "cycle/element", "as measured on npu2")}
	}
	return map[string]Routine{
		"element":        cost(0.9),  // loop, loads and stores of a pointwise body
		"divide":         cost(1.0),  // one division or square root
		"transcendental": cost(2.0),  // one exp, tanh, erf, …
		"scalar":         cost(1.0),  // one operation of the scalar unit
		"reduce":         cost(0.55), // one walk of a reduction over a row
		"row":            {Row: assumed(250, "cycle/row", "as measured on npu2")},
		"attention": {
			Element: assumed(3.373, "cycle/score", "as measured on npu2"),
			Call:    assumed(66580, "cycle", "as measured on npu2"),
			Load:    assumed(538.1e-6, "s", "as measured on npu2"),
		},
	}
}

// npu2Routines adds the kernels of the mlir-air registry.
func npu2Routines(r map[string]Routine) {
	cost := func(element, row float64) Routine {
		c := Routine{
			Element: fitted(element, "cycle/element", airRegistry),
			Load:    fitted(8.53e-6, "s", airRegistry),
		}
		if row > 0 {
			c.Row = fitted(row, "cycle/row", airRegistry)
		}
		return c
	}
	r["add"] = cost(1.064, 0)
	r["silu_mul"] = cost(3.468, 0)
	r["gelu"] = cost(4.0, 0)
	r["rope"] = cost(1.0, 44.3)
	r["rmsnorm"] = cost(2.05, 225)
	r["layernorm"] = cost(4.0, 250)
	// Conversion of an element in a launch of its own; its load is the load of the style.
	r["cast"] = Routine{Element: fitted(0.5, "cycle/element", airRegistry)}
	r["attention"] = Routine{
		Element: fitted(3.373, "cycle/score", airRegistry),
		Call:    fitted(66580, "cycle", airRegistry),
		Load:    fitted(538.1e-6, "s", airRegistry),
		Amid:    fitted(1.296, "", ModelSource),
		Read:    fitted(0.78, "", ironCI+": as matrices of bf16 that are multiplied by a vector"),
	}
}
