package timing

// Energy is an estimate of the joules that each part of the machine takes.
type Energy struct {
	Compute  float64 `json:"compute"`  // multipliers and lanes
	Memories float64 `json:"memories"` // of cores and mem tiles
	Network  float64 `json:"network"`  // between tiles
	Outside  float64 `json:"outside"`  // the memory outside
	Rest     float64 `json:"rest"`     // the array at rest, and cores that take part
}

// Array is the joules of the array, without the memory outside.
func (e *Energy) Array() float64 { return e.Compute + e.Memories + e.Network + e.Rest }

// Add adds n times the energy d.
func (e *Energy) Add(d Energy, n float64) {
	e.Compute += float64(n * d.Compute)
	e.Memories += float64(n * d.Memories)
	e.Network += float64(n * d.Network)
	e.Outside += float64(n * d.Outside)
	e.Rest += float64(n * d.Rest)
}

// energy adds up the events in joules. A byte from outside crosses half the
// rows of the array on average.
func (e *estimate) energy() Energy {
	const pico = 1e-12
	t, c := &e.Timing, &e.machine.Energy
	l3 := float64(t.ReadL3 + t.WriteL3)
	hops := float64(e.machine.Grid.Rows()) / 2
	return Energy{
		Compute:  pico * (float64(e.perMAC*float64(e.macs)) + float64(c.Op.Value*e.others)),
		Memories: pico * (float64(c.L2.Value*float64(t.L2)) + float64(c.L1.Value*float64(t.L1))),
		Network:  pico * float64(c.Stream.Value*hops*(l3+float64(t.L1))),
		Outside:  pico * float64(c.DDR.Value*l3),
		Rest:     float64(c.Static.Value*t.Seconds) + float64(c.Tile.Value*float64(t.Cores)*(t.Seconds-t.Launch)),
	}
}
