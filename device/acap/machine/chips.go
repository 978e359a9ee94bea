package machine

import "math"

// Chips is the dynamic memory behind the rates of a [DDR]. The rates are what the array gets of it while it
// is refreshed, by long runs: less than Bus, as others use it and the way to the array is slower.
type Chips struct {
	Bus      Constant `json:"bus"`      // bytes/s of all channels together, when none ever rests
	Channels Constant `json:"channels"` // buses that work apart from each other
	Banks    Constant `json:"banks"`    // of a channel
	Burst    Constant `json:"burst"`    // bytes that an access moves, wanted or not
	Cycle    Constant `json:"cycle"`    // seconds from opening a page of a bank to opening another (tRC)
	Four     Constant `json:"four"`     // seconds in which a channel opens at most four pages (tFAW)
	Refresh  Constant `json:"refresh"`  // seconds of a refresh (tRFC), in which no bank answers
	Interval Constant `json:"interval"` // seconds from one refresh to the next (tREFI)
}

// known reports whether there are any.
func (c *Chips) known() bool { return c.Bus.Value > 0 }

// refreshed returns the share of the time in which the memory answers.
func (c *Chips) refreshed() float64 {
	if c.Interval.Value == 0 {
		return 1
	}
	return 1 - c.Refresh.Value/c.Interval.Value
}

// share returns the share of the rate of long runs that runs of so many contiguous bytes get, at places that have
// nothing to do with each other, with pages of so many bytes: a channel moves whole bursts, and opens a page for
// every run, and for every further page of it, in one bank while others are read.
func (c *Chips) share(run, page int) float64 {
	if !c.known() {
		return 1
	}
	run = max(1, run)
	channel := c.Bus.Value / c.Channels.Value
	moving := math.Ceil(float64(run)/c.Burst.Value) * c.Burst.Value / channel
	pages := math.Ceil(float64(run) / float64(max(1, page)))
	opening := pages * max(c.Cycle.Value/c.Banks.Value, c.Four.Value/4)
	return float64(run) / channel / max(moving, opening)
}

// DDR5, LPDDR5, DDR4 and LPDDR4 of the presets. The timing of LPDDR5 and DDR4 is that of Ramulator 2's tables, the
// other is assumed to be usual.
func ddr5(rate float64, channels int) Chips {
	const source = "usual for DDR5-5600 of 16 Gb"
	return Chips{
		Bus:      assumed(rate, "B/s", "128 bit of DDR5-5600, the usual memory of Phoenix"),
		Channels: assumed(float64(channels), "", "two of 32 bit for a module of 64"),
		Banks:    assumed(32, "", source), Burst: assumed(64, "B", source),
		Cycle: assumed(48.4e-9, "s", source), Four: assumed(11.4e-9, "s", source),
		Refresh: assumed(295e-9, "s", source), Interval: assumed(3.9e-6, "s", source),
	}
}

func lpddr5(rate float64, channels int) Chips {
	const source = "Ramulator 2, LPDDR5-6400 of 16 Gb by 16 bit"
	return Chips{
		Bus:      assumed(rate, "B/s", "128 bit of LPDDR5X-7500, the fastest memory of Strix Point"),
		Channels: assumed(float64(channels), "", "of 16 bit"),
		Banks:    datasheet(16, "", source), Burst: datasheet(32, "B", source),
		Cycle: datasheet(61e-9, "s", source), Four: datasheet(20e-9, "s", source),
		Refresh: datasheet(280e-9, "s", source), Interval: datasheet(3.906e-6, "s", source),
	}
}

func ddr4(rate float64, channels int, board string) Chips {
	const source = "Ramulator 2, DDR4-3200AA of 8 Gb by 8 bit"
	return Chips{
		Bus:      assumed(rate, "B/s", board),
		Channels: assumed(float64(channels), "", board),
		Banks:    datasheet(16, "", source), Burst: datasheet(64, "B", source),
		Cycle: datasheet(46e-9, "s", source), Four: datasheet(21e-9, "s", source),
		Refresh: datasheet(360e-9, "s", source), Interval: datasheet(7.8e-6, "s", source),
	}
}

func lpddr4(rate float64, channels int) Chips {
	const source = "usual for LPDDR4X of 8 Gb a channel"
	return Chips{
		Bus:      assumed(rate, "B/s", "two controllers of 64 bit, LPDDR4X-3900"),
		Channels: assumed(float64(channels), "", "of 16 bit"),
		Banks:    assumed(8, "", source), Burst: assumed(32, "B", source),
		Cycle: assumed(63e-9, "s", source), Four: assumed(40e-9, "s", source),
		Refresh: assumed(280e-9, "s", source), Interval: assumed(3.904e-6, "s", source),
	}
}
