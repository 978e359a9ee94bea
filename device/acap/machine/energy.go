package machine

// nominalEnergy is an estimate for a 7 nm process. It ranks designs; it does
// not predict a power meter.
func nominalEnergy() Energy {
	pj := func(v float64, unit string) Constant { return assumed(v, unit, horowitz) }
	return Energy{
		MAC: map[string]Constant{
			"i8": pj(0.1, "pJ"), "i16": pj(0.3, "pJ"), "i32": pj(1.0, "pJ"),
			"bf16": pj(0.4, "pJ"), "f16": pj(0.4, "pJ"), "f32": pj(1.2, "pJ"),
			"": pj(1.0, "pJ"),
		},
		Op:     pj(0.3, "pJ"),
		L1:     pj(0.6, "pJ/B"),
		L2:     pj(1.8, "pJ/B"),
		Stream: pj(0.2, "pJ/B/hop"),
		DDR:    pj(40, "pJ/B"),
		Static: pj(1.0, "W"),
		Tile:   assumed(0.02, "W", "as much as a core's logic leaks and clocks; XD100 estimates 4.9 W for 46 busy tiles"),
		Spread: assumed(2, "", "no power meter is behind the other numbers"),
	}
}
