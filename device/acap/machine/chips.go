package machine

import "math"

// Chips is the dynamic memory behind the rates of a [DDR]. The rates are what the array gets in long runs, refreshes
// included. The rates are less than Bus, because other users share the memory and the way to the array is slower.
type Chips struct {
	Bus      Constant `json:"bus"`      // bytes/s of all channels together, when none ever rests
	Channels Constant `json:"channels"` // buses that work apart from each other
	Banks    Constant `json:"banks"`    // of a channel
	Burst    Constant `json:"burst"`    // bytes that an access moves, wanted or not
	Cycle    Constant `json:"cycle"`    // seconds from opening a page of a bank to opening another (tRC)
	Four     Constant `json:"four"`     // seconds in which a channel opens at most four pages (tFAW)
	Refresh  Constant `json:"refresh"`  // seconds of a refresh (tRFC), in which no bank answers
	Interval Constant `json:"interval"` // seconds from one refresh to the next (tREFI)
	// Interleave is how many neighbouring bytes lie in one channel before the next channel follows, in bytes; 0 where
	// every read is shared by all channels.
	Interleave Constant `json:"interleave,omitzero"`
}

// known reports whether the memory is described.
func (c *Chips) known() bool { return c.Bus.Value > 0 }

// refreshed returns the share of the time in which the memory answers.
func (c *Chips) refreshed() float64 {
	if c.Interval.Value == 0 {
		return 1
	}
	return 1 - c.Refresh.Value/c.Interval.Value
}

// share returns the rate of runs of contiguous bytes at unrelated places as a share of the rate of long runs. run and
// page are bytes. A channel moves whole bursts. It opens a page for every run, and for every further page of the run,
// in one bank while other banks are read.
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

// channelsShare returns the share of the channels that a read of parts of rows uses. The read takes some bytes of each
// row, and rows begin apart bytes after one another. The rows begin at multiples of the greatest common divisor of
// apart and of the bytes that all channels together interleave.
func (c *Chips) channelsShare(bytes, apart int) float64 {
	own := c.Interleave.Int()
	if !c.known() || own == 0 || bytes >= apart {
		return 1
	}
	between := own * c.Channels.Int()
	for rest := apart; rest > 0; {
		between, rest = rest, between%rest
	}
	each := between / own // every each-th channel has the beginning of a row
	if each <= 1 {
		return 1
	}
	whole := (bytes - 1) / own // channels that a row fills before the last one
	most := whole/each*own + own
	if whole%each == 0 {
		most = whole/each*own + bytes - whole*own
	}
	return min(1, float64(bytes)/float64(each*most))
}

// memory is a kind of dynamic memory: its timing, which is the same at every rate.
type memory struct {
	constant          func(value float64, unit, source string) Constant
	source            string
	banks, burst      float64
	cycle, four       float64
	refresh, interval float64
}

// The kinds of the presets.
var (
	ddr5   = memory{assumed, "usual for DDR5-5600 of 16 Gb", 32, 64, 48.4e-9, 11.4e-9, 295e-9, 3.9e-6}
	lpddr5 = memory{datasheet, "Ramulator 2, LPDDR5-6400 of 16 Gb by 16 bit", 16, 32, 61e-9, 20e-9, 280e-9, 3.906e-6}
	ddr4   = memory{datasheet, "Ramulator 2, DDR4-3200AA of 8 Gb by 8 bit", 16, 64, 46e-9, 21e-9, 360e-9, 7.8e-6}
	hbm2   = memory{assumed, "usual for HBM2E of 16 Gb, by pseudo channels of 64 bit", 16, 32, 45e-9, 16e-9, 350e-9, 3.9e-6}
	lpddr4 = memory{assumed, "usual for LPDDR4X of 8 Gb a channel", 8, 32, 63e-9, 40e-9, 280e-9, 3.904e-6}
)

// chips returns memory of the kind with a bus in bytes/s and a number of channels, each with its source.
func (m memory) chips(bus float64, ofBus string, channels int, ofChannels string) Chips {
	return Chips{
		Bus:      assumed(bus, "B/s", ofBus),
		Channels: assumed(float64(channels), "", ofChannels),
		Banks:    m.constant(m.banks, "", m.source),
		Burst:    m.constant(m.burst, "B", m.source),
		Cycle:    m.constant(m.cycle, "s", m.source),
		Four:     m.constant(m.four, "s", m.source),
		Refresh:  m.constant(m.refresh, "s", m.source),
		Interval: m.constant(m.interval, "s", m.source),
	}
}
